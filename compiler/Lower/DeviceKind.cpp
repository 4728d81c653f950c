//===- DeviceKind.cpp - What a kernel knows of its device -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library kernel may say that it is for one kind of device alone. The front
// end compiles it for all, since it does not know the targets; here all but its
// entry goes where it never runs.
//
//===----------------------------------------------------------------------===//

#include "Lower/DeviceKind.h"
#include "Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace ferry {

/// Whether there were calls.
static bool replaceCalls(Module &M, StringRef Name, uint64_t Value) {
  Function *F = M.getFunction(Name);
  if (!F)
    return false;
  bool Found = false;
  for (User *U : make_early_inc_range(F->users()))
    if (auto *Call = dyn_cast<CallInst>(U);
        Call && Call->getCalledOperand() == F) {
      Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), Value));
      Call->eraseFromParent();
      Found = true;
    }
  return Found;
}

void foldDeviceKind(Module &M, bool OnGpu, std::optional<unsigned> WarpSize) {
  bool Found = replaceCalls(M, "__ferry_on_gpu", OnGpu);
  if (WarpSize)
    Found |= replaceCalls(M, "__ferry_warp_size", *WarpSize);
  if (!Found)
    return;
  PassBuilder PB;
  FunctionPassManager FPM;
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(ADCEPass());
  ModulePassManager Passes;
  Passes.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  runPasses(M, Passes, PB);
}

} // namespace ferry
