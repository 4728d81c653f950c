// Control leaves a function by longjmp, and changes its stack by swapcontext; both
// come out where somebody looks at what is on the device.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <csetjmp>
#include <ucontext.h>

static std::jmp_buf Back;

static void jumpsOver() {
  int *P = new int[N];
  volatile int Times = 0;
  fillFrom(P, N, 0);
  if (int What = setjmp(Back)) {
    CHECK(hostTotal(std::span(P, N)) == filled(What));
    P[0] = 0;
    CHECK(deviceTotal(std::span(P, N)) == filled(What) - What);
    if (What == 3) {
      delete[] P;
      return;
    }
  }
  Times = Times + 1;
  ferry::launch<fill>(Whole, ferry::out(P, N), Times);
  call([](void *T) { std::longjmp(Back, *static_cast<volatile int *>(T)); }, const_cast<int *>(&Times));
}

// The one who jumps is the one who launched; the buffer is the other's.
[[gnu::noinline]] static void launchAndJump(std::vector<int> &V, int A) {
  ferry::launch<fill>(Whole, V, A);
  std::longjmp(Back, 1);
}
static void callee() {
  static std::vector<int> V(N);
  volatile int A = 4;
  if (setjmp(Back) == 0)
    launchAndJump(V, A);
  CHECK(hostTotal(V) == filled(4));
}

// A coroutine of the C library: writes between the launches, and reads.
static ucontext_t Main, Other;
static int *Buffer;
static long Seen;
static void other() {
  for (;;) {
    Seen = totalOf(Buffer, N);
    Buffer[0] += 7777;
    swapcontext(&Other, &Main);
  }
}
static void contexts() {
  std::vector<int> V(N);
  std::vector<char> Stack(1 << 18);
  Buffer = V.data();
  getcontext(&Other);
  Other.uc_stack = {Stack.data(), 0, Stack.size()};
  Other.uc_link = nullptr;
  makecontext(&Other, other, 0);
  for (int I = 0; I < 5; ++I) {
    ferry::launch<fill>(Whole, V, I);
    swapcontext(&Main, &Other);
    CHECK(Seen == filled(I));
    CHECK(deviceTotal(V) == filled(I) + 7777);
  }
}

int main() {
  jumpsOver();
  callee();
  contexts();
}
