//===- Names.cpp - What the user calls kernels and arguments --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages and LIBOMPTARGET_INFO should say `y`, not slot 3. The marker does
// not carry parameter names; debug info does. The user's function is found from
// the shim, by its calls or, in optimised code, by what was inlined into it,
// and its parameters are matched with the fields:
//
//   Rust   two fields a parameter, in order
//   C++    from the last to the first, because a lambda's captures come before
//          the arguments and parallel_for's index has no field at all; a
//          dynamic span takes two fields, everything else one
//
// A name is a courtesy: where matching fails, fields stay nameless.
//
//===----------------------------------------------------------------------===//

#include "Discover/Names.h"
#include "Diagnostics/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include <map>

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// The user's function
//===----------------------------------------------------------------------===//

/// The first function on the way down from `Shim` that stands in a file of the
/// user's or, without debug info, is no plumbing.
static const Function *userFunction(const Function &Shim) {
  SmallVector<const Function *, 8> Queue{&Shim};
  for (unsigned I = 0; I != Queue.size() && I != 64; ++I)
    for (const Instruction &Inst : instructions(*Queue[I]))
      if (auto *Call = dyn_cast<CallBase>(&Inst)) {
        auto *Callee =
            dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
        if (!Callee || Callee->isIntrinsic() || is_contained(Queue, Callee))
          continue;
        const DISubprogram *SP = Callee->getSubprogram();
        if (Shim.getSubprogram() ? SP && isInUserFile(*SP)
                                 : !isPlumbing(userName(Callee->getName())))
          return Callee;
        Queue.push_back(Callee);
      }
  return nullptr;
}

/// The outermost function of the user's that was inlined into `Shim`.
static const DISubprogram *inlinedSubprogram(const Function &Shim) {
  for (const Instruction &I : instructions(Shim)) {
    const DISubprogram *Outermost = nullptr;
    for (const DILocation *L = I.getDebugLoc().get(); L; L = L->getInlinedAt())
      if (const DISubprogram *SP = L->getScope()->getSubprogram();
          isInUserFile(*SP))
        Outermost = SP;
    if (Outermost)
      return Outermost;
  }
  return nullptr;
}

/// By position. Optimised code keeps the parameters of inlined functions with
/// the subprogram, unoptimised code only where they are declared.
static std::map<unsigned, const DILocalVariable *>
parametersOf(const DISubprogram &SP, const Module &M) {
  std::map<unsigned, const DILocalVariable *> Parameters;
  auto Add = [&](const DILocalVariable *V) {
    if (V && V->getArg())
      Parameters[V->getArg()] = V;
  };
  for (const DINode *Node : SP.getRetainedNodes())
    Add(dyn_cast_or_null<DILocalVariable>(Node));
  for (const Function &F : M)
    if (F.getSubprogram() == &SP)
      for (const Instruction &I : instructions(F))
        for (const DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
          if (!R.getDebugLoc()->getInlinedAt())
            Add(R.getVariable());
  return Parameters;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static bool isRust(StringRef LinkageName) {
  StringRef Name = LinkageName;
  if (Name.starts_with("_R"))
    return true;
  // The legacy mangling: "17h", sixteen hexadecimal digits, "E".
  return Name.consume_back("E") && Name.size() > 19 &&
         Name.drop_back(16).ends_with("17h") &&
         all_of(Name.take_back(16), isHexDigit);
}

using Parameters = std::vector<const DILocalVariable *>;

static void nameRustFields(std::vector<Field> &Fields, const Parameters &Of) {
  if (Fields.size() != 2 * Of.size())
    return;
  for (auto [I, Parameter] : enumerate(Of)) {
    std::string Name = Parameter->getName().str();
    Fields[2 * I].Name = Name;
    Fields[2 * I + 1].Name = Fields[2 * I].IsBuffer ? Name + ".len()" : Name;
  }
}

/// Without const, typedefs and the like.
static const DIType *plainType(const DIType *T) {
  while (auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    if (Derived->getTag() != dwarf::DW_TAG_const_type &&
        Derived->getTag() != dwarf::DW_TAG_typedef &&
        Derived->getTag() != dwarf::DW_TAG_volatile_type)
      return T;
    T = Derived->getBaseType();
  }
  return T;
}

static bool isDynamicSpan(const DIType *T) {
  auto *Composite = dyn_cast_or_null<DICompositeType>(plainType(T));
  return Composite && Composite->getName().starts_with("span<") &&
         Composite->getName().contains("18446744073709551615");
}

/// Whether `This` points to a lambda with captures.
static bool hasCaptures(const DILocalVariable &This) {
  auto *Pointer = dyn_cast_or_null<DIDerivedType>(plainType(This.getType()));
  auto *Class =
      Pointer
          ? dyn_cast_or_null<DICompositeType>(plainType(Pointer->getBaseType()))
          : nullptr;
  return Class && any_of(Class->getElements(), [](const DINode *N) {
           return N && N->getTag() == dwarf::DW_TAG_member;
         });
}

static void nameCxxFields(std::vector<Field> &Fields, Parameters Of) {
  if (!Of.empty() && Of.front()->isArtificial()) {
    bool Captures = hasCaptures(*Of.front());
    Of.erase(Of.begin());
    if (Captures) { // parallel_for: the first field, and an index without one
      if (Of.empty() || Fields.empty())
        return;
      Of.erase(Of.begin());
      Fields.front().Name = "captures";
    }
  }
  size_t Left = Fields.size();
  for (const DILocalVariable *Parameter : reverse(Of)) {
    std::string Name = Parameter->getName().str();
    if (isDynamicSpan(Parameter->getType())) {
      if (Left < 2 || Fields[Left - 1].IsBuffer || !Fields[Left - 2].IsBuffer)
        return;
      Fields[Left - 1].Name = Name + ".size()";
      Fields[Left - 2].Name = Name;
      Left -= 2;
    } else {
      if (!Left)
        return;
      Fields[--Left].Name = Name;
    }
  }
}

void nameKernel(Kernel &K) {
  const Function *User = userFunction(*K.Shim);
  const DISubprogram *SP =
      User ? User->getSubprogram() : inlinedSubprogram(*K.Shim);
  std::string Found;
  if (SP)
    Found = userName(SP->getLinkageName().empty() ? SP->getName()
                                                  : SP->getLinkageName());
  else if (User)
    Found = userName(User->getName());
  // clang spells a template's instance without its arguments in the name that
  // the marker has.
  if (K.Name.empty() || StringRef(Found).starts_with(K.Name + "<"))
    K.Name = Found;
  if (K.Name.empty())
    K.Name = userName(K.Shim->getName());
  if (!SP)
    return;
  Parameters Of;
  for (auto &[Position, Variable] : parametersOf(*SP, *K.Shim->getParent()))
    Of.push_back(Variable);
  if (isRust(K.Shim->getName()))
    nameRustFields(K.Fields, Of);
  else
    nameCxxFields(K.Fields, Of);
}

} // namespace ferry
