//===- PrivateArrays.cpp - Arrays of which each thread has its own --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A local array of a kernel is an alloca of the function that holds the loop,
// used again by one thread after the other. Threads that run at the same time
// need a copy each. How the copies lie decides what an access costs: when all
// accesses are of single elements of one size, element k of all threads comes
// before element k+1 of any, and threads that use the same index touch
// neighbouring addresses. Otherwise whole arrays follow each other.
//
// An array that the loop only reads is the same for all threads and stays.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Candidate.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry::spmd {

namespace {
/// What the loop does with one alloca.
class Uses {
public:
  Uses(AllocaInst &A, const Loop &L)
      : L(L), DL(A.getModule()->getDataLayout()) {
    follow(A);
  }

  bool Inside = false, Outside = false; ///< other than lifetime markers
  bool OnlyRead = true, OnlyElements = true;
  uint64_t Unit = 0;

private:
  const Loop &L;
  const DataLayout &DL;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<std::pair<unsigned, uint64_t>> Unused;

  void follow(const Value &Pointer) {
    if (!Seen.insert(&Pointer).second)
      return;
    for (const Use &U : Pointer.uses()) {
      auto &I = cast<Instruction>(*U.getUser());
      if (isIgnored(I))
        continue;
      (L.contains(&I) ? Inside : Outside) = true;
      use(I, U);
    }
  }

  void use(const Instruction &I, const Use &U) {
    if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
      if (L.contains(&I))
        step(*Gep);
      return follow(I);
    }
    if (isa<PHINode>(I) || isa<SelectInst>(I)) {
      OnlyElements = false;
      return follow(I);
    }
    if (!L.contains(&I))
      return;
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    bool IsAddress = Load || (Store && U.getOperandNo() == 1);
    OnlyRead &= Load != nullptr;
    if (!IsAddress || (Load ? !Load->isSimple() : !Store->isSimple())) {
      OnlyElements = false;
      return;
    }
    Type *T = getLoadStoreType(const_cast<Instruction *>(&I));
    uint64_t Size = DL.getTypeAllocSize(T);
    OnlyElements &= !T->isAggregateType() && Size == DL.getTypeStoreSize(T) &&
                    (!Unit || Unit == Size);
    Unit = Size;
  }

  SmallVector<uint64_t> Steps;

  void step(const GetElementPtrInst &Gep) {
    SmallMapVector<Value *, APInt, 4> Scales;
    APInt Offset(64, 0);
    if (!Gep.collectOffset(DL, 64, Scales, Offset)) {
      OnlyElements = false;
      return;
    }
    Steps.push_back(Offset.getZExtValue());
    for (auto &[Index, Scale] : Scales)
      Steps.push_back(Scale.getZExtValue());
  }

public:
  bool areElements() const {
    return OnlyElements && Unit &&
           all_of(Steps, [&](uint64_t Step) { return Step % Unit == 0; });
  }
};
} // namespace

/// Addresses that were hoisted out of the loop, back to where they are used:
/// there they are a thread's own.
static void sinkAddresses(Value &Pointer, const Loop &L) {
  SmallVector<GetElementPtrInst *> Outside;
  for (User *U : Pointer.users())
    if (auto *Gep = dyn_cast<GetElementPtrInst>(U); Gep && !L.contains(Gep))
      Outside.push_back(Gep);
  for (GetElementPtrInst *Gep : Outside) {
    sinkAddresses(*Gep, L);
    for (Use &U : make_early_inc_range(Gep->uses())) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      Instruction *At = Phi ? Phi->getIncomingBlock(U)->getTerminator() : User;
      if (!L.contains(User) || !L.contains(At))
        continue;
      Instruction *Clone = Gep->clone();
      Clone->insertBefore(At->getIterator());
      U = Clone;
    }
    if (Gep->use_empty())
      Gep->eraseFromParent();
  }
}

/// The size of the elements that `Pointer` is loaded and stored by, if it is
/// one size, and the fills and copies of whole pieces.
static void collectPieces(Value &Pointer, const Loop &L, uint64_t &Unit,
                          SmallSetVector<MemIntrinsic *, 4> &Pieces) {
  const DataLayout &DL = L.getHeader()->getModule()->getDataLayout();
  for (User *U : Pointer.users()) {
    auto *I = cast<Instruction>(U);
    if (!L.contains(I))
      continue;
    if (isa<GetElementPtrInst>(I))
      collectPieces(*I, L, Unit, Pieces);
    else if (auto *Piece = dyn_cast<MemIntrinsic>(I))
      Pieces.insert(Piece);
    else if (getLoadStorePointerOperand(I) == &Pointer && !Unit)
      Unit = DL.getTypeStoreSize(getLoadStoreType(I));
  }
}

/// Fills and copies of pieces of an array, element by element, so that they do
/// not stand in the way of interleaving.
static void splitPieces(AllocaInst &A, const Loop &L) {
  static constexpr uint64_t MostElements = 64;
  uint64_t Unit = 0;
  SmallSetVector<MemIntrinsic *, 4> Pieces;
  collectPieces(A, L, Unit, Pieces);
  if (!isPowerOf2_64(Unit) || Unit > 8)
    return;
  for (MemIntrinsic *Piece : Pieces) {
    auto *Length = dyn_cast<ConstantInt>(Piece->getLength());
    auto *Copy = dyn_cast<MemCpyInst>(Piece);
    auto *Fill = dyn_cast<MemSetInst>(Piece);
    if (!Length || (!Copy && !Fill) || Piece->isVolatile() ||
        Length->getZExtValue() % Unit ||
        Length->getZExtValue() / Unit > MostElements)
      continue;
    IRBuilder<> B(Piece);
    Type *T = B.getIntNTy(8 * Unit);
    Value *Filling = nullptr;
    if (Fill)
      Filling = B.CreateMul(
          B.CreateZExt(Fill->getValue(), T),
          ConstantInt::get(T, APInt::getSplat(8 * Unit, APInt(8, 1))));
    for (uint64_t At = 0; At != Length->getZExtValue(); At += Unit) {
      auto Address = [&](Value *Base) {
        return B.CreateGEP(B.getInt8Ty(), Base, B.getInt64(At));
      };
      Value *V = Filling;
      if (Copy)
        V = B.CreateAlignedLoad(
            T, Address(Copy->getSource()),
            commonAlignment(Copy->getSourceAlign().valueOrOne(), At));
      B.CreateAlignedStore(
          V, Address(Piece->getDest()),
          commonAlignment(Piece->getDestAlign().valueOrOne(), At));
    }
    Piece->eraseFromParent();
  }
}

bool findPrivateArrays(Candidate &C) {
  BasicBlock &Entry = C.Header->getParent()->getEntryBlock();
  SmallVector<AllocaInst *> Allocas;
  for (Instruction &I : Entry)
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Allocas.push_back(A);
  for (AllocaInst *A : Allocas) {
    sinkAddresses(*A, *C.L);
    splitPieces(*A, *C.L);
    Uses U(*A, *C.L);
    if (!U.Inside || U.OnlyRead)
      continue;
    if (U.Outside || !A->isStaticAlloca() ||
        A->getArraySize() != ConstantInt::get(A->getArraySize()->getType(), 1))
      return false;
    C.Arrays.push_back({A, U.areElements() ? U.Unit : 0});
  }
  return true;
}

} // namespace ferry::spmd
