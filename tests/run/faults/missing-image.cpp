// A program without code for the device that is chosen: an error value for every kind
// of launch, and host data as they were.
//
// RUN: %ferrycxx -O2 --targets=sm_80 %s -o %t.gpu-only
// RUN: env FERRY_DEVICE=cpu %t.gpu-only | FileCheck %s
// RUN: %ferrycxx -O2 --targets=cpu %s -o %t.cpu
// RUN: env FERRY_DEVICE=virtual OMP_TARGET_OFFLOAD=disabled %t.cpu | FileCheck %s
// CHECK: all right

#include <cassert>
#include <cstdio>
#include <ferry/ferry.h>
#include <vector>

static void add(int By, std::span<int> V) { V[ferry::global_id()] += By; }

std::vector<int> A(1000, 1), B(1000, 1);

int main() {
  {
    ferry::resident a(A);
    ferry::status S = ferry::try_launch<add>(ferry::over(1000), 1, a);
    assert(S.code() == ferry::errc::no_device);
    a.to_host();
    a.to_device(3, 4);
    ferry::stream s;
    S = ferry::try_launch<add>(ferry::over(1000).on(s), 1, B);
    if (S) // its device is there, its code is not
      S = s.try_wait();
    assert(S.code() == ferry::errc::no_device);
    s.wait();
  }
  for (int I = 0; I < 1000; ++I)
    assert(A[I] == 1 && B[I] == 1);
  std::puts("all right");
}
