//===- Profit.cpp - Whether groups of threads pay -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of a group is that of its instructions, weighted by loop depth, and
// is compared with that of as many threads one by one. The numbers are
// measurements on AVX2 and AVX-512 machines, rounded. What decides is mostly
// memory: a gather costs more than the loads that it stands for, so that rows
// of a sparse matrix, which do nothing but gather and are of different lengths,
// are faster one by one, while arithmetic pays even where half of the threads
// have left a loop.
//
// In a loop that all threads go through alike, an accumulation waits for its
// own last result most of the time. A group of several registers hides that,
// and shares what is loaded for all threads; it is limited by how many
// registers there are for what the loop keeps.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Profit.h"
#include "Lower/Cpu/Cpu.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace ferry::spmd {

/// Blocks of a thread loop whose body has one `if` at most.
static constexpr unsigned SimpleBlocks = 4;

bool isForOthers(const Candidate &C, const Shapes &S) {
  // A block's row of threads is short: LLVM's vectoriser would spend as much on
  // getting into its loop as in it.
  if (auto *From = dyn_cast<ConstantInt>(C.From); From && From->isZero())
    return false;
  if (!C.L->isInnermost() || !C.Arrays.empty() || !C.Carried.empty() ||
      C.L->getNumBlocks() > SimpleBlocks)
    return false;
  const DataLayout &DL = C.Header->getModule()->getDataLayout();
  for (BasicBlock *BB : C.L->blocks())
    for (Instruction &I : *BB) {
      if (I.getType()->isStructTy())
        return false;
      if (isIgnored(I) || !I.mayReadOrWriteMemory())
        continue;
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (!Pointer || I.isAtomic())
        return false;
      Shape Is = S.of(Pointer);
      if (!Is.isUniform() &&
          (Is.isVarying() || std::abs(Is.Stride) != int64_t(DL.getTypeStoreSize(
                                                        getLoadStoreType(&I)))))
        return false;
    }
  return true;
}

static unsigned registerBits(const TargetTransformInfo &TTI) {
  return TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
      .getFixedValue();
}

/// How much more often a block runs than the thread does, roughly.
static uint64_t frequency(const BasicBlock *BB, const Candidate *C,
                          const LoopInfo &LI) {
  unsigned Depth = LI.getLoopDepth(BB) - (C ? C->L->getLoopDepth() : 0);
  return uint64_t(1) << (4 * std::min(Depth, 8u));
}

unsigned threadsInRegister(const Order &O, const Shapes &S, const LoopInfo &LI,
                           const TargetTransformInfo &TTI) {
  const DataLayout &DL = O.Blocks.front()->getModule()->getDataLayout();
  std::map<unsigned, uint64_t> Work;
  for (BasicBlock *BB : O.Blocks)
    for (const Instruction &I : *BB) {
      Type *T = I.getType();
      if (auto *Store = dyn_cast<StoreInst>(&I))
        T = Store->getValueOperand()->getType();
      else if (!S.of(&I).isVarying())
        continue;
      if (T->isIntegerTy(1) || T->isPointerTy() || !T->isSingleValueType() ||
          isa<CastInst>(I))
        continue;
      Work[DL.getTypeSizeInBits(T)] += frequency(BB, nullptr, LI);
    }
  unsigned Bits = 32;
  uint64_t Most = 0;
  for (auto [Size, Amount] : Work)
    if (Amount >= Most) {
      Most = Amount;
      Bits = Size;
    }
  return registerBits(TTI) / std::clamp(Bits, 8u, 64u);
}

/// Vector registers that the innermost loop `L` wants for one register of
/// threads: what it keeps from one iteration to the next, what it is given, and
/// a few to work with.
static unsigned registersFor(const Loop &L, const Shapes &S) {
  static constexpr unsigned Temporaries = 2;
  SmallPtrSet<const Value *, 16> Kept;
  for (const PHINode &Phi : L.getHeader()->phis())
    if (S.of(&Phi).isVarying())
      Kept.insert(&Phi);
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      for (const Value *Op : I.operands())
        if (auto *From = dyn_cast<Instruction>(Op);
            From && !L.contains(From) && S.of(From).isVarying())
          Kept.insert(From);
  return Kept.size() + Temporaries;
}

/// Registers that a group should have at most. A loop that does little with
/// what it loads is as fast as it gets at memory, and that is faster the more
/// it reads in a row; one that does more has more values to keep meanwhile.
static unsigned mostRegisters(const Loop &L, const Shapes &S) {
  static constexpr unsigned Few = 4, Many = 8, Little = 4;
  unsigned Work = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      Work += !isa<PHINode>(I) && S.of(&I).isVarying();
  return Work <= Little ? Many : Few;
}

unsigned interleaving(const Candidate &C, const Order &O, const Shapes &S,
                      const LoopInfo &LI, const TargetTransformInfo &TTI) {
  unsigned Available =
      TTI.getNumberOfRegisters(TTI.getRegisterClassForType(/*Vector=*/true));
  unsigned Result = Available;
  bool HasLoop = false;
  for (const BasicBlock *BB : O.Blocks) {
    const Loop *L = LI.getLoopFor(BB);
    if (L == C.L || !L->isInnermost() || BB != L->getHeader())
      continue;
    HasLoop = true;
    if (S.isDivergent(L) || S.isMasked(BB))
      return 1;
    Result = std::min(
        {Result, Available / registersFor(*L, S), mostRegisters(*L, S)});
  }
  return HasLoop && Result > 1 ? bit_floor(Result) : 1;
}

namespace {
/// Costs of one thread, and of a group, in instructions of one register.
struct Costs {
  double Thread = 0, Group = 0;
};

class CostModel {
public:
  CostModel(const Shapes &S, const DataLayout &DL, unsigned RegisterBits,
            unsigned Width)
      : S(S), DL(DL), RegisterBits(RegisterBits), Width(Width) {}

  Costs of(const Instruction &I) const {
    if (isIgnored(I) || isa<PHINode>(I) || I.isTerminator())
      return {};
    if (isa<LoadInst, StoreInst>(I))
      return access(I);
    if (!I.getType()->isVoidTy() && !S.of(&I).isVarying())
      return {1, 1};
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      Intrinsic::ID ID = Call->getIntrinsicID();
      if (ID != Intrinsic::not_intrinsic && !Call->mayReadOrWriteMemory())
        return {2, 2 * registers(I.getType())};
      return oneByOne(FunctionCall);
    }
    if (isSharedUpdate(I))
      return oneByOne(SharedUpdate);
    if (I.isAtomic())
      return oneByOne(AtomicUpdate);
    switch (I.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      if (isa<Constant>(I.getOperand(1)))
        return {4, 6 * registers(I.getType())};
      return oneByOne(Division);
    case Instruction::FDiv:
      return {Division, Division * registers(I.getType())};
    case Instruction::GetElementPtr:
      return {0.5, registers(I.getType())};
    default:
      return {1, std::max(registers(I.getType()),
                          registers(I.getOperand(0)->getType()))};
    }
  }

private:
  static constexpr double FunctionCall = 20, AtomicUpdate = 10,
                          SharedUpdate = 3, Division = 10, Gathered = 2.5,
                          Strided = 1.5, LaneOverhead = 2;

  const Shapes &S;
  const DataLayout &DL;
  unsigned RegisterBits, Width;

  double registers(Type *T) const {
    if (T->isVoidTy() || T->isStructTy())
      return 2;
    unsigned Bits = DL.getTypeSizeInBits(T) * Width;
    return std::max<double>(1, double(Bits) / RegisterBits);
  }

  Costs oneByOne(double Thread) const {
    return {Thread, (Thread + LaneOverhead) * Width};
  }

  Costs access(const Instruction &I) const {
    Shape Is = S.of(getLoadStorePointerOperand(&I));
    if (Is.isUniform())
      return {1, 1};
    Type *T = getLoadStoreType(const_cast<Instruction *>(&I));
    if (I.isAtomic() || T->isStructTy())
      return oneByOne(1);
    bool IsVector = !Is.isVarying() &&
                    std::abs(Is.Stride) == int64_t(DL.getTypeStoreSize(T));
    if (IsVector)
      return {1, registers(T) + (S.isMasked(I.getParent()) ? 1 : 0)};
    bool Gathers = Is.isVarying() || S.isMasked(I.getParent());
    return {1, (Gathers ? Gathered : Strided) * Width};
  }
};
} // namespace

bool goAlongRows(const Candidate &C, const Order &O, const Shapes &S,
                 LoopInfo &LI, DominatorTree &DT) {
  if (C.L->isInnermost())
    return false;
  Function &F = *C.Header->getParent();
  AssumptionCache AC(F);
  TargetLibraryInfoImpl LibraryInfo(F.getParent()->getTargetTriple());
  TargetLibraryInfo TLI(LibraryInfo);
  ScalarEvolution SE(F, TLI, AC, DT, LI);
  const DataLayout &DL = F.getDataLayout();
  auto GoesAlong = [&](Instruction &I) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    const Loop *L = LI.getLoopFor(I.getParent());
    if (!Pointer || L == C.L || !L->isInnermost() || S.interleavedBase(Pointer))
      return false;
    Shape Is = S.of(Pointer);
    uint64_t Size = DL.getTypeStoreSize(getLoadStoreType(&I));
    if (Is.isUniform() ||
        (!Is.isVarying() && std::abs(Is.Stride) == int64_t(Size)))
      return false;
    auto *Along = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Pointer));
    auto *Step = Along && Along->getLoop() == L
                     ? dyn_cast<SCEVConstant>(Along->getStepRecurrence(SE))
                     : nullptr;
    return Step && Step->getAPInt().abs() == Size;
  };
  return any_of(O.Blocks,
                [&](BasicBlock *BB) { return any_of(*BB, GoesAlong); });
}

bool isProfitable(const Candidate &C, const Order &O, const Shapes &S,
                  const LoopInfo &LI, const TargetTransformInfo &TTI,
                  unsigned Width) {
  /// What a group does in a loop that threads leave one by one is for fewer and
  /// fewer of them.
  static constexpr double Idle = 1.5;
  CostModel Model(S, C.Header->getModule()->getDataLayout(), registerBits(TTI),
                  Width);
  Costs Sum;
  for (const BasicBlock *BB : O.Blocks) {
    double Weight = frequency(BB, &C, LI);
    bool Leaves = false;
    for (const Loop *L = LI.getLoopFor(BB); L != C.L; L = L->getParentLoop())
      Leaves |= S.isDivergent(L);
    for (const Instruction &I : *BB) {
      Costs One = Model.of(I);
      Sum.Thread += Weight * One.Thread;
      Sum.Group += Weight * One.Group * (Leaves ? Idle : 1);
    }
  }
  return Sum.Group < Sum.Thread * Width;
}

} // namespace ferry::spmd
