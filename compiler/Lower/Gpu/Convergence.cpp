//===- Convergence.cpp - Where threads of a block meet --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch is divergent when threads of a warp may take different ways there
// (LLVM's UniformityInfo). A GPU lets them run apart and brings them together
// again at the branch's nearest common postdominator. Blocks from which no
// meeting can be reached don't count: threads on their way to the end of the
// kernel keep nobody waiting.
//
// A warp operation concerns those who are together, so it is partial when it
// stands between a divergent branch and that postdominator.
//
// A barrier's n-th turn concerns the n-th turn of all threads, wherever that
// is. So there the flow graph is cut at the barriers: each is an end, and what
// follows it a beginning. Every path then leads to a barrier, and a branch
// divides threads when nothing but the graph's virtual end postdominates it.
//
// Postdominators are found as in Cooper, Harvey and Kennedy, A Simple, Fast
// Dominance Algorithm.
//
//===----------------------------------------------------------------------===//

#include "Convergence.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry {

void isolate(ArrayRef<CallBase *> Calls) {
  for (CallBase *Call : Calls)
    if (Call != &Call->getParent()->front())
      SplitBlock(Call->getParent(), Call);
}

namespace {

/// The blocks that lead to one of some meetings.
class LiveGraph {
public:
  LiveGraph(ArrayRef<CallBase *> Meetings, bool Cut);

  /// Threads that part at the end of `Block` come together again before the
  /// graph's end.
  bool rejoins(BasicBlock &Block) const {
    return commonPostdominator(Block) != End;
  }
  /// The meetings on all ways from the end of `Block` to where they rejoin. In
  /// a cut graph, the first of each way.
  SetVector<BasicBlock *> meetingsAfter(BasicBlock &Block) const;

private:
  SmallVector<BasicBlock *, 2> live(BasicBlock &Block) const;
  bool isCut(BasicBlock *Block) const { return Cut && Meeting.contains(Block); }
  std::vector<BasicBlock *> findEnds() const;
  void number(ArrayRef<BasicBlock *> Ends);
  void findPostdominators(ArrayRef<BasicBlock *> Ends);
  unsigned intersect(unsigned A, unsigned B) const;
  unsigned commonPostdominator(BasicBlock &Block) const;

  static constexpr unsigned End = 0, Unknown = ~0u;
  bool Cut;
  SetVector<BasicBlock *> Meeting;
  SetVector<BasicBlock *> Live;
  /// In reverse postorder of the reversed graph: postdominators come first.
  std::vector<BasicBlock *> Order;
  DenseMap<BasicBlock *, unsigned> Number; ///< 1 + index in `Order`
  std::vector<unsigned> Postdominator;     ///< immediate, by number
};

} // namespace

/// Adds all blocks that lead to one of `Blocks`, but not through `Stop`.
template <typename Predicate>
static void addPredecessors(SetVector<BasicBlock *> &Blocks, Predicate Stop) {
  for (unsigned I = 0; I != Blocks.size(); ++I)
    for (BasicBlock *Before : predecessors(Blocks[I]))
      if (!Stop(Before))
        Blocks.insert(Before);
}

LiveGraph::LiveGraph(ArrayRef<CallBase *> Meetings, bool Cut) : Cut(Cut) {
  for (CallBase *Call : Meetings)
    Meeting.insert(Call->getParent());
  Live = Meeting;
  addPredecessors(Live, [&](BasicBlock *B) { return isCut(B); });
  std::vector<BasicBlock *> Ends = findEnds();
  number(Ends);
  findPostdominators(Ends);
}

SmallVector<BasicBlock *, 2> LiveGraph::live(BasicBlock &Block) const {
  SmallVector<BasicBlock *, 2> Result;
  for (BasicBlock *Next : successors(&Block))
    if (Live.contains(Next))
      Result.push_back(Next);
  return Result;
}

/// Blocks with an edge to the graph's end.
std::vector<BasicBlock *> LiveGraph::findEnds() const {
  if (Cut)
    return {Meeting.begin(), Meeting.end()};
  SetVector<BasicBlock *> Ends, Ending;
  for (BasicBlock *Block : Live)
    if (live(*Block).empty())
      Ends.insert(Block);
  auto IsDead = [&](BasicBlock *B) { return !Live.contains(B); };
  Ending = Ends;
  addPredecessors(Ending, IsDead);
  // A last loop with a meeting in it has no such block: where it can be left,
  // it ends. One that never ends does so anywhere.
  SetVector<BasicBlock *> Exits;
  for (BasicBlock *Block : Live)
    if (!Ending.contains(Block) && any_of(successors(Block), IsDead))
      Exits.insert(Block);
  Ends.insert_range(Exits);
  Ending.insert_range(Exits);
  addPredecessors(Ending, IsDead);
  for (BasicBlock *Block : Live)
    if (Ending.insert(Block)) {
      Ends.insert(Block);
      addPredecessors(Ending, IsDead);
    }
  return {Ends.begin(), Ends.end()};
}

void LiveGraph::number(ArrayRef<BasicBlock *> Ends) {
  SmallPtrSet<BasicBlock *, 32> Seen;
  for (BasicBlock *Root : Ends) {
    if (!Seen.insert(Root).second)
      continue;
    SmallVector<std::pair<BasicBlock *, pred_iterator>, 32> Stack;
    Stack.push_back({Root, pred_begin(Root)});
    while (!Stack.empty()) {
      auto &[Block, Next] = Stack.back();
      if (Next == pred_end(Block)) {
        Order.push_back(Block);
        Stack.pop_back();
        continue;
      }
      BasicBlock *Before = *Next++;
      if (Live.contains(Before) && !isCut(Before) && Seen.insert(Before).second)
        Stack.push_back({Before, pred_begin(Before)});
    }
  }
  std::reverse(Order.begin(), Order.end());
  for (auto [I, Block] : enumerate(Order))
    Number[Block] = I + 1;
}

void LiveGraph::findPostdominators(ArrayRef<BasicBlock *> Ends) {
  SmallPtrSet<BasicBlock *, 8> IsEnd(Ends.begin(), Ends.end());
  Postdominator.assign(Order.size() + 1, Unknown);
  Postdominator[End] = End;
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (BasicBlock *Block : Order) {
      unsigned New = IsEnd.contains(Block) ? End : commonPostdominator(*Block);
      unsigned &Old = Postdominator[Number.lookup(Block)];
      Changed |= Old != New;
      Old = New;
    }
  }
}

unsigned LiveGraph::intersect(unsigned A, unsigned B) const {
  while (A != B) {
    while (A > B)
      A = Postdominator[A];
    while (B > A)
      B = Postdominator[B];
  }
  return A;
}

unsigned LiveGraph::commonPostdominator(BasicBlock &Block) const {
  unsigned Common = Unknown;
  for (BasicBlock *Next : live(Block)) {
    unsigned N = Number.lookup(Next);
    if (Postdominator[N] == Unknown)
      continue;
    Common = Common == Unknown ? N : intersect(Common, N);
  }
  return Common;
}

SetVector<BasicBlock *> LiveGraph::meetingsAfter(BasicBlock &Block) const {
  if (live(Block).empty())
    return {};
  unsigned Common = commonPostdominator(Block);
  BasicBlock *Rejoined = Common == End ? nullptr : Order[Common - 1];
  SetVector<BasicBlock *> Ahead, Result;
  auto Add = [&](BasicBlock &From) {
    for (BasicBlock *Next : live(From)) {
      if (Next == Rejoined)
        continue;
      if (Meeting.contains(Next))
        Result.insert(Next);
      if (!isCut(Next))
        Ahead.insert(Next);
    }
  };
  Add(Block);
  for (unsigned I = 0; I != Ahead.size(); ++I)
    Add(*Ahead[I]);
  return Result;
}

std::vector<Sites> dividedBarriers(Function &F, ArrayRef<CallBase *> Barriers,
                                   FunctionAnalysisManager &Analyses) {
  if (Barriers.size() < 2)
    return {};
  LiveGraph Graph(Barriers, /*Cut=*/true);
  UniformityInfo &Uniformity = Analyses.getResult<UniformityInfoAnalysis>(F);
  EquivalenceClasses<BasicBlock *> Classes;
  for (BasicBlock &Block : F) {
    if (!Uniformity.hasDivergentTerminator(Block) || Graph.rejoins(Block))
      continue;
    SetVector<BasicBlock *> Next = Graph.meetingsAfter(Block);
    for (BasicBlock *B : Next)
      Classes.unionSets(Next.front(), B);
  }
  MapVector<BasicBlock *, Sites> Groups;
  for (CallBase *Call : Barriers)
    if (Classes.contains(Call->getParent()))
      Groups[Classes.getLeaderValue(Call->getParent())].push_back(Call);
  std::vector<Sites> Result;
  for (auto &[Leader, Group] : Groups)
    Result.push_back(std::move(Group));
  return Result;
}

SmallPtrSet<CallBase *, 8> partialMeetings(Function &F,
                                           ArrayRef<CallBase *> Meetings,
                                           FunctionAnalysisManager &Analyses) {
  LiveGraph Graph(Meetings, /*Cut=*/false);
  UniformityInfo &Uniformity = Analyses.getResult<UniformityInfoAnalysis>(F);
  SetVector<BasicBlock *> Partial;
  for (BasicBlock &Block : F)
    if (Uniformity.hasDivergentTerminator(Block))
      Partial.insert_range(Graph.meetingsAfter(Block));
  SmallPtrSet<CallBase *, 8> Result;
  for (CallBase *Call : Meetings)
    if (Partial.contains(Call->getParent()))
      Result.insert(Call);
  return Result;
}

} // namespace ferry
