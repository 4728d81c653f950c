// The last launch is before the end of main; who looks comes after: destructors of
// static objects, functions given to atexit, quick_exit, and at a thread's end.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp | FileCheck %s
// CHECK: main ends
// CHECK-NEXT: atexit sees 502500 and 7
// CHECK-NEXT: quick exit sees 504500
// CHECK-NEXT: exit in a function: 505500
// CHECK-NEXT: destructor sees 505500, the vector 0
// CHECK-NEXT: no exit handlers, but 506500
// CHECK-NEXT: destructor sees 503500, the vector 500500
#include "Inputs/kept.h"
#include <sys/wait.h>
#include <unistd.h>

static int *Heap, Fixed[N];

struct Owner {
  std::vector<int> V = std::vector<int>(N);
  ~Owner() { std::printf("destructor sees %ld, the vector %ld\n", totalOf(Heap, N), hostTotal(V)); }
};
static Owner Static;

// Runs first: given last.
static void look() {
  std::printf("atexit sees %ld and %d\n", hostTotal({Heap, N}), Fixed[6]);
  // And it launches once more.
  ferry::launch<add>(Whole, std::span(Heap, N), 1);
}

/// In a child process, which ends in a way of its own.
template <class F> static void inChild(F &&Body) {
  std::fflush(stdout);
  if (pid_t Child = fork()) {
    int Status;
    waitpid(Child, &Status, 0);
    CHECK(Status == 0);
  } else {
    Body();
  }
}

[[gnu::noinline]] static void leave(int *P, int A) {
  ferry::launch<fill>(Whole, std::span(P, N), A);
  std::exit(0);
}

int main(int Count, char **Arguments) {
  if (Count > 1) { // Started again by itself.
    static int *Data;
    Data = new int[N];
    auto Show = [] {
      std::printf("%s %ld\n", Data[0] == 5 ? "quick exit sees" : "exit in a function:", hostTotal({Data, N}));
      std::fflush(stdout);
    };
    switch (Arguments[1][0]) {
    case 'q':
      std::at_quick_exit(Show);
      ferry::launch<fill>(Whole, std::span(Data, N), 5);
      std::quick_exit(0);
    case 'e':
      std::atexit(Show);
      Heap = Data;
      leave(Data, 6);
      break;
    case '_':
      ferry::launch<fill>(Whole, std::span(Data, N), 7);
      std::printf("no exit handlers, but %ld\n", totalOf(Data, N));
      std::fflush(stdout);
      _exit(0);
    }
  }
  // The children come after main's end and before the destructors.
  static char *Program;
  Program = Arguments[0];
  std::atexit([] {
    for (const char *Way : {"q", "e", "_"})
      inChild([&] { execl(Program, Program, Way, nullptr); });
  });
  Heap = new int[N];
  std::atexit(look);
  ferry::launch<fill>(Whole, Static.V, 1);
  ferry::launch<fill>(Whole, std::span(Heap, N), 3);
  ferry::launch<fill>(Whole, Fixed, 1);
  std::puts("main ends");
}
