// A launch works wherever a function call does: in a loop, a branch, a
// destructor, a thread, a static initialiser, a lambda, an at-exit
// handler, a static destructor, a virtual function.
// RUN: %run-everywhere --output %t %s | FileCheck %s
// CHECK: static initialiser 7
// CHECK: main done
// CHECK: atexit 107
// CHECK: static destructor 1007
#include "Inputs/check.h"
#include <algorithm>
#include <functional>
#include <thread>

void add(std::span<int> V, int A) { V[ferry::global_id()] += A; }
void addElsewhere(std::span<int> V, int A) { V[ferry::global_id()] += A; }

static int atStart() {
  std::vector<int> V(1000, 3);
  ferry::launch<add>(ferry::over(1000), V, 4);
  CHECK(std::all_of(V.begin(), V.end(), [](int X) { return X == 7; }));
  return V[999];
}
static int FromInitialiser = atStart();

struct AtEnd {
  ~AtEnd() {
    std::vector<int> V(10, 7);
    ferry::launch<add>(ferry::over(10), V, 1000);
    std::printf("static destructor %d\n", V[9]);
  }
};
static AtEnd LaunchesAtEnd;

static void atExit() {
  std::vector<int> V(10, 7);
  ferry::launch<add>(ferry::over(10), V, 100);
  std::printf("atexit %d\n", V[9]);
}

struct Guard {
  std::vector<int> &V;
  ~Guard() { ferry::launch<add>(ferry::over(V.size()), V, 5); }
};

struct Base {
  virtual ~Base() = default;
  virtual void go(std::vector<int> &V) = 0;
};
struct Derived : Base {
  void go(std::vector<int> &V) override { ferry::launch<addElsewhere>(ferry::over(V.size()), V, 6); }
};

int main(int Argc, char **) {
  std::printf("static initialiser %d\n", FromInitialiser);
  std::atexit(atExit);

  std::vector<int> V(100, 0);
  for (int I = 0; I < 1000; ++I)
    ferry::launch<add>(ferry::over(100), V, 1);
  CHECK(V[0] == 1000 && V[99] == 1000);

  if (Argc > 5)
    ferry::launch<add>(ferry::over(100), V, 1);
  else
    ferry::launch<addElsewhere>(ferry::over(100), V, 2);
  Argc > 5 ? ferry::launch<add>(ferry::over(100), V, 1) : ferry::launch<add>(ferry::over(50), V, -2);
  CHECK(V[0] == 1000 && V[49] == 1000 && V[50] == 1002);

  { Guard G{V}; }
  CHECK(V[0] == 1005 && V[99] == 1007);
  try {
    Guard G{V};
    throw 1;
  } catch (int) {
  }
  CHECK(V[0] == 1010);

  std::thread([&] { ferry::launch<add>(ferry::over(100), V, 3); }).join();
  CHECK(V[0] == 1013);

  Derived D;
  Base &B = D;
  B.go(V);
  CHECK(V[0] == 1019);

  std::function<void(int)> F = [&](int A) { ferry::launch<add>(ferry::over(100), V, A); };
  F(1);
  CHECK(V[0] == 1020 && V[99] == 1022);
  auto Recurse = [&](auto &Self, int N) -> void {
    if (N)
      Self(Self, N - 1);
    ferry::launch<add>(ferry::over(1), V, N);
  };
  Recurse(Recurse, 4);
  CHECK(V[0] == 1030);
  static int InFunction = (ferry::launch<add>(ferry::over(1), V, 1), V[0]);
  CHECK(InFunction == 1031);
  std::printf("main done\n");
}
