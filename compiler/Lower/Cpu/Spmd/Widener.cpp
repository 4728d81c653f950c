//===- Widener.cpp - Values and instructions of the widened loop ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is linear in the thread's number stays a scalar, the first
// thread's, and becomes a vector only where one is asked for; so loop counters,
// addresses and whatever else the threads share cost what they cost one thread.
// All other values are vectors with an element for each thread.
//
// Each thread computes exactly what the scalar code does: operations are taken
// over with their flags, none is reordered. Elements of threads that are not
// active are of no consequence, with one exception: a division must not trap
// for them, and divides by one instead.
//
// A value that is linear only by assumption exists as the first thread's and,
// where a vector is asked for, is computed once more from vectors. That is
// right whether the assumption holds or not.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Widener.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace ferry::spmd {

Widener::Widener(const Candidate &C, unsigned Width, const Order &O,
                 const Shapes &S, const Ways &W, const LoopInfo &LI,
                 const DominatorTree &DT, const PostDominatorTree &PDT,
                 GroupLoop &G)
    : C(C), Width(Width), O(O), S(S), W(W), LI(LI), DT(DT), PDT(PDT), G(G),
      Latch(G.Latch), F(*C.Header->getParent()), DL(F.getDataLayout()),
      B(F.getContext()) {
  Enter = BasicBlock::Create(F.getContext(), "group.version", &F, Latch);
}

void Widener::write() {
  Enter->moveBefore(Latch);
  createArrays();
  createHomes();
  createNodes();
  for (const BasicBlock *BB : O.Blocks)
    block(BB);
}

void Widener::finish() {
  skipEmptyBlocks();
  DominatorTree New(F);
  PromoteMemToReg(Homes, New);
}

//===----------------------------------------------------------------------===//
// Where values are
//===----------------------------------------------------------------------===//

Type *Widener::wide(Type *T) const {
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct)
    return FixedVectorType::get(T, Width);
  SmallVector<Type *> Members;
  for (Type *Member : Struct->elements())
    Members.push_back(wide(Member));
  return StructType::get(T->getContext(), Members);
}

AllocaInst *Widener::createHome(Type *T, const Twine &Name) {
  auto *Home = new AllocaInst(T, DL.getAllocaAddrSpace(), Name,
                              F.getEntryBlock().begin());
  Homes.push_back(Home);
  return Home;
}

bool Widener::outlivesBlock(const Instruction &I) const {
  return any_of(I.uses(), [&](const Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    // An assumed value is computed again wherever it is used.
    return S.of(User).isAssumed() || (Phi ? Phi->getIncomingBlock(U)
                                          : User->getParent()) != I.getParent();
  });
}

void Widener::createHomes() {
  for (const BasicBlock *BB : O.Blocks)
    for (const Instruction &I : *BB) {
      if (I.getType()->isVoidTy() || C.isControl(I) ||
          (BB == C.Header && isa<PHINode>(I)))
        continue;
      Type *T = S.of(&I).isVarying() ? wide(I.getType()) : I.getType();
      if (auto *Phi = dyn_cast<PHINode>(&I))
        Incoming[Phi] = createHome(T, I.getName() + ".in");
      if (outlivesBlock(I))
        HomeOf[&I] = createHome(T, I.getName());
    }
}

void Widener::createArrays() {
  for (const PrivateArray &A : C.Arrays) {
    Type *T = A.Alloca->getAllocatedType();
    Align Alignment = A.Alloca->getAlign();
    if (A.Unit)
      Alignment = std::max(
          Alignment, Align(bit_floor(std::min<uint64_t>(A.Unit * Width, 64))));
    ArrayOf[A.Alloca] = new AllocaInst(
        ArrayType::get(T, Width), DL.getAllocaAddrSpace(), nullptr, Alignment,
        A.Alloca->getName() + ".threads", F.getEntryBlock().begin());
  }
}

/// A scalar unless V varies.
Value *Widener::native(const Value *V) {
  if (V == C.Induction)
    return G.First;
  if (Value *Known = Local.lookup(V))
    return Known;
  if (PHINode *Phi = G.Carried.lookup(V))
    return Phi;
  if (AllocaInst *Array = ArrayOf.lookup(V))
    return Array;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !C.L->contains(I))
    return const_cast<Value *>(V);
  AllocaInst *Home = HomeOf.lookup(I);
  assert(Home && "a value that was not expected here");
  return B.CreateLoad(Home->getAllocatedType(), Home);
}

Value *Widener::vector(const Value *V) {
  Shape Is = S.of(V);
  if (Is.isVarying())
    return native(V);
  if (Is.isAssumed())
    return widen(*cast<Instruction>(V));
  return steps(native(V), Is.Stride);
}

/// First, First + Stride, First + 2 * Stride, …
Value *Widener::steps(Value *First, int64_t Stride) {
  if (auto *Struct = dyn_cast<StructType>(First->getType())) {
    Value *Result = PoisonValue::get(wide(Struct));
    for (unsigned I = 0; I != Struct->getNumElements(); ++I)
      Result = B.CreateInsertValue(
          Result, B.CreateVectorSplat(Width, B.CreateExtractValue(First, I)),
          I);
    return Result;
  }
  if (!Stride)
    return B.CreateVectorSplat(Width, First);
  bool IsPointer = First->getType()->isPointerTy();
  Type *Int = IsPointer ? B.getInt64Ty() : First->getType();
  SmallVector<Constant *> Steps;
  for (unsigned I = 0; I != Width; ++I)
    Steps.push_back(
        ConstantInt::get(Int, APInt(64, uint64_t(Stride) * I)
                                  .sextOrTrunc(Int->getIntegerBitWidth())));
  if (IsPointer)
    return B.CreateGEP(B.getInt8Ty(), First, ConstantVector::get(Steps));
  return B.CreateAdd(B.CreateVectorSplat(Width, First),
                     ConstantVector::get(Steps));
}

Value *Widener::any(Value *M) {
  return B.CreateICmpNE(B.CreateBitCast(M, B.getIntNTy(Width)),
                        ConstantInt::get(B.getIntNTy(Width), 0));
}

/// Null stands for all threads.
Value *Widener::both(Value *M, Value *N) {
  return M && N ? B.CreateAnd(M, N) : M ? M : N;
}

Value *Widener::blend(Value *M, Value *New, Value *Old) {
  auto *Struct = dyn_cast<StructType>(New->getType());
  if (!Struct)
    return B.CreateSelect(M, New, Old);
  Value *Result = PoisonValue::get(Struct);
  for (unsigned I = 0; I != Struct->getNumElements(); ++I)
    Result = B.CreateInsertValue(Result,
                                 B.CreateSelect(M, B.CreateExtractValue(New, I),
                                                B.CreateExtractValue(Old, I)),
                                 I);
  return Result;
}

void Widener::define(const Instruction &I, Value *V) {
  Local[&I] = V;
  if (AllocaInst *Home = HomeOf.lookup(&I))
    B.CreateStore(V, Home);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Widener::instruction(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return store(*Store);
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    if (reduceAtomic(*Atomic))
      return;
  Value *Result;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Result = load(*Load);
  else if (isa<FenceInst>(I))
    Result = B.Insert(I.clone());
  else if (!S.of(&I).isVarying() && !I.getType()->isVoidTy())
    Result = scalarClone(I);
  else
    Result = widen(I);
  if (!I.getType()->isVoidTy())
    define(I, Result);
}

/// The first thread's value, also when the first thread is not active.
Value *Widener::scalarClone(const Instruction &I) {
  Shape Is = S.of(&I);
  if (auto *Gep = dyn_cast<GetElementPtrInst>(&I))
    if (S.interleavedBase(Gep))
      return interleavedAddress(*Gep, /*Wide=*/false);
  if (I.getOpcode() == Instruction::Or && !Is.isUniform())
    return B.CreateAdd(native(I.getOperand(0)), native(I.getOperand(1)));
  Instruction *Clone = I.clone();
  for (Use &U : Clone->operands())
    if (!isa<BasicBlock>(U))
      U = native(U);
  // Flags speak of threads that are active.
  if (!all_of(I.operands(), [&](const Use &U) { return S.of(U).isUniform(); }))
    Clone->dropPoisonGeneratingFlags();
  return B.Insert(Clone, I.getName());
}

Value *Widener::widen(const Instruction &I) {
  auto Operand = [&](unsigned N) { return vector(I.getOperand(N)); };
  Value *Result;
  if (I.isBinaryOp()) {
    Value *Right = I.isIntDivRem() ? divisor(I.getOperand(1)) : Operand(1);
    Result = B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), Operand(0),
                           Right, I.getName());
  } else if (I.isUnaryOp()) {
    Result = B.CreateUnOp(Instruction::UnaryOps(I.getOpcode()), Operand(0));
  } else if (auto *Cast = dyn_cast<CastInst>(&I)) {
    Result = B.CreateCast(Cast->getOpcode(), Operand(0), wide(I.getType()),
                          I.getName());
  } else if (auto *Compare = dyn_cast<CmpInst>(&I)) {
    Result = B.CreateCmp(Compare->getPredicate(), Operand(0), Operand(1),
                         I.getName());
  } else if (isa<SelectInst>(I)) {
    if (S.of(I.getOperand(0)).isUniform())
      Result = B.CreateSelect(native(I.getOperand(0)), Operand(1), Operand(2));
    else
      Result = blend(Operand(0), Operand(1), Operand(2));
  } else if (isa<FreezeInst>(I)) {
    Result = B.CreateFreeze(Operand(0));
  } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
    return widenAddress(*Gep);
  } else if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    Result = B.CreateExtractValue(Operand(0), Extract->getIndices());
  } else if (auto *Insert = dyn_cast<InsertValueInst>(&I)) {
    Result = B.CreateInsertValue(Operand(0), Operand(1), Insert->getIndices());
  } else if (auto *Call = dyn_cast<CallInst>(&I)) {
    return widenCall(*Call);
  } else {
    return perLane(I);
  }
  if (auto *New = dyn_cast<Instruction>(Result);
      New && New->getOpcode() == I.getOpcode())
    New->copyIRFlags(&I);
  return Result;
}

/// Divides by one for threads that are not active.
Value *Widener::divisor(const Value *V) {
  Value *Wide = vector(V);
  auto *Constant = dyn_cast<ConstantInt>(V);
  if (!Mask || (Constant && !Constant->isZero() && !Constant->isMinusOne()))
    return Wide;
  return B.CreateSelect(Mask, Wide, ConstantInt::get(Wide->getType(), 1));
}

Value *Widener::widenAddress(const GetElementPtrInst &I) {
  if (S.interleavedBase(&I))
    return interleavedAddress(I, /*Wide=*/true);
  auto Operand = [&](const Value *V) {
    return S.of(V).isUniform() ? native(V) : vector(V);
  };
  SmallVector<Value *> Indices;
  for (const Use &Index : I.indices())
    Indices.push_back(Operand(Index));
  Value *Base = Operand(I.getPointerOperand());
  if (!Base->getType()->isVectorTy() &&
      none_of(Indices, [](Value *V) { return V->getType()->isVectorTy(); }))
    Base = B.CreateVectorSplat(Width, Base);
  return B.CreateGEP(I.getSourceElementType(), Base, Indices, I.getName(),
                     I.getNoWrapFlags());
}

/// Between two elements of one thread's array lie those of the other threads.
Value *Widener::interleavedAddress(const GetElementPtrInst &I, bool Wide) {
  SmallMapVector<Value *, APInt, 4> Scales;
  APInt Offset(64, 0);
  I.collectOffset(DL, 64, Scales, Offset);
  auto Operand = [&](const Value *V) {
    return Wide && !S.of(V).isUniform() ? vector(V) : native(V);
  };
  Value *Result = Operand(I.getPointerOperand());
  auto Advance = [&](Value *By) {
    Result = B.CreateGEP(B.getInt8Ty(), Result, By);
  };
  if (!Offset.isZero())
    Advance(B.getInt64(Offset.getZExtValue() * Width));
  for (auto &[Index, Scale] : Scales) {
    Value *By = Operand(Index);
    Type *T = B.getInt64Ty();
    By = B.CreateSExtOrTrunc(By, By->getType()->isVectorTy() ? wide(T) : T);
    Advance(B.CreateMul(
        By, ConstantInt::get(By->getType(), Scale.getZExtValue() * Width)));
  }
  return Result;
}

/// with.overflow, whose vector form gives a struct of vectors.
static bool isOverflowTest(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    return true;
  default:
    return false;
  }
}

Value *Widener::widenCall(const CallInst &I) {
  Intrinsic::ID ID = I.getIntrinsicID();
  if (isOverflowTest(ID))
    return B.CreateIntrinsic(
        ID, {wide(I.getOperand(0)->getType())},
        {vector(I.getOperand(0)), vector(I.getOperand(1))});
  if (ID == Intrinsic::not_intrinsic || !isTriviallyVectorizable(ID) ||
      I.getType()->isStructTy())
    return perLane(I);
  SmallVector<Value *> Args;
  SmallVector<Type *> Types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(ID, -1, nullptr))
    Types.push_back(wide(I.getType()));
  for (auto [N, Arg] : enumerate(I.args())) {
    bool Scalar = isVectorIntrinsicWithScalarOpAtArg(ID, N, nullptr);
    if (Scalar && !S.of(Arg).isUniform())
      return perLane(I);
    Args.push_back(Scalar ? native(Arg) : vector(Arg));
    if (isVectorIntrinsicWithOverloadTypeAtArg(ID, N, nullptr))
      Types.push_back(Args.back()->getType());
  }
  CallInst *Call = B.CreateIntrinsic(ID, Types, Args);
  if (isa<FPMathOperator>(Call))
    Call->copyFastMathFlags(I.getFastMathFlags());
  return Call;
}

} // namespace ferry::spmd
