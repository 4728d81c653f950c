// Handlers and destructors look at what was on the device when an exception passed,
// thrown by unknown code, by code that is seen, and by a launch.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <exception>
#include <memory>
#include <new>

static void handler(bool Wanted) {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  try {
    throwIf(Wanted, 7);
    ferry::launch<fill>(Whole, V, 2);
    throwIf(!Wanted, 8);
    CHECK(false);
  } catch (int What) {
    CHECK(What == (Wanted ? 7 : 8));
    CHECK(hostTotal(V) == filled(Wanted ? 1 : 2));
    V[0] = 0;
  }
  CHECK(deviceTotal(V) == filled(Wanted ? 1 : 2) - (Wanted ? 1 : 2));
}

// It is the caller's buffer.
static void launchAndThrow(std::vector<int> &V, int A) {
  ferry::launch<fill>(Whole, V, A);
  throwIf(yes(), A);
}
static void callersBuffer() {
  std::vector<int> V(N);
  long Total = 0;
  for (int I = 1; I <= 3; ++I)
    try {
      launchAndThrow(V, I);
    } catch (int What) {
      Total += hostTotal(V) - filled(What);
      V[What] = 0;
    }
  CHECK(Total == 0 && deviceTotal(V) == filled(3) - 6);
}

// A destructor is the only one who looks.
static long Seen;
struct Looks {
  const std::vector<int> &V;
  ~Looks() { Seen = hostTotal(V); }
};
static void destructor() {
  try {
    std::vector<int> V(N);
    Looks L{V};
    ferry::launch<fill>(Whole, V, 1);
    ferry::launch<add>(Whole, V, 1);
    throwIf(yes(), 1);
  } catch (int) {
  }
  CHECK(Seen == filled(2));
}

// The buffer is freed while the exception passes, and its memory used again.
static void freed() {
  for (int I = 0; I < 4; ++I) {
    try {
      std::vector<int> V(N, I);
      ferry::launch<add>(Whole, V, 1);
      throwIf(I % 2, 1);
      ferry::launch<add>(Whole, V, 1);
      throwIf(yes(), 2);
    } catch (int) {
    }
    std::vector<int> W(N, 5);
    CHECK(deviceTotal(W) == 5 * N);
    ferry::launch<add>(Whole, W, 1);
    CHECK(hostTotal(W) == 6 * N);
  }
}

// What is thrown carries the buffer.
struct Error {
  std::shared_ptr<std::vector<int>> V;
};
static void carried() {
  try {
    auto V = std::make_shared<std::vector<int>>(N);
    ferry::launch<fill>(Whole, *V, 1);
    if (yes())
      throw Error{V};
  } catch (Error &E) {
    CHECK(hostTotal(*E.V) == filled(1));
    ferry::launch<add>(Whole, *E.V, 1);
    try {
      throw;
    } catch (Error &Again) {
      CHECK(hostTotal(*Again.V) == filled(2));
    }
  }
}

// A launch fails after others have succeeded.
static void fails(std::span<int> Y, int Limit) {
  std::size_t I = ferry::global_id();
  if (Y[I] >= Limit)
    __builtin_trap();
}
static void launchFails() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  try {
    ferry::launch<fails>(Whole, V, 3);
    CHECK(false);
  } catch (const ferry::error &) {
    CHECK(hostTotal(V) == filled(1));
  }
  ferry::launch<add>(Whole, V, 1);
  CHECK(!ferry::try_launch<fails>(Whole, V, 3));
  CHECK(hostTotal(V) == filled(2));
  V[N - 1] = 0;
  CHECK(deviceTotal(V) == filled(2, N - 1));
}

static void allocationFails() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  try {
    V.reserve(V.max_size());
    CHECK(false);
  } catch (const std::exception &) {
  }
  CHECK(hostTotal(V) == filled(1));
}

// std::terminate's handler is the last who can look.
static int *Last;
static void terminates() {
  std::vector<int> V(N);
  Last = V.data();
  std::set_terminate([] {
    CHECK(totalOf(Last, N) == filled(4));
    std::puts("terminated");
    std::fflush(stdout);
    std::_Exit(0);
  });
  ferry::launch<fill>(Whole, V, 4);
  [&]() noexcept { throwIf(yes(), 1); }();
}

int main() {
  handler(true);
  handler(false);
  callersBuffer();
  destructor();
  freed();
  carried();
  launchFails();
  allocationFails();
  terminates();
}
