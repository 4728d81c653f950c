// Atomics on every type and in every memory order: 100 threads that add 1 give
// 100; extremes of floats with negative numbers, -0 and NaN; old values; shared
// memory; std::atomic_ref and std::atomic.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
#include "Inputs/check.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

template <class T> void adds(std::span<T> V, std::span<T> Old) {
  std::size_t I = ferry::global_id();
  Old[I] = ferry::atomic_add(V[0], 1);
  ferry::atomic_sub(V[1], 1);
  ferry::atomic_add(V[2], 1, std::memory_order_seq_cst);
  ferry::atomic_add(V[3], 1, std::memory_order_acq_rel);
  ferry::atomic_max(V[4], static_cast<T>(I));
  ferry::atomic_min(V[5], static_cast<T>(I));
}
template <class T> void testAdds() {
  std::vector<T> V = {0, 100, 0, 0, 0, 120}, Old(100);
  ferry::launch<adds<T>>(ferry::over(100), V, Old);
  CHECK(V[0] == 100 && V[1] == 0 && V[2] == 100 && V[3] == 100 && V[4] == 99 && V[5] == 0);
  std::vector<bool> Seen(100);
  for (T O : Old) {
    CHECK(O >= 0 && O < 100 && !Seen[std::size_t(O)]);
    Seen[std::size_t(O)] = true;
  }
}

template <class T> void bits(std::span<T> V) {
  T Bit = static_cast<T>(T(1) << ferry::global_id());
  ferry::atomic_or(V[0], Bit);
  ferry::atomic_and(V[1], static_cast<T>(~Bit));
  ferry::atomic_xor(V[2], Bit);
  ferry::atomic_xor(V[3], T(1));
}
template <class T> void testBits() {
  std::vector<T> V = {0, T(-1), T(0x55), 1};
  ferry::launch<bits<T>>(ferry::over(7), V);
  CHECK(V[0] == 0x7f && V[1] == T(~0x7f) && V[2] == T(0x55 ^ 0x7f) && V[3] == 0);
}

template <class T> void exchanges(std::span<T> V, std::span<T> Old) {
  T Mine = static_cast<T>(ferry::global_id() + 1);
  Old[ferry::global_id()] = ferry::atomic_exchange(V[0], Mine);
  // A count by compare and exchange.
  T Seen = ferry::atomic_load(V[1]);
  for (;;) {
    T Before = ferry::atomic_compare_exchange(V[1], Seen, static_cast<T>(Seen + 1));
    if (Before == Seen)
      break;
    Seen = Before;
  }
  if (ferry::atomic_compare_exchange(V[2], 0, Mine, std::memory_order_acq_rel) == 0)
    ferry::atomic_store(V[3], Mine, std::memory_order_release);
}
template <class T> void testExchanges() {
  std::vector<T> V(4), Old(100);
  ferry::launch<exchanges<T>>(ferry::over(100), V, Old);
  // Every value that was put in came out once, but for the last.
  Old.push_back(V[0]);
  std::sort(Old.begin(), Old.end());
  for (int I = 0; I <= 100; ++I)
    CHECK(Old[I] == T(I));
  CHECK(V[1] == 100 && V[2] != 0 && V[2] == V[3]);
}

template <class T> void extremes(std::span<const T> In, std::span<T> V) {
  T X = In[ferry::global_id()];
  ferry::atomic_min(V[0], X);
  ferry::atomic_max(V[1], X);
}
template <class T> void testExtremes() {
  const T NaN = std::numeric_limits<T>::quiet_NaN(), Inf = std::numeric_limits<T>::infinity();
  const T Tiny = std::numeric_limits<T>::denorm_min();
  struct Case {
    std::vector<T> In;
    T Start, Least, Greatest;
  } Cases[] = {
      {{-3, -1, -2}, -5, -5, -1},
      {{-3, -1, -2}, -1.5, -3, -1},
      {{3, -7, 2, 0}, 0, -7, 3},
      {{T(-0.0)}, T(0.0), T(-0.0), T(0.0)},
      {{T(0.0)}, T(-0.0), T(-0.0), T(0.0)},
      {{T(-0.0), T(-0.0)}, T(-0.0), T(-0.0), T(-0.0)},
      {{-Tiny, Tiny}, T(-0.0), -Tiny, Tiny},
      {{-Inf, 5, Inf}, 1, -Inf, Inf},
      {{NaN, 2, NaN}, 1, 1, 2},
      {{4, -2}, NaN, -2, 4},
      {{NaN}, -1, -1, -1},
  };
  for (Case &C : Cases) {
    std::vector<T> V = {C.Start, C.Start};
    ferry::launch<extremes<T>>(ferry::over(C.In.size()), C.In, V);
    CHECK(sameBits(V[0], C.Least));
    CHECK(sameBits(V[1], C.Greatest));
  }
}

template <class T> void inShared(std::span<T> Out) {
  auto &Sum = ferry::shared<T>();
  auto &Least = ferry::shared<T[2]>();
  if (ferry::thread_idx().x == 0) {
    Sum = 0;
    Least[0] = 50;
    Least[1] = 50;
  }
  ferry::sync_threads();
  ferry::atomic_add(Sum, 1);
  ferry::atomic_min(Least[0], static_cast<T>(ferry::thread_idx().x + 3));
  ferry::atomic_max(Least[1], static_cast<T>(ferry::thread_idx().x));
  ferry::sync_threads();
  if (ferry::thread_idx().x == 0) {
    Out[3 * ferry::block_idx().x] = Sum;
    Out[3 * ferry::block_idx().x + 1] = Least[0];
    Out[3 * ferry::block_idx().x + 2] = Least[1];
  }
}
template <class T> void testShared() {
  std::vector<T> Out(12);
  ferry::launch<inShared<T>>(ferry::blocks(4).threads(100), Out);
  for (int B = 0; B < 4; ++B)
    CHECK(Out[3 * B] == 100 && Out[3 * B + 1] == 3 && Out[3 * B + 2] == 99);
}

template <class T> void testIntegers() {
  testAdds<T>();
  testBits<T>();
  testExchanges<T>();
  testShared<T>();
}

template <std::memory_order Order> void references(std::span<int> V, std::span<float> F, std::span<std::atomic<long>> A) {
  std::atomic_ref<int>(V[0]).fetch_add(1, Order);
  std::atomic_ref<float>(F[0]).fetch_add(1.f, Order);
  A[0].fetch_add(1, Order);
  A[1].fetch_or(1L << ferry::global_id() % 50, Order);
  std::atomic_ref<int> R(V[1]);
  int Old = R.load();
  while (!R.compare_exchange_weak(Old, Old + 2, Order))
    ;
  A[2].exchange(7, Order);
}
template <std::memory_order Order> void testReferences() {
  std::vector<int> V(2);
  std::vector<float> F(1);
  std::vector<std::atomic<long>> A(3);
  ferry::launch<references<Order>>(ferry::over(100), V, F, A);
  CHECK(V[0] == 100 && V[1] == 200 && F[0] == 100 && A[0] == 100 && A[1] == (1L << 50) - 1 && A[2] == 7);
}

// One writer, one reader: what was written before a release is seen.
void publish(std::span<int> Data, std::span<unsigned> Flag) {
  std::size_t I = ferry::global_id();
  Data[I] = int(I) + 1;
  if (ferry::atomic_add(Flag[0], 1, std::memory_order_acq_rel) == 99) {
    int Sum = 0;
    for (int J = 0; J < 100; ++J)
      Sum += Data[J];
    Data[100] = Sum;
  }
}

enum class Colour : unsigned char { Red, Green };
void others(std::span<bool> B, std::span<Colour> C, std::span<volatile int> V) {
  ferry::atomic_store(B[0], true);
  if (ferry::atomic_exchange(C[0], Colour::Green) == Colour::Red)
    ferry::atomic_add(V[0], 1);
  if (ferry::atomic_load(V[1]) == 0)
    ferry::atomic_compare_exchange(V[1], 0, 9);
}

int main() {
  testIntegers<signed char>();
  testIntegers<unsigned char>();
  testIntegers<short>();
  testIntegers<unsigned short>();
  testIntegers<int>();
  testIntegers<unsigned>();
  testIntegers<long>();
  testIntegers<unsigned long>();
  testAdds<float>();
  testAdds<double>();
  testExchanges<float>();
  testExchanges<double>();
  testShared<float>();
  testShared<double>();
  testExtremes<float>();
  testExtremes<double>();
  testReferences<std::memory_order_relaxed>();
  testReferences<std::memory_order_acquire>();
  testReferences<std::memory_order_release>();
  testReferences<std::memory_order_acq_rel>();
  testReferences<std::memory_order_seq_cst>();

  std::vector<int> Data(101);
  std::vector<unsigned> Flag(1);
  ferry::launch<publish>(ferry::over(100), Data, Flag);
  CHECK(Data[100] == 5050);

  bool B[1] = {false};
  std::vector<Colour> C = {Colour::Red};
  volatile int V[2] = {0, 0};
  ferry::launch<others>(ferry::over(50), B, C, V);
  CHECK(B[0] && C[0] == Colour::Green && V[0] == 1 && V[1] == 9);
}
