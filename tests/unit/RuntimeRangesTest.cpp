//===- RuntimeRangesTest.cpp - Which bytes a launch touches ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses made at random, against the same ones played thread by thread and
// turn by turn. What is read must be copied in, what counts as overwritten must
// have been, and what is computed as the kernel would, in few bits, must never
// be mistaken for the exact number.
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ferry::rt;

namespace {

constexpr uint64_t BufferBytes = 96;

/// One access in one kernel, and the memory that its records are in.
struct Program {
  std::deque<std::vector<ferry_op>> Ops;
  std::deque<std::vector<ferry_term>> Terms;
  std::vector<ferry_condition> Conditions;
  std::vector<ferry_symbol> Symbols;
  ferry_access Accesses[2] = {};
  ferry_usage Usage = {};
  ferry_kernel Kernel = {};
  ferry_geometry Geometry = {};
  uint64_t Slots[2] = {};

  ferry_formula formula(std::vector<ferry_op> Of) {
    Ops.push_back(std::move(Of));
    return {Ops.back().data(), Ops.back().size()};
  }
  ferry_formula number(int64_t V) {
    return formula({{FERRY_OP_CONSTANT, 0, V}});
  }
  ferry_sum sum(ferry_formula Base, std::vector<ferry_term> Of) {
    Terms.push_back(std::move(Of));
    return {Base, Terms.back().size(), Terms.back().data()};
  }

  Range in(uint32_t Does) {
    Accesses[0].does = Does;
    Accesses[0].num_conditions = Conditions.size();
    Accesses[0].conditions = Conditions.data();
    Accesses[1] = {};
    Accesses[1].does = FERRY_DOES_WRITE | FERRY_DOES_ANYWHERE;
    // What is overwritten shows in what of a written buffer is copied in.
    Usage = {0, Does == FERRY_DOES_OVERWRITE ? 2u : 1u, Accesses};
    Kernel.symbols = Symbols.data();
    return usageOf({Kernel, Slots, Geometry}, Usage,
                   FERRY_FIELD_READ | FERRY_FIELD_WRITE, BufferBytes)
        .In;
  }
};

/// Symbols 0 to 2 are the thread's place, symbol 3 a loop's turns.
constexpr unsigned Turn = 3;

class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}

  Program make() {
    Program P;
    for (unsigned I = 0; I < 3; ++I) {
      P.Geometry.extent[I] = I ? pick({1, 1, 2, 3}) : pick({1, 2, 5, 8});
      P.Symbols.push_back({P.formula({{FERRY_OP_EXTENT, 0, I}})});
    }
    P.Slots[0] = pick({0, 1, 3, 4, 7, 12, -1});
    P.Slots[1] = pick({2, 4, 8, 16, 24, -4});
    switch (pick({0, 1, 2})) {
    case 0:
      P.Symbols.push_back({P.number(pick({1, 2, 4}))});
      break;
    case 1:
      P.Symbols.push_back({P.formula({{FERRY_OP_SLOT, 0, 0}})});
      break;
    default:
      P.Symbols.push_back({{nullptr, 0}});
    }
    P.Accesses[0].bytes = pick({1, 2, 4, 4, 8});
    P.Accesses[0].offset = sum(P, true);
    unsigned N = pick({0, 1, 1, 2, 3});
    // A loop that nobody counts ends by a condition.
    bool Ends = P.Symbols[Turn].count.num_ops == 0;
    for (unsigned I = 0; I < N || (I == N && Ends); ++I)
      P.Conditions.push_back(condition(P, I == N));
    if (!Ends)
      P.Conditions.push_back(
          {P.sum(P.number(0), {}), P.number(0), FERRY_WHEN_EXACT, 0, Turn});
    return P;
  }

private:
  std::mt19937 Random;

  int64_t pick(std::initializer_list<int64_t> From) {
    return From.begin()[Random() % From.size()];
  }

  ferry_sum sum(Program &P, bool IsOffset) {
    int64_t Scale = IsOffset ? pick({1, 4, 4, 4, 8, -4}) : 1;
    auto Scaled = [&](std::vector<ferry_op> Of) {
      Of.push_back({FERRY_OP_CONSTANT, 0, Scale});
      Of.push_back({FERRY_OP_MUL, 0, 0});
      return P.formula(std::move(Of));
    };
    std::vector<ferry_term> Terms;
    auto Add = [&](uint64_t Symbol, std::vector<ferry_op> Stride) {
      Terms.push_back({Symbol, Scaled(std::move(Stride))});
    };
    ferry_op One = {FERRY_OP_CONSTANT, 0, pick({1, 1, 1, 2, 3})};
    if (pick({0, 1, 1})) { // the thread's number
      Add(0, {One});
      Add(1, {One, {FERRY_OP_EXTENT, 0, 0}, {FERRY_OP_MUL, 0, 0}});
      Add(2, {One,
              {FERRY_OP_EXTENT, 0, 0},
              {FERRY_OP_MUL, 0, 0},
              {FERRY_OP_EXTENT, 0, 1},
              {FERRY_OP_MUL, 0, 0}});
    } else {
      for (uint64_t I : {0, 1})
        if (pick({0, 1, 1}))
          Add(I, {{FERRY_OP_CONSTANT, 0, pick({1, 2, 4, 8, -1})}});
    }
    if (pick({0, 1}))
      Add(Turn, pick({0, 1}) ? std::vector<ferry_op>{{FERRY_OP_EXTENT, 0, 0}}
                             : std::vector<ferry_op>{{FERRY_OP_CONSTANT, 0,
                                                      pick({1, 2, 8, -1})}});
    std::vector<ferry_op> Base = {
        {FERRY_OP_CONSTANT, 0, pick({0, 0, 1, 3, -2})}};
    if (pick({0, 0, 1})) {
      Base.push_back({FERRY_OP_SLOT, 0, 0});
      Base.push_back({FERRY_OP_ADD, 0, 0});
    }
    return P.sum(Scaled(std::move(Base)), std::move(Terms));
  }

  ferry_condition condition(Program &P, bool OfLoop) {
    ferry_condition C = {};
    C.value = sum(P, false);
    C.width = pick({4, 8, 64, 64});
    C.relation =
        pick({FERRY_WHEN_ULT, FERRY_WHEN_ULT, FERRY_WHEN_UGE, FERRY_WHEN_SLT,
              FERRY_WHEN_SGE, FERRY_WHEN_EQ, FERRY_WHEN_NE,
              FERRY_WHEN_FITS_UNSIGNED, FERRY_WHEN_FITS_SIGNED});
    if (OfLoop)
      C.relation = pick({FERRY_WHEN_ULT, FERRY_WHEN_SLT, FERRY_WHEN_SGE});
    if (OfLoop || (C.relation < FERRY_WHEN_FITS_UNSIGNED && pick({0, 0, 1})))
      C.relation |= FERRY_WHEN_LOOP;
    C.turns = Turn;
    bool Signed = (C.relation & 0xff) == FERRY_WHEN_SLT ||
                  (C.relation & 0xff) == FERRY_WHEN_SGE;
    C.bound = P.formula(
        {{FERRY_OP_SLOT, 0, 1},
         {FERRY_OP_CONSTANT, 0, pick({0, 1, -1})},
         {FERRY_OP_ADD, 0, 0},
         {uint32_t(Signed ? FERRY_OP_SEXT : FERRY_OP_ZEXT), 0, C.width}});
    return C;
  }
};

/// Plays an access.
class Player {
public:
  explicit Player(const Program &P) : P(P) {}

  bool Touched[BufferBytes] = {};
  bool Misfits = false; ///< a FITS condition is not met where the access runs
  bool Endless = false;

  void run() {
    for (uint64_t I = 0; I < P.Geometry.extent[2]; ++I)
      for (uint64_t J = 0; J < P.Geometry.extent[1]; ++J)
        for (uint64_t K = 0; K < P.Geometry.extent[0]; ++K)
          thread(K, J, I);
  }

private:
  const Program &P;
  int64_t Symbols[4] = {};

  int64_t value(const ferry_formula &F) {
    std::vector<__int128> Stack;
    for (uint64_t I = 0; I < F.num_ops; ++I) {
      const ferry_op &Op = F.ops[I];
      if (Op.code <= FERRY_OP_EXTENT) {
        Stack.push_back(Op.code == FERRY_OP_CONSTANT ? Op.value
                        : Op.code == FERRY_OP_SLOT
                            ? __int128(int64_t(P.Slots[Op.value]))
                            : __int128(P.Geometry.extent[Op.value]));
        continue;
      }
      if (Op.code == FERRY_OP_ZEXT || Op.code == FERRY_OP_SEXT) {
        Stack.back() = bits(Stack.back(), Op.value, Op.code == FERRY_OP_SEXT);
        continue;
      }
      __int128 Right = Stack.back();
      Stack.pop_back();
      Stack.back() =
          Op.code == FERRY_OP_ADD ? Stack.back() + Right : Stack.back() * Right;
    }
    return int64_t(Stack.back());
  }

  static __int128 bits(__int128 V, unsigned Width, bool Signed) {
    __int128 Size = __int128(1) << Width;
    V = ((V % Size) + Size) % Size;
    return Signed && V >= Size / 2 ? V - Size : V;
  }

  __int128 value(const ferry_sum &S) {
    __int128 V = value(S.base);
    for (uint64_t I = 0; I < S.num_terms; ++I)
      V += __int128(value(S.terms[I].stride)) * Symbols[S.terms[I].symbol];
    return V;
  }

  bool isMet(const ferry_condition &C) {
    uint32_t Relation = C.relation & 0xff;
    if (Relation == FERRY_WHEN_EXACT)
      return true;
    bool Signed = Relation == FERRY_WHEN_SLT || Relation == FERRY_WHEN_SGE ||
                  Relation == FERRY_WHEN_FITS_SIGNED;
    __int128 Exact = value(C.value), V = bits(Exact, C.width, Signed),
             B = bits(value(C.bound), C.width, Signed);
    switch (Relation) {
    case FERRY_WHEN_ULT:
    case FERRY_WHEN_SLT:
      return V < B;
    case FERRY_WHEN_UGE:
    case FERRY_WHEN_SGE:
      return V >= B;
    case FERRY_WHEN_EQ:
      return V == B;
    case FERRY_WHEN_NE:
      return V != B;
    default:
      return V == Exact;
    }
  }

  static bool isFit(const ferry_condition &C) {
    uint32_t Relation = C.relation & 0xff;
    return Relation == FERRY_WHEN_FITS_UNSIGNED ||
           Relation == FERRY_WHEN_FITS_SIGNED;
  }

  void thread(int64_t X, int64_t Y, int64_t Z) {
    int64_t Count =
        P.Symbols[Turn].count.num_ops ? value(P.Symbols[Turn].count) : 60;
    for (int64_t T = 0; T < Count; ++T) {
      int64_t Place[] = {X, Y, Z, T};
      std::copy(Place, Place + 4, Symbols);
      bool Runs = true;
      for (const ferry_condition &C : P.Conditions) {
        if (isFit(C) || isMet(C))
          continue;
        if (C.relation & FERRY_WHEN_LOOP)
          return;
        Runs = false;
      }
      if (Runs)
        access();
    }
    Endless |= !P.Symbols[Turn].count.num_ops;
  }

  void access() {
    for (const ferry_condition &C : P.Conditions)
      if (isFit(C) && !isMet(C)) {
        Misfits = true; // anywhere
        return;
      }
    __int128 At = value(P.Accesses[0].offset);
    for (uint64_t I = 0; I < P.Accesses[0].bytes; ++I)
      if (At + I >= 0 && At + I < BufferBytes)
        Touched[uint64_t(At + I)] = true;
  }
};

} // namespace

TEST(Ranges, AccessesAtRandom) {
  unsigned Narrow = 0, Full = 0;
  for (unsigned Seed = 0; Seed != 60000; ++Seed) {
    Program P = Generator(Seed).make();
    Player Play(P);
    Play.run();
    if (Play.Endless)
      continue;
    Range Read = P.in(FERRY_DOES_READ);
    Range Kept = P.in(FERRY_DOES_OVERWRITE);
    Narrow += Read != Range{0, BufferBytes};
    Full += Kept != Range{0, BufferBytes};
    if (Play.Misfits)
      ASSERT_EQ(Read, (Range{0, BufferBytes})) << "seed " << Seed;
    for (uint64_t I = 0; I < BufferBytes; ++I) {
      ASSERT_TRUE(!Play.Touched[I] || (Read.Begin <= I && I < Read.End))
          << "seed " << Seed << ": byte " << I << " is read";
      ASSERT_TRUE(Play.Touched[I] || (Kept.Begin <= I && I < Kept.End))
          << "seed " << Seed << ": byte " << I << " is not overwritten";
    }
  }
  // Most are not everything, and many are certain.
  EXPECT_GT(Narrow, 20000u);
  EXPECT_GT(Full, 3000u);
}
