// A child process has what its parent's residents had computed when it was forked,
// and nothing else of the parent's devices: its launches run on cpu, and streams of
// the parent are an error, not a wait without end. The parent goes on.
//
// RUN: %run-everywhere --output %t --ways=-O2 %s | FileCheck %s
// CHECK: child: all right
// CHECK: parent: all right

#include <cassert>
#include <cstdio>
#include <cstring>
#include <ferry/ferry.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static void add(int By, std::span<int> V) { V[ferry::global_id()] += By; }

std::vector<int> A(1000, 1), B(1000, 1);

template <class Function> static void refused(Function F) {
  try {
    F();
  } catch (const ferry::error &E) {
    assert(E.code() == ferry::errc::launch_failed);
    assert(std::strstr(E.what(), "before this process was forked"));
    return;
  }
  assert(false);
}

int main() {
  ferry::resident a(A);
  ferry::stream s;
  ferry::event before = s.record();
  ferry::launch<add>(ferry::over(1000), 1, a);
  ferry::launch<add>(ferry::over(1000).on(s), 1, B);
  s.wait();
  pid_t child = fork();
  if (child == 0) {
    assert(A[0] == 2 && A[999] == 2 && B[5] == 2);
    ferry::launch<add>(ferry::over(1000).device(0), 5, a);
    assert(A[0] == 7);
    refused([&] { ferry::launch<add>(ferry::over(1000).on(s), 1, B); });
    refused([&] { s.wait(); });
    refused([&] { before.wait(); });
    {
      // Streams of its own are like any.
      ferry::stream own(0);
      ferry::launch<add>(ferry::over(1000).on(own), 1, B);
      own.wait();
      assert(B[5] == 3);
    }
    std::puts("child: all right");
    return 0; // with the destructors
  }
  int status;
  waitpid(child, &status, 0);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ferry::launch<add>(ferry::over(1000), 1, a);
  ferry::launch<add>(ferry::over(1000).on(s), 1, B);
  s.wait();
  a.to_host();
  assert(A[0] == 3 && A[999] == 3 && B[5] == 3);
  std::puts("parent: all right");
}
