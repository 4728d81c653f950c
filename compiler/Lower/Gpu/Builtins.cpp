//===- Builtins.cpp - Linking Builtins.c into device code -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace ferry {

static constexpr unsigned char Bitcode[] = {
#include "Builtins.inc"
};

static Expected<std::unique_ptr<Module>> readBuiltins(LLVMContext &Context) {
  StringRef Bytes(reinterpret_cast<const char *>(Bitcode), sizeof(Bitcode));
  return getLazyBitcodeModule(MemoryBufferRef(Bytes, "ferry builtins"),
                              Context);
}

/// The memory functions that LLVM has intrinsics for, which back ends expand.
static bool hasIntrinsic(StringRef Name) {
  return Name == "memcpy" || Name == "memmove" || Name == "memset";
}

static void becomeIntrinsic(CallInst &Call, StringRef Name) {
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
}

bool isBuiltin(const Function &F) {
  if (hasIntrinsic(F.getName()))
    return true;
  static const StringSet<> Names = [] {
    StringSet<> Result;
    LLVMContext Context;
    Expected<std::unique_ptr<Module>> Builtins = readBuiltins(Context);
    if (!Builtins)
      reportFatalInternalError(Builtins.takeError());
    for (const Function &Builtin : **Builtins)
      if (!Builtin.isDeclaration())
        Result.insert(Builtin.getName());
    return Result;
  }();
  return Names.contains(F.getName());
}

Error linkBuiltins(Module &M) {
  bool AnyUndefined = false;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic())
      continue;
    if (hasIntrinsic(F.getName()) && F.arg_size() == 3)
      for (User *U : make_early_inc_range(F.users()))
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && Call->getCalledFunction() == &F)
          becomeIntrinsic(*Call, F.getName());
    AnyUndefined |= !F.use_empty() && !F.getName().starts_with("__ferry_");
  }
  if (!AnyUndefined)
    return Error::success();

  Expected<std::unique_ptr<Module>> Builtins = readBuiltins(M.getContext());
  if (!Builtins)
    return Builtins.takeError();
  (*Builtins)->setTargetTriple(M.getTargetTriple());
  (*Builtins)->setDataLayout(M.getDataLayout());
  if (Linker::linkModules(M, std::move(*Builtins), Linker::LinkOnlyNeeded))
    return createStringError("internal error: cannot link Ferry's builtins");
  return Error::success();
}

} // namespace ferry
