//===- MinCut.cpp - The cheapest cut of a graph ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dinic's algorithm (Soviet Math. Doklady 11, 1970): as long as the sink can be
// reached, nodes are sorted by their distance from the source, and flow is sent
// along ways on which the distance grows. What cannot reach the sink any more
// in the end is the source's side.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/MinCut.h"
#include <algorithm>
#include <limits>

namespace ferry::ad {

static constexpr unsigned Unreached = std::numeric_limits<unsigned>::max();

unsigned MinCut::addNode() {
  Nodes.emplace_back();
  return static_cast<unsigned>(Nodes.size() - 1);
}

void MinCut::addEdge(unsigned From, unsigned To, uint64_t Capacity) {
  Nodes[From].push_back(static_cast<unsigned>(Edges.size()));
  Edges.push_back({To, Capacity});
  Nodes[To].push_back(static_cast<unsigned>(Edges.size()));
  Edges.push_back({From, 0});
}

bool MinCut::findLevels() {
  Level.assign(Nodes.size(), Unreached);
  Level[Source] = 0;
  std::vector<unsigned> Work{Source};
  for (size_t N = 0; N != Work.size(); ++N)
    for (unsigned E : Nodes[Work[N]])
      if (Edges[E].Left && Level[Edges[E].To] == Unreached) {
        Level[Edges[E].To] = Level[Work[N]] + 1;
        Work.push_back(Edges[E].To);
      }
  return Level[Sink] != Unreached;
}

/// Sends flow along one way. `Next` are the edges that are still worth a try.
bool MinCut::push() {
  std::vector<unsigned> Way;
  unsigned At = Source;
  while (At != Sink) {
    unsigned &N = Next[At];
    while (N != Nodes[At].size()) {
      const Edge &E = Edges[Nodes[At][N]];
      if (E.Left && Level[E.To] == Level[At] + 1)
        break;
      ++N;
    }
    if (N != Nodes[At].size()) {
      Way.push_back(Nodes[At][N]);
      At = Edges[Way.back()].To;
      continue;
    }
    if (Way.empty())
      return false;
    At = Edges[Way.back() ^ 1].To;
    Way.pop_back();
    ++Next[At];
  }
  uint64_t Flow = Infinite;
  for (unsigned E : Way)
    Flow = std::min(Flow, Edges[E].Left);
  for (unsigned E : Way) {
    Edges[E].Left -= Flow;
    Edges[E ^ 1].Left += Flow;
  }
  return true;
}

std::vector<bool> MinCut::solve() {
  while (findLevels()) {
    Next.assign(Nodes.size(), 0);
    while (push()) {
    }
  }
  std::vector<bool> SourceSide(Nodes.size(), true);
  SourceSide[Sink] = false;
  std::vector<unsigned> Work{Sink};
  while (!Work.empty()) {
    unsigned At = Work.back();
    Work.pop_back();
    for (unsigned E : Nodes[At])
      if (Edges[E ^ 1].Left && SourceSide[Edges[E].To]) {
        SourceSide[Edges[E].To] = false;
        Work.push_back(Edges[E].To);
      }
  }
  return SourceSide;
}

} // namespace ferry::ad
