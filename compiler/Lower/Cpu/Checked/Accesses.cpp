//===- Accesses.cpp - A call before each access ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before each load, store, atomic and memory intrinsic comes
//
//   %stop = call i32 @__ferry_check_access(ptr, i64 bytes, i32 kind, i32 site)
//   br (%stop != 0), %end, %go on
//
// where %end panics with a site that is none: libferry has the report already.
// Accesses to what is the thread's own for sure, its allocas, and reads of
// constants go without. Of the variables that only kernels have, only atomic
// accesses are told, since they order threads.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Lower/Cpu/Checked/Checked.h"
#include "Outline/Outline.h"
#include "ferry/runtime.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

unsigned CheckSites::number(const DebugLoc &Where) {
  Place P{"", 0, 0};
  if (DebugLoc Loc = userLocation(Where))
    P = {fileName(*Loc), Loc->getLine(), Loc->getColumn()};
  auto [Known, New] = Numbers.try_emplace(P, Places.size());
  if (New)
    Places.push_back(P);
  return Known->second;
}

Constant *CheckSites::table(Module &M) const {
  LLVMContext &Ctx = M.getContext();
  Type *I32 = Type::getInt32Ty(Ctx);
  auto Private = [&](Constant *Init, const Twine &Name) {
    auto *G = new GlobalVariable(M, Init->getType(), true,
                                 GlobalValue::PrivateLinkage, Init, Name);
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return G;
  };
  std::map<std::string, Constant *> Files;
  SmallVector<Constant *> Records;
  for (const Place &P : Places) {
    Constant *&File = Files[P.File];
    if (!File)
      File = Private(ConstantDataArray::getString(Ctx, P.File), "ferry.file");
    Records.push_back(
        ConstantStruct::getAnon(Ctx, {File, ConstantInt::get(I32, P.Line),
                                      ConstantInt::get(I32, P.Column)}));
  }
  if (Records.empty())
    return ConstantPointerNull::get(PointerType::get(Ctx, 0));
  return Private(
      ConstantArray::get(ArrayType::get(Records[0]->getType(), Records.size()),
                         Records),
      "ferry.check.sites");
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
struct Access {
  Instruction *Before;
  Value *Pointer;
  Value *Bytes;
  unsigned Kind; ///< FERRY_ACCESS_*
};

class Instrumenter {
public:
  Instrumenter(Module &M, CheckSites &Sites) : M(M), Sites(Sites) {}

  void run() {
    for (Function &F : M)
      if (!F.isDeclaration())
        for (Instruction &I : instructions(F))
          find(I);
    for (const Access &A : Found)
      check(A);
    for (FenceInst *F : Fences) {
      IRBuilder<> B(F);
      B.CreateCall(M.getOrInsertFunction("__ferry_check_fence", B.getVoidTy(),
                                         B.getInt32Ty()),
                   {B.getInt32(ordering(F->getOrdering()))});
    }
  }

private:
  Module &M;
  CheckSites &Sites;
  std::vector<Access> Found;
  std::vector<FenceInst *> Fences;

  static unsigned ordering(AtomicOrdering O) {
    return (isAcquireOrStronger(O) ? FERRY_ACCESS_ACQUIRE : 0) |
           (isReleaseOrStronger(O) ? FERRY_ACCESS_RELEASE : 0);
  }

  void add(Instruction &I, Value *Pointer, Value *Bytes, unsigned Kind) {
    SmallVector<const Value *> Objects;
    getUnderlyingObjects(Pointer, Objects);
    auto IsVariable = [](const Value *Object, bool Constant) {
      auto *G = dyn_cast<GlobalVariable>(Object);
      return G && G->hasInitializer() && G->isConstant() == Constant;
    };
    if (all_of(Objects, [&](const Value *Object) {
          return isa<AllocaInst>(Object) ||
                 (IsVariable(Object, true) && !(Kind & FERRY_ACCESS_WRITE));
        }))
      return;
    if (all_of(Objects, [&](const Value *Object) {
          return IsVariable(Object, false);
        })) {
      if (!(Kind & FERRY_ACCESS_ATOMIC))
        return;
      Kind |= FERRY_ACCESS_DEVICE;
    }
    Found.push_back({&I, Pointer, Bytes, Kind});
  }

  void add(Instruction &I, Value *Pointer, Type *T, unsigned Kind) {
    uint64_t Bytes = M.getDataLayout().getTypeStoreSize(T).getFixedValue();
    add(I, Pointer, ConstantInt::get(Type::getInt64Ty(M.getContext()), Bytes),
        Kind);
  }

  void find(Instruction &I) {
    constexpr unsigned Both = FERRY_ACCESS_READ | FERRY_ACCESS_WRITE;
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      unsigned Atomic =
          Load->isAtomic() ? FERRY_ACCESS_ATOMIC | ordering(Load->getOrdering())
                           : 0;
      add(I, Load->getPointerOperand(), Load->getType(),
          FERRY_ACCESS_READ | Atomic);
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      unsigned Atomic = Store->isAtomic() ? FERRY_ACCESS_ATOMIC |
                                                ordering(Store->getOrdering())
                                          : 0;
      add(I, Store->getPointerOperand(), Store->getValueOperand()->getType(),
          FERRY_ACCESS_WRITE | Atomic);
    } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
      add(I, RMW->getPointerOperand(), RMW->getType(),
          Both | FERRY_ACCESS_ATOMIC | ordering(RMW->getOrdering()));
    } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
      add(I, Exchange->getPointerOperand(),
          Exchange->getCompareOperand()->getType(),
          Both | FERRY_ACCESS_ATOMIC |
              ordering(Exchange->getSuccessOrdering()));
    } else if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I)) {
      add(I, Copy->getRawSource(), Copy->getLength(), FERRY_ACCESS_READ);
      add(I, Copy->getRawDest(), Copy->getLength(), FERRY_ACCESS_WRITE);
    } else if (auto *Set = dyn_cast<AnyMemSetInst>(&I)) {
      add(I, Set->getRawDest(), Set->getLength(), FERRY_ACCESS_WRITE);
    } else if (auto *Fence = dyn_cast<FenceInst>(&I)) {
      Fences.push_back(Fence);
    }
  }

  void check(const Access &A) {
    IRBuilder<> B(A.Before);
    FunctionCallee Check = M.getOrInsertFunction(
        "__ferry_check_access", B.getInt32Ty(), B.getPtrTy(), B.getInt64Ty(),
        B.getInt32Ty(), B.getInt32Ty());
    CallInst *Call = B.CreateCall(
        Check, {A.Pointer, B.CreateZExtOrTrunc(A.Bytes, B.getInt64Ty()),
                B.getInt32(A.Kind),
                B.getInt32(Sites.number(A.Before->getDebugLoc()))});
    Call->setDoesNotThrow();
    Instruction *End = SplitBlockAndInsertIfThen(
        B.CreateICmpNE(Call, B.getInt32(0)), A.Before, /*Unreachable=*/true);
    IRBuilder<> AtEnd(End);
    Value *Zero = AtEnd.getInt64(0);
    AtEnd
        .CreateCall(panicFunction(M),
                    {AtEnd.getInt32(FERRY_SITE_CHECK), Zero, Zero, Zero, Zero})
        ->setDoesNotReturn();
  }
};
} // namespace

/// What functions were known to leave alone, the checks now touch.
static void forgetEffects(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (Attribute::AttrKind Kind :
         {Attribute::Memory, Attribute::WillReturn, Attribute::NoSync,
          Attribute::NoRecurse, Attribute::Speculatable})
      F.removeFnAttr(Kind);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->removeFnAttr(Attribute::Memory);
  }
}

void instrumentAccesses(Module &M, CheckSites &Sites) {
  Instrumenter(M, Sites).run();
  forgetEffects(M);
}

} // namespace ferry
