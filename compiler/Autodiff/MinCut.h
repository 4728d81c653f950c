//===- MinCut.h - The cheapest cut of a graph -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_MINCUT_H
#define FERRY_COMPILER_AUTODIFF_MINCUT_H

#include <cstdint>
#include <vector>

namespace ferry::ad {

/// A flow network. Node 0 is the source, node 1 the sink.
class MinCut {
public:
  static constexpr unsigned Source = 0, Sink = 1;
  static constexpr uint64_t Infinite = uint64_t(1) << 60;

  unsigned addNode();
  void addEdge(unsigned From, unsigned To, uint64_t Capacity);
  /// Per node, whether it is on the source's side of a cheapest cut; of all
  /// that cost the same, the one that is nearest to the sink.
  std::vector<bool> solve();

private:
  struct Edge {
    unsigned To;
    uint64_t Left; ///< capacity that is not used yet
  };
  /// Each edge is followed by its reverse.
  std::vector<Edge> Edges;
  std::vector<std::vector<unsigned>> Nodes{2};
  std::vector<unsigned> Level, Next;

  bool findLevels();
  bool push();
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_MINCUT_H
