//===- Builtins.cpp - Linking Builtins.c into device code -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace ferry {

static constexpr unsigned char Bitcode[] = {
#include "Builtins.inc"
};

/// The memory functions that LLVM has intrinsics for, which back ends expand.
static bool becomeIntrinsic(CallInst &Call, StringRef Name) {
  if (Name != "memcpy" && Name != "memmove" && Name != "memset")
    return false;
  IRBuilder<> B(&Call);
  Value *To = Call.getArgOperand(0), *From = Call.getArgOperand(1),
        *Bytes = Call.getArgOperand(2);
  if (Name == "memcpy")
    B.CreateMemCpy(To, Align(1), From, Align(1), Bytes);
  else if (Name == "memmove")
    B.CreateMemMove(To, Align(1), From, Align(1), Bytes);
  else
    B.CreateMemSet(To, B.CreateTrunc(From, B.getInt8Ty()), Bytes, Align(1));
  Call.replaceAllUsesWith(To);
  Call.eraseFromParent();
  return true;
}

Error linkBuiltins(Module &M) {
  bool AnyUndefined = false;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic())
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == &F && Call->arg_size() == 3)
        becomeIntrinsic(*Call, F.getName());
    AnyUndefined |= !F.use_empty() && !F.getName().starts_with("__ferry_");
  }
  if (!AnyUndefined)
    return Error::success();

  StringRef Bytes(reinterpret_cast<const char *>(Bitcode), sizeof(Bitcode));
  Expected<std::unique_ptr<Module>> Builtins = getLazyBitcodeModule(
      MemoryBufferRef(Bytes, "ferry builtins"), M.getContext());
  if (!Builtins)
    return Builtins.takeError();
  (*Builtins)->setTargetTriple(M.getTargetTriple());
  (*Builtins)->setDataLayout(M.getDataLayout());
  if (Linker::linkModules(M, std::move(*Builtins), Linker::LinkOnlyNeeded))
    return createStringError("internal error: cannot link Ferry's builtins");
  return Error::success();
}

} // namespace ferry
