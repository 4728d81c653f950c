// Reads and writes that the compiler must leave as they are: volatile, atomic, and by
// inline assembly that has the address or any address.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <atomic>

static void volatileAccess() {
  std::vector<int> V(N);
  volatile int *P = V.data();
  ferry::launch<fill>(Whole, V, 1);
  CHECK(P[7] == 8);
  P[7] = 0;
  CHECK(deviceTotal(V) == filled(1) - 8);
  ferry::launch<fill>(Whole, V, 2);
  long Total = 0;
  for (int I = 0; I < N; ++I)
    Total += P[I];
  CHECK(Total == filled(2));
  for (int I = 0; I < 3; ++I) {
    P[0] = I;
    ferry::launch<add>(Whole, V, 1);
    CHECK(P[0] == I + 1);
  }
}

static void atomicAccess() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  std::atomic_ref First(V[0]);
  CHECK(First.load(std::memory_order_relaxed) == 1);
  First.store(10, std::memory_order_relaxed);
  CHECK(deviceTotal(V) == filled(1) + 9);
  ferry::launch<add>(Whole, V, 1);
  CHECK(First.fetch_add(5) == 11 && First.exchange(3) == 16);
  int Three = 3;
  CHECK(deviceTotal(V) == filled(2) + 1 && First.compare_exchange_strong(Three, 4));
  CHECK(deviceTotal(V) == filled(2) + 2);

  std::vector<std::atomic<int>> W(N);
  auto Count = [](std::span<std::atomic<int>> W) { W[ferry::global_id()].fetch_add(1); };
  for (int I = 0; I < 3; ++I)
    ferry::launch<+Count>(Whole, W);
  CHECK(W[0] == 3 && W[N - 1].load() == 3);
  W[0] = 10;
  ferry::launch<+Count>(Whole, W);
  CHECK(W[0] == 11 && W[1] == 4);
}

static void assembly() {
#ifdef __x86_64__
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  int Seen;
  asm("movl %1, %0" : "=r"(Seen) : "m"(V[5]));
  CHECK(Seen == 6);
  ferry::launch<add>(Whole, V, 1);
  asm volatile("movl (%1), %0" : "=r"(Seen) : "r"(V.data()) : "memory");
  CHECK(Seen == 2);
  asm volatile("movl $50, (%0)" : : "r"(V.data()) : "memory");
  CHECK(deviceTotal(V) == filled(2) + 48);
  ferry::launch<add>(Whole, V, 1);
  asm volatile("addl $7, %0" : "+m"(V[0]));
  CHECK(V[0] == 58 && deviceTotal(V) == filled(3) + 55);
  // The address as a number.
  ferry::launch<fill>(Whole, V, 4);
  auto Number = reinterpret_cast<std::uintptr_t>(V.data());
  asm volatile("movl 4(%1), %0" : "=r"(Seen) : "r"(Number) : "memory");
  CHECK(Seen == 5);
#endif
}

int main() {
  volatileAccess();
  atomicAccess();
  assembly();
}
