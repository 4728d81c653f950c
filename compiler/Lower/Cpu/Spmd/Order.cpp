//===- Order.cpp - Blocks of a thread in one line -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A topological order in which loops are compact: a depth-first walk over the
// blocks of one loop, in which each inner loop counts as a single node that is
// left by its exit edges, and takes the place that its own order gives it.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Order.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace ferry::spmd {

namespace {
class Walk {
public:
  Walk(const LoopInfo &LI, SmallVectorImpl<BasicBlock *> &PostOrder)
      : LI(LI), PostOrder(PostOrder) {}

  /// Appends the blocks of `L`, last first.
  void visit(const Loop &L) {
    SmallPtrSet<BasicBlock *, 16> Seen;
    enter(L, L.getHeader(), Seen);
  }

private:
  const LoopInfo &LI;
  SmallVectorImpl<BasicBlock *> &PostOrder;

  void enter(const Loop &L, BasicBlock *BB,
             SmallPtrSet<BasicBlock *, 16> &Seen) {
    if (!Seen.insert(BB).second)
      return;
    const Loop *Inner = LI.getLoopFor(BB);
    while (Inner != &L && Inner->getParentLoop() != &L)
      Inner = Inner->getParentLoop();
    SmallVector<BasicBlock *, 4> Next;
    if (Inner == &L)
      Next.append(succ_begin(BB), succ_end(BB));
    else
      Inner->getExitBlocks(Next);
    for (BasicBlock *Succ : Next)
      if (Succ != L.getHeader() && L.contains(Succ))
        enter(L, Succ, Seen);
    if (Inner == &L)
      PostOrder.push_back(BB);
    else
      visit(*Inner);
  }
};
} // namespace

Order::Order(const Loop &L, const LoopInfo &LI) {
  Walk(LI, Blocks).visit(L);
  std::reverse(Blocks.begin(), Blocks.end());
  for (auto [I, BB] : enumerate(Blocks))
    Index[BB] = I;
}

} // namespace ferry::spmd
