//===- Recompute.cpp - What can be computed again -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the reverse sweep needs of the forward sweep is kept in memory or
// computed again from other values. Which values to keep is a minimum cut
// (Moses and Churavy, "Instead of rewriting foreign code for machine learning,
// automatically synthesize fast gradients", NeurIPS 2020), here with prices:
//
//   source --(what it costs to compute v again)--> v in
//   v in   --(what it costs to keep v)-----------> v out
//   v out  --(infinite)--> the sink, if v is needed
//                          w in, if w is computed from v
//
// A value that can only be kept has an infinite first edge. Prices are about
// nanoseconds, times how often the value's block runs.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Recompute.h"
#include "Autodiff/Callees.h"
#include "Autodiff/MinCut.h"
#include "Autodiff/Refusal.h"
#include "Autodiff/Rules.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"
#include <cstdlib>

using namespace llvm;

namespace ferry::ad {

static cl::opt<bool> RecomputeOption(
    "ferry-ad-recompute",
    cl::desc("compute values again in the reverse sweep, where that is cheaper "
             "than to keep them"),
    cl::init([] {
      const char *Set = std::getenv("FERRY_AD_RECOMPUTE");
      return !Set || StringRef(Set) != "0";
    }()));

bool mayRecompute() { return RecomputeOption; }

static cl::opt<std::string>
    PrintOption("ferry-ad-print",
                cl::desc("what to print of reverse mode's decisions: kept"));

static bool printsKept() {
  const char *Set = std::getenv("FERRY_AD_PRINT");
  return PrintOption == "kept" || (Set && StringRef(Set) == "kept");
}

void Recomputation::print(const Instruction &Kept) {
  auto &I = const_cast<Instruction &>(Kept);
  errs() << "ferry: reverse mode of '" << I.getFunction()->getName()
         << "' keeps " << describe(I) << ", a value of depth ";
  unsigned Depth = 0;
  for (Loop *L = R.loopOf(*I.getParent()); L; L = R.outer(*L))
    ++Depth;
  errs() << Depth << ": ";
  if (operands(I))
    errs() << "cheaper than to compute it again";
  else if (isa<LoadInst>(I))
    errs() << "what it reads may be overwritten";
  else
    errs() << "it cannot be computed again";
  errs() << " (" << I << ")\n";
}

//===----------------------------------------------------------------------===//
// Phis
//===----------------------------------------------------------------------===//

std::optional<Recomputation::Choice> Recomputation::choice(PHINode &Phi) {
  DominatorTree &DT = R.dominators();
  BasicBlock *Here = Phi.getParent();
  DomTreeNode *Node = DT.getNode(Here);
  if (Phi.getNumIncomingValues() != 2 || !Node || !Node->getIDom() ||
      R.headedBy(*Here))
    return std::nullopt;
  BasicBlock *Decides = Node->getIDom()->getBlock();
  auto *Branch = dyn_cast<BranchInst>(Decides->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      R.loopOf(*Decides) != R.loopOf(*Here))
    return std::nullopt;
  Value *Sides[2] = {nullptr, nullptr};
  for (auto [From, V] : zip(Phi.blocks(), Phi.incoming_values())) {
    // Both values must have been there before the decision, and not be what
    // this phi brings out of a loop.
    if (auto *I = dyn_cast<Instruction>(V.get())) {
      Loop *L = R.loopOf(*I->getParent());
      if (!DT.dominates(I, Decides->getTerminator()) ||
          (L && !L->contains(Here)))
        return std::nullopt;
    }
    for (unsigned Side : {0U, 1U}) {
      BasicBlock *To = Branch->getSuccessor(Side);
      if (From == Decides ? To == Here
                          : DT.dominates(BasicBlockEdge(Decides, To), From))
        Sides[Side] = V.get();
    }
  }
  if (!Sides[0] || !Sides[1])
    return std::nullopt;
  return Choice{Branch->getCondition(), Sides[0], Sides[1]};
}

std::optional<Recomputation::Induction> Recomputation::induction(PHINode &Phi) {
  Loop *L = R.headedBy(*Phi.getParent());
  InductionDescriptor D;
  if (!L || !Phi.getType()->isIntOrPtrTy() ||
      !InductionDescriptor::isInductionPHI(&Phi, L, &R.evolution(), D))
    return std::nullopt;
  Value *Step = nullptr;
  if (auto *C = dyn_cast<SCEVConstant>(D.getStep()))
    Step = C->getValue();
  else if (auto *Unknown = dyn_cast<SCEVUnknown>(D.getStep()))
    Step = Unknown->getValue();
  if (!Step || !Step->getType()->isIntegerTy())
    return std::nullopt;
  return Induction{D.getStartValue(), Step, R.counter(*L)};
}

//===----------------------------------------------------------------------===//
// Single instructions
//===----------------------------------------------------------------------===//

static bool isPure(const CallBase &Call) {
  if (Call.isConvergent() || Call.hasOperandBundles() || isa<InvokeInst>(Call))
    return false;
  if (classify(Call) == Callee::Rule)
    return true;
  return isa<IntrinsicInst>(Call) && Call.doesNotAccessMemory() &&
         Call.doesNotThrow() && Call.willReturn() &&
         !Call.getType()->isTokenTy();
}

std::optional<SmallVector<Value *, 4>> Recomputation::operands(Instruction &I) {
  using Values = SmallVector<Value *, 4>;
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (auto C = choice(*Phi))
      return Values{C->If, C->Then, C->Else};
    if (auto C = induction(*Phi))
      return Values{C->Start, C->Step, C->Counter};
    return std::nullopt;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (Memory.isOverwritten(*Load))
      return std::nullopt;
    return Values{Load->getPointerOperand()};
  }
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (!isPure(*Call))
      return std::nullopt;
    return Values(Call->args());
  }
  // A frozen value is chosen anew each time.
  if (isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
          GetElementPtrInst, ExtractElementInst, InsertElementInst,
          ShuffleVectorInst, ExtractValueInst, InsertValueInst>(I))
    return Values(I.operand_values());
  return std::nullopt;
}

Value *Recomputation::emit(Instruction &I, IRBuilderBase &B,
                           function_ref<Value *(Value *)> Read) {
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (auto C = choice(*Phi)) {
      Value *If = Read(C->If), *Then = Read(C->Then);
      return B.CreateSelect(If, Then, Read(C->Else));
    }
    Induction C = *induction(*Phi);
    Value *Start = Read(C.Start), *Step = Read(C.Step);
    Type *T = Step->getType();
    Value *By = B.CreateMul(B.CreateZExtOrTrunc(Read(C.Counter), T), Step);
    return Phi->getType()->isPointerTy() ? B.CreatePtrAdd(Start, By)
                                         : B.CreateAdd(Start, By);
  }
  SmallVector<Value *, 4> Operands = *operands(I);
  for (Value *&V : Operands)
    V = Read(V);
  Instruction *Copy = I.clone();
  for (auto [N, V] : enumerate(Operands))
    Copy->setOperand(static_cast<unsigned>(N), V);
  Copy->dropUnknownNonDebugMetadata(
      {LLVMContext::MD_tbaa, LLVMContext::MD_range, LLVMContext::MD_nonnull});
  return B.Insert(Copy);
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

uint64_t Recomputation::cost(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Load:
    return 2;
  case Instruction::FDiv:
    return 6;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return 8;
  case Instruction::FRem:
    return 40;
  case Instruction::Call:
    break;
  default:
    return 1;
  }
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  if (!Intrinsic)
    return 40;
  switch (Intrinsic->getIntrinsicID()) {
  case Intrinsic::sqrt:
    return 8;
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
    return 2;
  default:
    return I.getType()->isIntOrIntVectorTy() ? 2 : 40;
  }
}

uint64_t Recomputation::costToKeep(const Instruction &I) {
  const DataLayout &DL = I.getDataLayout();
  uint64_t Cost =
      4 + DL.getTypeStoreSize(I.getType()).getKnownMinValue() * 3 / 4;
  const BasicBlock &BB = *I.getParent();
  Loop *L = R.loopOf(BB);
  if (!L && !R.isIrregular(BB))
    return 2; // a variable
  // Room for a round of a loop of unknown length has to be asked for.
  return L && !R.isIrregular(BB) && R.lastRound(*L) ? Cost : 2 * Cost;
}

DenseSet<Instruction *>
Recomputation::chooseKept(ArrayRef<Instruction *> Needed,
                          function_ref<bool(const Value *)> IsThere) {
  if (!mayRecompute())
    return {Needed.begin(), Needed.end()};
  MinCut Graph;
  SetVector<Instruction *> Values(Needed.begin(), Needed.end());
  DenseMap<Instruction *, unsigned> Ins; // the out is the one behind it
  auto NodeOf = [&](Instruction *I) {
    unsigned &In = Ins[I];
    if (!In) {
      In = Graph.addNode();
      Graph.addNode();
    }
    return In;
  };
  for (size_t N = 0; N != Values.size(); ++N) {
    Instruction *I = Values[N];
    unsigned In = NodeOf(I);
    uint64_t Weight = R.weight(*I->getParent());
    Graph.addEdge(In, In + 1, costToKeep(*I) * Weight);
    auto From = operands(*I);
    Graph.addEdge(MinCut::Source, In,
                  From ? cost(*I) * Weight : MinCut::Infinite);
    if (!From)
      continue;
    for (Value *V : *From) {
      if (IsThere(V))
        continue;
      auto *Operand = cast<Instruction>(V);
      Values.insert(Operand);
      Graph.addEdge(NodeOf(Operand) + 1, In, MinCut::Infinite);
    }
  }
  for (Instruction *I : Needed)
    Graph.addEdge(NodeOf(I) + 1, MinCut::Sink, MinCut::Infinite);
  std::vector<bool> SourceSide = Graph.solve();
  DenseSet<Instruction *> Kept;
  for (Instruction *I : Values) {
    unsigned In = Ins[I];
    if (!SourceSide[In] || SourceSide[In + 1])
      continue;
    Kept.insert(I);
    if (printsKept())
      print(*I);
  }
  return Kept;
}

} // namespace ferry::ad
