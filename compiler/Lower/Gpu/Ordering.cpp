//===- Ordering.cpp - In which order a kernel computes --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Back ends and ptxas schedule instructions and assign registers themselves,
// but start from the order that they are given. LLVM gives them the source's:
// first the left operand, and addresses as far ahead as optimization has
// hoisted them. A value that is computed before it is needed holds a register
// meanwhile. So:
//
// - An expression computes first the operand that takes the most registers
//   beyond those that its result stays in (Sethi and Ullman, The generation of
//   optimal code for arithmetic expressions, JACM 1970; here values take one
//   register or several). Operands alike in this keep their order.
// - A value made of one other and of what needs no register, such as an
// address,
//   waits until right before its first use, if that other is smaller or is used
//   elsewhere too. It does not move into a loop.
//
// Nothing moves but downwards, and what has effects doesn't move at all. A load
// stays before the writes that follow it.
//
//===----------------------------------------------------------------------===//

#include "Ordering.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

/// 32-bit registers that the value of `I` takes.
static unsigned registersFor(const Instruction &I) {
  Type *T = I.getType();
  if (!T->isSized())
    return 0;
  TypeSize Bits = I.getDataLayout().getTypeSizeInBits(T);
  return divideCeil(Bits.getKnownMinValue(), 32);
}

/// `I` gives the same value anywhere that its operands are known and memory is
/// the same.
static bool isPure(const Instruction &I) {
  if (isa<PHINode, AllocaInst>(I) || I.isTerminator() || I.isEHPad() ||
      I.mayHaveSideEffects() || I.getType()->isVoidTy() ||
      I.getType()->isTokenTy())
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  return !Call || (isa<IntrinsicInst>(Call) && !Call->isConvergent());
}

static bool mayWrite(const Instruction &I) {
  return I.mayWriteToMemory() && !isa<NoAliasScopeDeclInst>(I);
}

namespace {
/// The expressions of one block. Each is a tree of values with one use, below a
/// root that has several, or that has to stay where it is.
class Expressions {
public:
  explicit Expressions(BasicBlock &Block) : Block(Block) {}
  void order();

private:
  BasicBlock &Block;
  /// The root that each other instruction of a tree belongs to.
  DenseMap<const Instruction *, const Instruction *> Roots;
  /// An instruction's operands in its tree, in the order to be.
  DenseMap<const Instruction *, SmallVector<Instruction *, 2>> Operands;
  /// Registers that it takes to compute the tree below an instruction.
  DenseMap<const Instruction *, unsigned> Need;

  void findTrees();
  void orderOperands(const Instruction &I);
};
} // namespace

void Expressions::findTrees() {
  // Writes from an instruction to the end of the block.
  DenseMap<const Instruction *, unsigned> WritesFrom;
  unsigned Writes = 0;
  for (Instruction &I : reverse(Block)) {
    Writes += mayWrite(I);
    WritesFrom[&I] = Writes;
    if (!isPure(I) || !I.hasOneUse())
      continue;
    auto *User = cast<Instruction>(I.user_back());
    if (User->getParent() != &Block || isa<PHINode>(User))
      continue;
    const Instruction *Root = Roots.lookup(User);
    if (!Root)
      Root = User;
    if (!I.mayReadFromMemory() || Writes == WritesFrom[Root])
      Roots[&I] = Root;
  }
}

void Expressions::orderOperands(const Instruction &I) {
  SmallVector<Instruction *, 2> Inner;
  for (const Use &Operand : I.operands())
    if (auto *Part = dyn_cast<Instruction>(Operand); Roots.contains(Part))
      Inner.push_back(Part);
  auto Surplus = [&](const Instruction *Part) {
    return Need.lookup(Part) - registersFor(*Part);
  };
  llvm::sort(Inner, [&](const Instruction *A, const Instruction *B) {
    unsigned InA = Surplus(A), InB = Surplus(B);
    return InA != InB ? InA > InB : A->comesBefore(B);
  });
  unsigned Held = 0, Most = registersFor(I);
  for (const Instruction *Part : Inner) {
    Most = std::max(Most, Held + Need.lookup(Part));
    Held += registersFor(*Part);
  }
  Need[&I] = Most;
  Operands[&I] = std::move(Inner);
}

void Expressions::order() {
  findTrees();
  SmallVector<Instruction *, 32> Tops;
  for (Instruction &I : Block) {
    orderOperands(I);
    if (!Roots.contains(&I))
      Tops.push_back(&I);
  }
  for (Instruction *Top : Tops) {
    // From the last to the first, each before the one that was placed last.
    SmallVector<Instruction *, 2> Left = Operands[Top];
    Instruction *Next = Top;
    while (!Left.empty()) {
      Instruction *I = Left.pop_back_val();
      I->moveBefore(Next->getIterator());
      Next = I;
      append_range(Left, Operands[I]);
    }
  }
}

/// What they tell has been asked for, and would seem to be used because of
/// them.
static void dropAssumptions(Function &F) {
  SmallVector<AssumeInst *, 8> Assumptions;
  for (Instruction &I : instructions(F))
    if (auto *Assumption = dyn_cast<AssumeInst>(&I))
      Assumptions.push_back(Assumption);
  for (AssumeInst *Assumption : Assumptions) {
    SmallVector<WeakTrackingVH, 4> Told(Assumption->operand_values());
    Assumption->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Told);
  }
}

PreservedAnalyses OrderExpressionsPass::run(Function &F,
                                            FunctionAnalysisManager &) {
  dropAssumptions(F);
  for (BasicBlock &Block : F)
    Expressions(Block).order();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

/// The only instruction that `I` takes a value from, if there is one. Constants
/// and arguments need no register.
static const Instruction *onlySource(const Instruction &I) {
  const Instruction *Only = nullptr;
  for (const Value *Operand : I.operand_values()) {
    auto *Source = dyn_cast<Instruction>(Operand);
    if (Source && Only && Source != Only)
      return nullptr;
    if (Source)
      Only = Source;
  }
  return Only;
}

/// `I` may be computed elsewhere. Truth values have registers of their own.
static bool mayMove(const Instruction &I) {
  return isPure(I) && !I.mayReadFromMemory() && !I.getType()->isIntegerTy(1);
}

namespace {
/// Moves values to where they are first used. An instruction that stays has the
/// values that wait for it right before it, in the program's order.
class Waiting {
public:
  Waiting(Function &F, const DominatorTree &Tree, const LoopInfo &Loops);
  void run();

private:
  Function &F;
  const DominatorTree &Tree;
  const LoopInfo &Loops;
  DenseMap<const Instruction *, unsigned> Number;
  /// What an instruction is made of in the end, if it is one value: what is
  /// used for nothing but another that waits will wait as well.
  DenseMap<const Instruction *, const Instruction *> Origin;
  /// What an instruction waits for, and what waits for an instruction first.
  DenseMap<const Instruction *, Instruction *> WaitsFor, First;

  bool paysToWait(const Instruction &I) const;
  void defer(Instruction &I);
};
} // namespace

Waiting::Waiting(Function &F, const DominatorTree &Tree, const LoopInfo &Loops)
    : F(F), Tree(Tree), Loops(Loops) {
  for (const BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (const Instruction &I : *Block) {
      Number[&I] = Number.size();
      const Instruction *Source = onlySource(I);
      bool SourceWaits = Source && Source->hasOneUse() && mayMove(*Source);
      const Instruction *Further =
          SourceWaits ? Origin.lookup(Source) : nullptr;
      Origin[&I] = Further ? Further : Source;
    }
}

/// Less is held while `I` waits.
bool Waiting::paysToWait(const Instruction &I) const {
  const Instruction *Source = Origin.lookup(&I);
  if (!Source || Source->getType()->isIntegerTy(1))
    return false;
  unsigned Held = registersFor(*Source), Saved = registersFor(I);
  return Held < Saved || (Held == Saved && !Source->hasOneUse());
}

/// To before its first use, or to the last place before all its uses that isn't
/// in a loop that `I` is not in.
void Waiting::defer(Instruction &I) {
  BasicBlock *From = I.getParent(), *To = nullptr;
  SmallVector<Instruction *, 4> Users;
  for (const Use &U : I.uses()) {
    auto *User = cast<Instruction>(U.getUser());
    if (auto *Phi = dyn_cast<PHINode>(User))
      User = Phi->getIncomingBlock(U)->getTerminator();
    if (Instruction *Later = WaitsFor.lookup(User))
      User = Later;
    BasicBlock *Block = User->getParent();
    if (!Tree.isReachableFromEntry(Block))
      return;
    To = To ? Tree.findNearestCommonDominator(To, Block) : Block;
    Users.push_back(User);
  }
  for (const Loop *L = Loops.getLoopFor(To); L && !L->contains(From);
       L = Loops.getLoopFor(To))
    To = Tree.getNode(To)->getIDom()->getBlock();
  Instruction *Place = To->getTerminator();
  for (Instruction *User : Users)
    if (User->getParent() == To && Number.lookup(User) < Number.lookup(Place))
      Place = User;
  Instruction *&Front = First[Place];
  I.moveBefore((Front ? Front : Place)->getIterator());
  Front = &I;
  WaitsFor[&I] = Place;
}

void Waiting::run() {
  // Users before what they use.
  for (BasicBlock *Block : post_order(&F))
    for (Instruction &I : make_early_inc_range(reverse(*Block)))
      if (!I.use_empty() && mayMove(I) && paysToWait(I))
        defer(I);
}

PreservedAnalyses DeferValuesPass::run(Function &F,
                                       FunctionAnalysisManager &Analyses) {
  Waiting(F, Analyses.getResult<DominatorTreeAnalysis>(F),
          Analyses.getResult<LoopAnalysis>(F))
      .run();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace ferry
