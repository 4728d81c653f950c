// A failed assert, a throw and a trap in a kernel end that thread and come back
// as an error with source place, block and thread; then launches work again.
// RUN: %run-everywhere --output %t %s | FileCheck %s
// RUN: %run-everywhere --output %t.unoptimised --ways=-O0,-O3 %s -- -D_GLIBCXX_ASSERTIONS | FileCheck %s --check-prefixes=CHECK,CHECKED
#include "Inputs/check.h"
#include <array>
#include <cassert>
#include <stdexcept>
#include <string>

void asserts(std::span<const int> X) {
  assert(X[ferry::global_id()] < 100 && "too large");
}
void assertsIn2d(std::span<const int>) { assert(ferry::global_idx().x != 5 || ferry::global_idx().y != 9); }
inline int deep(int X) {
  assert(X != 3);
  return X;
}
void assertsBelow(std::span<int> X) { X[0] = deep(static_cast<int>(ferry::global_id())); }
struct Overflow {
  int Amount;
};
void throws(int Limit) {
  if (ferry::global_id() == 300)
    throw Overflow{Limit};
}
void throwsStandard() {
  if (ferry::global_id() == 2)
    throw std::out_of_range("nothing there");
}
void at(std::size_t I, std::span<int> Out) {
  std::array<int, 4> A{1, 2, 3, 4};
  Out[0] = A.at(I);
}
void traps(int Limit) {
  if (ferry::global_id() >= static_cast<std::size_t>(Limit))
    __builtin_trap();
}
void aborts(int Limit) {
  if (ferry::global_id() >= static_cast<std::size_t>(Limit))
    std::abort();
}
void subscript(std::span<const int> X, std::size_t I, std::span<int> Y) { Y[0] = X[I]; }
void works(std::span<int> X) { X[ferry::global_id()] += 1; }

static void expectPanic(const ferry::status &S) {
  CHECK(!S && S.code() == ferry::errc::panic);
  std::printf("%s\n", S.message().c_str());
  std::vector<int> V(500, 1);
  ferry::launch<works>(ferry::over(500), V);
  for (int E : V)
    CHECK(E == 2);
}

int main() {
  std::vector<int> X(1000, 0);
  X[777] = 100;
  // CHECK: kernel 'asserts' panicked at {{.*}}device-errors.cpp:12:{{.*}}X[ferry::global_id()] < 100{{.*}}too large{{.*}}, block 3, thread 9
  expectPanic(ferry::try_launch<asserts>(ferry::over(1000), X));
  // CHECK: kernel 'asserts' panicked at {{.*}}device-errors.cpp:12:{{.*}}, block 7, thread 77
  expectPanic(ferry::try_launch<asserts>(ferry::blocks(10).threads(100), X));
  // over(nx, ny) has blocks of 32 by 8.
  // CHECK: kernel 'assertsIn2d' panicked at {{.*}}device-errors.cpp:14:{{.*}}, block (0, 1, 0), thread (5, 1, 0)
  expectPanic(ferry::try_launch<assertsIn2d>(ferry::over(20, 10), X));
  // CHECK: kernel 'assertsBelow' panicked at {{.*}}device-errors.cpp:16:{{.*}}X != 3{{.*}}, block 0, thread 3
  expectPanic(ferry::try_launch<assertsBelow>(ferry::over(4), X));
  // CHECK: kernel 'throws' panicked at {{.*}}device-errors.cpp:25:{{.*}}Overflow{{.*}}, block 1, thread 44
  expectPanic(ferry::try_launch<throws>(ferry::over(301), 3));
  // CHECK: kernel 'throwsStandard' panicked at {{.*}}device-errors.cpp:29:{{.*}}std::out_of_range{{.*}}, block 0, thread 2
  expectPanic(ferry::try_launch<throwsStandard>(ferry::over(3)));
  // std::array::at throws for the user, whose line it is.
  // CHECK: kernel 'at' panicked at {{.*}}device-errors.cpp:33:{{.*}}out_of_range{{.*}}, block 0, thread 0
  expectPanic(ferry::try_launch<at>(ferry::over(1), 7u, X));
  // CHECK: kernel 'traps' panicked at {{.*}}device-errors.cpp:37:{{.*}}, block 0, thread 6
  expectPanic(ferry::try_launch<traps>(ferry::over(7), 6));
  // CHECK: kernel 'aborts' panicked at {{.*}}device-errors.cpp:41:{{.*}}abort{{.*}}, block 0, thread 6
  expectPanic(ferry::try_launch<aborts>(ferry::over(7), 6));
#ifdef _GLIBCXX_ASSERTIONS
  // CHECKED: kernel 'subscript' panicked at {{.*}}, block 0, thread 0
  expectPanic(ferry::try_launch<subscript>(ferry::over(1), X, 1000u, X));
#endif
  // Any number of threads may fail, one of them is reported.
  std::fill(X.begin(), X.end(), 100);
  for (int I = 0; I < 200; ++I) {
    ferry::status S = ferry::try_launch<asserts>(ferry::over(1000), X);
    CHECK(S.code() == ferry::errc::panic);
  }
  try {
    ferry::launch<asserts>(ferry::over(1000), X);
    CHECK(false);
  } catch (const ferry::error &E) {
    CHECK(E.code() == ferry::errc::panic && std::strstr(E.what(), "asserts"));
  }
  // CHECK: done
  std::puts("done");
}
