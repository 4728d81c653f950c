//===- Prints.cpp - Printed lines on the CPU ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On cpu a line is printed at once, by a call of libferry with the line's
// record and its values. The image for virtual can't see libferry and writes to
// its buffer, as a GPU's does.
//
//===----------------------------------------------------------------------===//

#include "Lower/Prints.h"
#include "Lower/Cpu/Cpu.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace ferry {

/// Makes `Print` a function that gathers its values and calls libferry.
static void printAtOnce(Function &Print, GlobalVariable &Sites) {
  Module &M = *Print.getParent();
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", &Print));
  unsigned Count = Print.arg_size() - 1;
  auto *Values =
      B.CreateAlloca(ArrayType::get(B.getInt64Ty(), std::max(Count, 1u)));
  for (unsigned I = 0; I != Count; ++I)
    B.CreateStore(Print.getArg(1 + I),
                  B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Values, I));
  Value *Site = B.CreateInBoundsGEP(
      Sites.getValueType(), &Sites,
      {B.getInt64(0), B.CreateZExt(Print.getArg(0), B.getInt64Ty())});
  B.CreateCall(M.getOrInsertFunction("__ferry_print_line", B.getVoidTy(),
                                     B.getPtrTy(), B.getPtrTy()),
               {Site, Values})
      ->setDoesNotThrow();
  B.CreateRetVoid();
  Print.setLinkage(GlobalValue::InternalLinkage);
  Print.setName("ferry.print");
  Print.setAttributes({});
  Print.setDoesNotThrow();
  Print.addFnAttr(Attribute::NoInline);
  Print.addFnAttr(Attribute::Cold);
  for (User *U : Print.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      Call->setAttributes({});
}

void lowerPrints(Module &M, const DeviceProgram &Program, const Target &T) {
  if (!printsAnywhere(Program))
    return;
  if (T.Kind == TargetKind::Virtual)
    return printToBuffer(M, *addPrintBuffer(M, Program, 0));
  SmallVector<Constant *> Records;
  for (const PrintSite &S : Program.PrintSites)
    Records.push_back(printSiteRecord(M, S));
  Constant *All = ConstantArray::get(
      ArrayType::get(Records[0]->getType(), Records.size()), Records);
  auto *Sites =
      new GlobalVariable(M, All->getType(), true, GlobalValue::PrivateLinkage,
                         All, "ferry.print.lines");
  for (Function &F : M)
    if (F.isDeclaration() && F.getName().starts_with(PrintPrefix))
      printAtOnce(F, *Sites);
}

} // namespace ferry
