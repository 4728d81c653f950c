//===- Linearize.cpp - One way through divergent code ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moll and Hack's Partial Control-Flow Linearization (PLDI 2018). Blocks are
// taken in an order in which loops are compact. A divergent branch must run
// both its ways: control goes to the one that comes first in the order, and the
// other is owed. What is owed at the end of a block is passed on, and the next
// block is the first, by the order, among what is owed and where the block
// itself goes. So a uniform branch stays a branch, unless something owed comes
// first on both its ways.
//
// A loop that threads leave in different iterations runs until none is left in
// it. Its exit edges only take note of who has left; where they lead is owed
// from the latch on, which therefore lies on every way through the loop.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Linearize.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace ferry::spmd {

namespace {
class Linearizer {
public:
  Linearizer(const Candidate &C, const Order &O, const Shapes &S,
             const LoopInfo &LI)
      : C(C), O(O), S(S), LI(LI) {}

  std::optional<Ways> run() {
    for (BasicBlock *BB : O.Blocks)
      if (!goOn(BB))
        return std::nullopt;
    return std::move(Result);
  }

private:
  using BlockSet = SmallSetVector<BasicBlock *, 4>;

  const Candidate &C;
  const Order &O;
  const Shapes &S;
  const LoopInfo &LI;
  DenseMap<const BasicBlock *, BlockSet> Owed;
  DenseMap<const Loop *, BlockSet> Exits; // of divergent loops
  Ways Result;

  bool goOn(BasicBlock *BB) {
    if (BB == C.Latch) {
      Result[BB] = {Way::End, {}};
      return true;
    }
    BlockSet Targets;
    bool Notes = false; // has exits that only take note
    SmallVector<BasicBlock *, 4> Successors(successors(BB));
    if (BB == C.Header)
      Successors = {C.Start};
    for (BasicBlock *Succ : Successors)
      if (const Loop *Left = S.leftByEdge(BB, Succ)) {
        Exits[Left].insert(Succ);
        Notes = true;
      } else {
        Targets.insert(Succ);
      }
    const Loop *L = LI.getLoopFor(BB);
    if (S.isDivergent(L) && BB == L->getLoopLatch()) {
      BlockSet After = Exits[L];
      addLatch(L->getParentLoop(), After);
      Result[BB] = {Way::Repeat, {L->getHeader(), first(BB, After)}};
      return Targets.size() == 1;
    }
    if (S.isDivergent(BB) || Notes) {
      // Uniform ways that become masks would need scalars that do, too.
      if (!S.isDivergent(BB) && Targets.size() > 1)
        return false;
      addLatch(L, Targets);
      Result[BB] = {Way::Line, {first(BB, Targets)}};
      return true;
    }
    Way W{Way::Fork, {}};
    for (BasicBlock *Succ : Successors) {
      BlockSet Alone;
      Alone.insert(Succ);
      W.Next.push_back(O.isBackEdge(BB, Succ) ? Succ : first(BB, Alone));
    }
    Result[BB] = W;
    return true;
  }

  /// Owes the latch of the innermost divergent loop from `L` outwards.
  void addLatch(const Loop *L, BlockSet &Targets) {
    while (L != C.L && !S.isDivergent(L))
      L = L->getParentLoop();
    if (L != C.L)
      Targets.insert(L->getLoopLatch());
  }

  /// Where to go from `From`, which wants to get to all of `Targets`.
  BasicBlock *first(const BasicBlock *From, BlockSet Targets) {
    Targets.insert_range(Owed[From]);
    BasicBlock *Next = *min_element(Targets, [&](auto *A, auto *B) {
      return O.Index.lookup(A) < O.Index.lookup(B);
    });
    Targets.remove(Next);
    Owed[Next].insert_range(Targets);
    return Next;
  }
};
} // namespace

std::optional<Ways> linearize(const Candidate &C, const Order &O,
                              const Shapes &S, const LoopInfo &LI) {
  return Linearizer(C, O, S, LI).run();
}

} // namespace ferry::spmd
