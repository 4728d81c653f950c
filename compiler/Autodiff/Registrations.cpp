//===- Registrations.cpp - What the user says about functions -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void *__enzyme_inactivefn[] = {(void *)f, ...};          enzyme_inactive
//   void *__enzyme_function_like[] = {(void *)f, "log1p"};   enzyme_math=log1p
//   __attribute__((annotate("enzyme_inactive"))) f           enzyme_inactive
//   __attribute__((annotate("enzyme_function_like=log1p")))  enzyme_math=log1p
//
// Callees.cpp and Rules.cpp read these attributes, which may also be in the IR
// already. A registration that is not understood is an error: to leave it out
// would be to give another derivative than the one the user wrote.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Registrations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace ferry::ad {

static Function *functionIn(const Value *V) {
  return dyn_cast<Function>(const_cast<Value *>(V->stripPointerCasts()));
}

static StringRef textIn(const Value *V) {
  StringRef Text;
  if (!getConstantStringInfo(V, Text))
    return "";
  return Text;
}

static bool fail(Module &M, const Twine &What) {
  M.getContext().emitError("ferry: " + What);
  return false;
}

static void annotate(Function &F, StringRef Text) {
  if (Text == "enzyme_inactive")
    F.addFnAttr("enzyme_inactive");
  else if (Text.consume_front("enzyme_function_like="))
    F.addFnAttr("enzyme_math", Text);
}

static bool readVariable(Module &M, GlobalVariable &G) {
  StringRef Name = G.getName();
  if (!Name.contains("__enzyme_") || !G.hasInitializer())
    return true;
  for (StringRef Unsupported :
       {"__enzyme_register_", "__enzyme_allocation_like",
        "__enzyme_shouldrecompute", "__enzyme_inactive_global"})
    if (Name.contains(Unsupported))
      return fail(M, "'" + Name + "': " + Unsupported +
                         "* is not supported yet; remove it");
  Constant *Init = G.getInitializer();
  if (Name.contains("__enzyme_inactivefn")) {
    // An array, or one function.
    SmallVector<const Value *> Members{Init};
    if (isa<ConstantAggregate>(Init))
      Members.assign(Init->op_begin(), Init->op_end());
    for (const Value *Member : Members)
      if (Function *F = functionIn(Member))
        F->addFnAttr("enzyme_inactive");
  }
  if (Name.contains("__enzyme_function_like")) {
    Function *F =
        Init->getNumOperands() == 2 ? functionIn(Init->getOperand(0)) : nullptr;
    StringRef Like = F ? textIn(Init->getOperand(1)) : "";
    if (Like.empty())
      return fail(M, "'" + Name + "': write {(void *)function, \"name\"}");
    F->addFnAttr("enzyme_math", Like);
  }
  return true;
}

bool readRegistrations(Module &M) {
  for (GlobalVariable &G : M.globals())
    if (!readVariable(M, G))
      return false;
  auto *Annotations = M.getGlobalVariable("llvm.global.annotations");
  if (!Annotations || !Annotations->hasInitializer())
    return true;
  for (const Use &U : Annotations->getInitializer()->operands())
    if (auto *Entry = dyn_cast<ConstantStruct>(U.get()))
      if (Function *F = functionIn(Entry->getOperand(0)))
        annotate(*F, textIn(Entry->getOperand(1)));
  return true;
}

} // namespace ferry::ad
