//===- Memory.cpp - Memory and calls of the widened loop ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an access becomes follows from the shape of its address:
//
//   uniform             one scalar access
//   one element apart   a vector load or store, masked where the block is, and
//                       reversed for a stride downwards
//   further apart       each thread's element by itself, if all threads are
//                       there: addresses are a constant apart, and a gather or
//                       scatter does no less work inside
//   otherwise           a gather or scatter
//
// If the address is linear by assumption, the assumption is tested here: no
// thread of the group, active or not, wraps around where an index is extended.
// That is one comparison of scalars; the way that is taken when it fails is a
// gather or scatter with exact addresses.
//
// All that has no vector form (atomics, calls, accesses of odd types) is done
// thread by thread, lowest first: in one line where all threads are active,
// else in a loop over the mask's bits. Updates of shared memory are so cheap
// that they come in both forms where only some threads may be active.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "Lower/Cpu/Spmd/Widener.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry::spmd {

/// Types of which a vector in memory is an array.
bool Widener::isElement(Type *T) const {
  return (T->isIntegerTy() || T->isFloatingPointTy() || T->isPointerTy()) &&
         DL.getTypeSizeInBits(T) == 8 * DL.getTypeAllocSize(T) &&
         isPowerOf2_64(DL.getTypeAllocSize(T));
}

/// What is known of an access whatever thread makes it.
static void copyAccessMetadata(Instruction &New, const Instruction &Old) {
  for (unsigned Kind : {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                        LLVMContext::MD_noalias, LLVMContext::MD_nontemporal})
    if (MDNode *Node = Old.getMetadata(Kind))
      New.setMetadata(Kind, Node);
}

Align Widener::alignment(const Instruction &I) const {
  Align Own = getLoadStoreAlignment(const_cast<Instruction *>(&I));
  const Value *Pointer = getLoadStorePointerOperand(&I);
  const PrivateArray *A = S.interleavedBase(Pointer);
  if (!A || !S.of(Pointer).isLinear() ||
      S.of(Pointer).Stride != int64_t(A->Unit))
    return Own;
  return std::max(Own, commonAlignment(ArrayOf.lookup(A->Alloca)->getAlign(),
                                       A->Unit * Width));
}

Value *Widener::reversed(Value *V) { return B.CreateVectorReverse(V); }

Value *Widener::contiguousLoad(const LoadInst &I, int64_t Stride) {
  Value *Pointer = native(I.getPointerOperand());
  Value *Who = Mask;
  if (Stride < 0) {
    Pointer = B.CreateGEP(B.getInt8Ty(), Pointer,
                          B.getInt64(Stride * int64_t(Width - 1)));
    if (Who)
      Who = reversed(Who);
  }
  Type *T = wide(I.getType());
  Instruction *Load =
      Who ? cast<Instruction>(B.CreateMaskedLoad(T, Pointer, alignment(I), Who))
          : B.CreateAlignedLoad(T, Pointer, alignment(I));
  copyAccessMetadata(*Load, I);
  return Stride < 0 ? reversed(Load) : Load;
}

void Widener::contiguousStore(const StoreInst &I, int64_t Stride) {
  Value *Pointer = native(I.getPointerOperand());
  Value *V = vector(I.getValueOperand());
  Value *Who = Mask;
  if (Stride < 0) {
    Pointer = B.CreateGEP(B.getInt8Ty(), Pointer,
                          B.getInt64(Stride * int64_t(Width - 1)));
    V = reversed(V);
    if (Who)
      Who = reversed(Who);
  }
  Instruction *Store = Who ? cast<Instruction>(B.CreateMaskedStore(
                                 V, Pointer, alignment(I), Who))
                           : B.CreateAlignedStore(V, Pointer, alignment(I));
  copyAccessMetadata(*Store, I);
}

/// Whether no index of the group wraps around where it is extended.
Value *Widener::holds(const Shapes::Extensions &Assumed) {
  Value *Result = nullptr;
  for (const CastInst *I : Assumed) {
    const Value *Source = I->getOperand(0);
    Bounded Of{I, Source, nullptr, S.of(Source).Stride, Width};
    Result = both(Result, liesWithinBounds(B, Of, native(Source), nullptr));
  }
  return Result;
}

/// Whether all threads access elements that lie a constant apart, not side by
/// side.
bool Widener::isStrided(Shape Is, int64_t Size) const {
  return !Mask && Is.isLinear() && std::abs(Is.Stride) != Size;
}

Value *Widener::load(const LoadInst &I) {
  const Value *Pointer = I.getPointerOperand();
  Shape Is = S.of(Pointer);
  if (S.of(&I).isUniform())
    return scalarClone(I);
  if (!I.isSimple() || !isElement(I.getType()))
    return perLane(I);
  int64_t Size = DL.getTypeAllocSize(I.getType());
  auto Gather = [&] {
    CallInst *Load = B.CreateMaskedGather(
        wide(I.getType()), vector(Pointer), I.getAlign(),
        Mask ? Mask
             : Constant::getAllOnesValue(
                   FixedVectorType::get(B.getInt1Ty(), Width)));
    copyAccessMetadata(*Load, I);
    return Load;
  };
  if (isStrided(Is, Size))
    return perLane(I);
  if (Is.K != Shape::Linear || std::abs(Is.Stride) != Size)
    return Gather();
  Shapes::Extensions Assumed;
  S.collectAssumptions(Pointer, Current, Assumed);
  if (Assumed.empty())
    return contiguousLoad(I, Is.Stride);

  BasicBlock *Near = BasicBlock::Create(F.getContext(), "near", &F, Latch);
  BasicBlock *Far = BasicBlock::Create(F.getContext(), "far", &F, Latch);
  BasicBlock *Next = BasicBlock::Create(F.getContext(), "loaded", &F, Latch);
  B.CreateCondBr(holds(Assumed), Near, Far);
  B.SetInsertPoint(Near);
  Value *Fast = contiguousLoad(I, Is.Stride);
  B.CreateBr(Next);
  B.SetInsertPoint(Far);
  Value *Slow = Gather();
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
  PHINode *Result = B.CreatePHI(Fast->getType(), 2);
  Result->addIncoming(Fast, Near);
  Result->addIncoming(Slow, Far);
  return Result;
}

/// The value of the last active thread: its store would be the last one.
Value *Widener::lastLane(Value *V) {
  if (!Mask)
    return B.CreateExtractElement(V, Width - 1);
  Type *Bits = B.getIntNTy(Width);
  Value *Zeros = B.CreateBinaryIntrinsic(
      Intrinsic::ctlz, B.CreateBitCast(Mask, Bits), B.getTrue());
  return B.CreateExtractElement(
      V,
      B.CreateZExtOrTrunc(B.CreateSub(ConstantInt::get(Bits, Width - 1), Zeros),
                          B.getInt64Ty()));
}

void Widener::store(const StoreInst &I) {
  const Value *Pointer = I.getPointerOperand();
  const Value *V = I.getValueOperand();
  Shape Is = S.of(Pointer);
  if (!I.isSimple() || !isElement(V->getType())) {
    perLane(I);
    return;
  }
  if (Is.isUniform()) {
    auto *Store = B.CreateAlignedStore(
        S.of(V).isUniform() ? native(V) : lastLane(vector(V)), native(Pointer),
        I.getAlign());
    copyAccessMetadata(*Store, I);
    return;
  }
  int64_t Size = DL.getTypeAllocSize(V->getType());
  auto Scatter = [&] {
    CallInst *Store = B.CreateMaskedScatter(
        vector(V), vector(Pointer), I.getAlign(),
        Mask ? Mask
             : Constant::getAllOnesValue(
                   FixedVectorType::get(B.getInt1Ty(), Width)));
    copyAccessMetadata(*Store, I);
  };
  if (isStrided(Is, Size)) {
    perLane(I);
    return;
  }
  if (Is.K != Shape::Linear || std::abs(Is.Stride) != Size)
    return Scatter();
  Shapes::Extensions Assumed;
  S.collectAssumptions(Pointer, Current, Assumed);
  if (Assumed.empty())
    return contiguousStore(I, Is.Stride);

  BasicBlock *Near = BasicBlock::Create(F.getContext(), "near", &F, Latch);
  BasicBlock *Far = BasicBlock::Create(F.getContext(), "far", &F, Latch);
  BasicBlock *Next = BasicBlock::Create(F.getContext(), "stored", &F, Latch);
  B.CreateCondBr(holds(Assumed), Near, Far);
  B.SetInsertPoint(Near);
  contiguousStore(I, Is.Stride);
  B.CreateBr(Next);
  B.SetInsertPoint(Far);
  Scatter();
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
}

//===----------------------------------------------------------------------===//
// Thread by thread
//===----------------------------------------------------------------------===//

/// Integer atomics on one address whose old value nobody wants are one atomic
/// for the group, as if the threads had come directly after each other.
bool Widener::reduceAtomic(const AtomicRMWInst &I) {
  Type *T = I.getType();
  if (!I.use_empty() || I.isVolatile() || !T->isIntegerTy() ||
      !S.of(I.getPointerOperand()).isUniform())
    return false;
  unsigned Bits = T->getIntegerBitWidth();
  APInt Neutral(Bits, 0);
  Intrinsic::ID ID;
  switch (I.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    ID = Intrinsic::vector_reduce_add;
    break;
  case AtomicRMWInst::Or:
    ID = Intrinsic::vector_reduce_or;
    break;
  case AtomicRMWInst::Xor:
    ID = Intrinsic::vector_reduce_xor;
    break;
  case AtomicRMWInst::And:
    ID = Intrinsic::vector_reduce_and;
    Neutral = APInt::getAllOnes(Bits);
    break;
  case AtomicRMWInst::Max:
    ID = Intrinsic::vector_reduce_smax;
    Neutral = APInt::getSignedMinValue(Bits);
    break;
  case AtomicRMWInst::Min:
    ID = Intrinsic::vector_reduce_smin;
    Neutral = APInt::getSignedMaxValue(Bits);
    break;
  case AtomicRMWInst::UMax:
    ID = Intrinsic::vector_reduce_umax;
    break;
  case AtomicRMWInst::UMin:
    ID = Intrinsic::vector_reduce_umin;
    Neutral = APInt::getAllOnes(Bits);
    break;
  default:
    return false;
  }
  Value *V = vector(I.getValOperand());
  if (Mask)
    V = B.CreateSelect(Mask, V, ConstantInt::get(V->getType(), Neutral));
  Instruction *Atomic = I.clone();
  Atomic->setOperand(0, native(I.getPointerOperand()));
  Atomic->setOperand(1, B.CreateUnaryIntrinsic(ID, V));
  B.Insert(Atomic);
  return true;
}

/// One thread's part of what native() gives.
Value *Widener::laneOf(Value *Native, Shape Is, Lane L) {
  if (Is.isUniform())
    return Native;
  if (!Is.isLinear()) {
    if (auto *Struct = dyn_cast<StructType>(Native->getType())) {
      SmallVector<Value *> Members;
      SmallVector<Type *> Types;
      for (unsigned I = 0; I != Struct->getNumElements(); ++I) {
        Members.push_back(
            B.CreateExtractElement(B.CreateExtractValue(Native, I), L));
        Types.push_back(Members.back()->getType());
      }
      Value *Result = PoisonValue::get(StructType::get(F.getContext(), Types));
      for (auto [I, Member] : enumerate(Members))
        Result = B.CreateInsertValue(Result, Member, I);
      return Result;
    }
    return B.CreateExtractElement(Native, L);
  }
  Value *By = B.CreateMul(L, B.getInt64(Is.Stride));
  if (Native->getType()->isPointerTy())
    return B.CreateGEP(B.getInt8Ty(), Native, By);
  return B.CreateAdd(Native, B.CreateZExtOrTrunc(By, Native->getType()));
}

/// Puts one thread's result where it belongs.
static Value *insertLane(IRBuilder<> &B, Value *All, Value *One, Value *Lane) {
  auto *Struct = dyn_cast<StructType>(One->getType());
  if (!Struct)
    return B.CreateInsertElement(All, One, Lane);
  for (unsigned I = 0; I != Struct->getNumElements(); ++I)
    All = B.CreateInsertValue(
        All,
        B.CreateInsertElement(B.CreateExtractValue(All, I),
                              B.CreateExtractValue(One, I), Lane),
        I);
  return All;
}

/// The operands as all threads have them: scalars, or a vector.
SmallVector<Value *> Widener::commonOperands(const Instruction &I) {
  SmallVector<Value *> Result;
  for (const Value *Op : I.operands()) {
    bool Scalar = S.of(Op).isLinear() || isa<MetadataAsValue>(Op);
    Result.push_back(Scalar ? native(Op) : vector(Op));
  }
  return Result;
}

/// Instructions between which and `User` nothing of their block writes memory.
static bool isUntouchedUntil(const Instruction &User, const LoadInst &Load) {
  return none_of(make_range(std::next(Load.getIterator()), User.getIterator()),
                 [](const Instruction &I) { return I.mayWriteToMemory(); });
}

/// Whether a thread's own scalar is as cheap as an element of a vector, for a
/// value that only `User` makes use of.
bool Widener::isCheapAlone(const Instruction &I, const Instruction &User) {
  if (I.getParent() != Current || !I.hasOneUse())
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && isElement(I.getType()) &&
           S.of(Load->getPointerOperand()).isLinear() &&
           isUntouchedUntil(User, *Load);
  if (isa<GetElementPtrInst>(I))
    return !S.interleavedBase(&I);
  return isa<CastInst>(I) ||
         (I.isBinaryOp() && !I.isIntDivRem() && I.getType()->isIntegerTy());
}

/// What `V` is to one thread, for `User`. Addresses are computed as the thread
/// would by itself, lest there be vectors of them only to be taken apart.
Value *Widener::alone(const Value *V, Lane L, const Instruction &User) {
  Shape Is = S.of(V);
  if (Is.isLinear() || isa<MetadataAsValue>(V))
    return laneOf(native(V), Is, L);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isCheapAlone(*I, User))
    return laneOf(vector(V), Shape::varying(), L);
  SmallVector<Value *> Operands; // before there is one more user of them
  for (const Value *Op : I->operands())
    Operands.push_back(alone(Op, L, User));
  return insertClone(*I, Operands);
}

Instruction *Widener::insertClone(const Instruction &I,
                                  ArrayRef<Value *> Operands) {
  Instruction *Clone = I.clone();
  for (auto [N, Op] : enumerate(Operands))
    Clone->setOperand(N, Op);
  if (isSharedUpdate(I))
    markSharedUpdate(*Clone);
  return B.Insert(Clone);
}

/// Thread by thread, of all of them.
Value *Widener::perThread(const Instruction &I) {
  bool HasResult = !I.getType()->isVoidTy();
  Value *Result = HasResult ? PoisonValue::get(wide(I.getType())) : nullptr;
  SmallVector<Value *> Common = commonOperands(I);
  for (unsigned Number = 0; Number != Width; ++Number) {
    Lane L = B.getInt64(Number);
    SmallVector<Value *> Operands;
    for (auto [Of, Op] : zip(Common, I.operands()))
      Operands.push_back(Op->getType()->isPointerTy()
                             ? alone(Op, L, I)
                             : laneOf(Of, S.of(Op), L));
    Instruction *One = insertClone(I, Operands);
    if (HasResult)
      Result = insertLane(B, Result, One, L);
  }
  return Result;
}

Value *Widener::perLane(const Instruction &I) {
  if (!Mask)
    return perThread(I);
  if (!isSharedUpdate(I))
    return perActive(I);

  // The most frequent case by far, in which threads need not be looked for.
  BasicBlock *All = BasicBlock::Create(F.getContext(), "all", &F, Latch);
  BasicBlock *Some = BasicBlock::Create(F.getContext(), "some", &F, Latch);
  BasicBlock *Next = BasicBlock::Create(F.getContext(), "in.turn", &F, Latch);
  Type *Bits = B.getIntNTy(Width);
  B.CreateCondBr(B.CreateICmpEQ(B.CreateBitCast(Mask, Bits),
                                Constant::getAllOnesValue(Bits)),
                 All, Some);
  B.SetInsertPoint(Some);
  Value *OfSome = perActive(I);
  Some = B.GetInsertBlock();
  B.CreateBr(Next);
  B.SetInsertPoint(All);
  Value *OfAll = perThread(I);
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
  if (!OfAll)
    return nullptr;
  PHINode *Result = B.CreatePHI(OfAll->getType(), 2);
  Result->addIncoming(OfAll, All);
  Result->addIncoming(OfSome, Some);
  return Result;
}

/// Thread by thread, of those that are active.
Value *Widener::perActive(const Instruction &I) {
  SmallVector<Value *> Common = commonOperands(I);
  bool HasResult = !I.getType()->isVoidTy();
  Value *Result = HasResult ? PoisonValue::get(wide(I.getType())) : nullptr;

  // for (Bits = Mask; Bits != 0; Bits &= Bits - 1)
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(F.getContext(), "lane", &F, Latch);
  BasicBlock *Next =
      BasicBlock::Create(F.getContext(), "lanes.done", &F, Latch);
  Value *All =
      B.CreateZExt(B.CreateBitCast(Mask, B.getIntNTy(Width)), B.getInt64Ty());
  Value *Zero = B.getInt64(0);
  B.CreateCondBr(B.CreateICmpNE(All, Zero), Loop, Next);
  B.SetInsertPoint(Loop);
  PHINode *Bits = B.CreatePHI(B.getInt64Ty(), 2);
  PHINode *SoFar = HasResult ? B.CreatePHI(Result->getType(), 2) : nullptr;
  Value *L = B.CreateBinaryIntrinsic(Intrinsic::cttz, Bits, B.getTrue());
  SmallVector<Value *> Operands;
  for (auto [Of, Op] : zip(Common, I.operands()))
    Operands.push_back(laneOf(Of, S.of(Op), L));
  Instruction *One = insertClone(I, Operands);
  Value *Rest = B.CreateAnd(Bits, B.CreateSub(Bits, B.getInt64(1)));
  Bits->addIncoming(All, Before);
  Bits->addIncoming(Rest, Loop);
  Value *With = nullptr;
  if (HasResult) {
    With = insertLane(B, SoFar, One, L);
    SoFar->addIncoming(Result, Before);
    SoFar->addIncoming(With, Loop);
  }
  B.CreateCondBr(B.CreateICmpNE(Rest, Zero), Loop, Next);
  B.SetInsertPoint(Next);
  if (!HasResult)
    return nullptr;
  PHINode *Out = B.CreatePHI(Result->getType(), 2);
  Out->addIncoming(Result, Before);
  Out->addIncoming(With, Loop);
  return Out;
}

} // namespace ferry::spmd
