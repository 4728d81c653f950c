// Launches and copies in streams: order inside of one, independence of others,
// events, what is copied when it is given, where errors come out.
//
// RUN: %run-everywhere --output %t %s | FileCheck %s
// CHECK: all right

#include <array>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <ferry/ferry.h>
#include <thread>
#include <vector>

static bool onCpu;
constexpr std::size_t N = 2000;

static void add(int By, std::span<int> V) { V[ferry::global_id()] += By; }
static void triple(std::span<int> V) { V[ferry::global_id()] *= 3; }
static void addOne(int &V) { V += 1; }
static void sum(std::span<const int> V, int &Total) {
  Total = 0;
  for (int X : V)
    Total += X;
}
struct Large {
  int Values[200];
};
static void addLarge(Large L, std::span<int> V) {
  V[ferry::global_id()] += L.Values[ferry::global_id() % 200];
}
static void check(std::span<const int> V, int Wanted) {
  assert(V[ferry::global_id()] == Wanted);
}

static void inOrder() {
  std::vector<int> V(N, 1);
  int Total = 0;
  ferry::stream S;
  for (int I = 0; I < 5; ++I) {
    ferry::launch<add>(ferry::over(N).on(S), 1, V);
    ferry::launch<triple>(ferry::over(N).on(S), V);
  }
  ferry::launch<sum>(ferry::blocks(1).threads(1).on(S), V, Total);
  S.wait();
  int X = 1;
  for (int I = 0; I < 5; ++I)
    X = (X + 1) * 3;
  assert(V[0] == X && V[N - 1] == X && Total == int(N) * X);
  // What the compiler knows of V it has not forgotten.
  ferry::launch<add>(ferry::over(N), 1, V);
  assert(V[5] == X + 1);
}

/// What the compiler left on a device comes home before a stream has it.
static void afterLaunches() {
  std::vector<int> V(N, 1);
  for (int I = 0; I < 3; ++I)
    ferry::launch<add>(ferry::over(N), 1, V);
  ferry::stream S;
  ferry::launch<triple>(ferry::over(N).on(S), V);
  S.wait();
  for (int X : V)
    assert(X == 12);
}

static void values() {
  std::vector<int> V(N, 1);
  ferry::stream S;
  for (int I = 0; I < 4; ++I) {
    Large L;
    for (int &X : L.Values)
      X = I;
    ferry::launch<addLarge>(ferry::over(N).on(S), L, V);
    L = {};
  }
  int By = 10;
  ferry::parallel_for(
      ferry::over(N).on(S),
      [By](std::size_t I, std::span<int> V) { V[I] += By; }, V);
  S.wait();
  assert(V[0] == 17 && V[199] == 17 && V[200] == 17);
}

static void residents() {
  static std::vector<int> A(N, 1), B(N, 2);
  ferry::statistics Before = ferry::stats();
  auto Bytes = [&](std::uint64_t To, std::uint64_t Back) {
    ferry::statistics Now = ferry::stats();
    assert(Now.bytes_to_device - Before.bytes_to_device == (onCpu ? 0 : To));
    assert(Now.bytes_to_host - Before.bytes_to_host == (onCpu ? 0 : Back));
    Before = Now;
  };
  {
    ferry::stream S, T;
    ferry::resident a(A), b(B);
    S.to_device(a);
    T.to_device(b, 0, N / 2);
    S.wait();
    T.wait();
    Bytes(4 * N + 2 * N, 0);
    for (int I = 0; I < 10; ++I) {
      ferry::launch<add>(ferry::over(N).on(S), 1, a);
      ferry::launch<add>(ferry::over(N).on(T), 1, b);
    }
    S.to_host(a, 0, 1);
    ferry::event Both = S.record();
    T.after(Both);
    T.to_host(b, 1, 1);
    T.wait();
    assert(Both.done());
    Bytes(2 * N, 8);
    assert(A[0] == 11 && B[1] == 12);
    A[0] = 100;
    S.to_device(a, 0, 1);
    ferry::launch<add>(ferry::over(N).on(S), 1, a);
    S.wait();
  }
  Bytes(4, 8 * N - 4);
  assert(A[0] == 101 && A[1] == 12 && B[0] == 12 && B[N - 1] == 12);
}

static void events() {
  std::vector<int> V(N, 0);
  ferry::stream S, T;
  for (int I = 0; I < 20; ++I) {
    ferry::launch<add>(ferry::over(N).on(S), 1, V);
    T.after(S.record());
    ferry::launch<triple>(ferry::over(N).on(T), V);
    S.after(T.record());
  }
  ferry::event Last = S.record();
  Last.wait();
  assert(Last.done());
  unsigned X = 0;
  for (int I = 0; I < 20; ++I)
    X = (X + 1) * 3;
  assert(unsigned(V[0]) == X && unsigned(V[N - 1]) == X);
  // Of a stream that is gone.
  ferry::event Old = [] { return ferry::stream().record(); }();
  Old.wait();
  assert(Old.done());
  T.after(Old);
  T.wait();
}

template <class Function>
static void fails(ferry::errc Code, const char *Says, Function F) {
  try {
    F();
  } catch (const ferry::error &E) {
    if (E.code() != Code || !std::strstr(E.what(), Says)) {
      std::puts(E.what());
      assert(false);
    }
    return;
  }
  assert(false);
}

static void errors() {
  std::vector<int> V(N, 1), W(N, 1);
  ferry::stream S, T;
  // A failed assert in the middle: what comes after is left out.
  ferry::launch<add>(ferry::over(N).on(S), 1, V);
  ferry::launch<check>(ferry::over(N).on(S), V, 3);
  ferry::launch<add>(ferry::over(N).on(S), 1, V);
  ferry::event Failed = S.record();
  T.after(Failed);
  ferry::launch<add>(ferry::over(N).on(T), 1, W);
  fails(ferry::errc::panic, "V[ferry::global_id()] == Wanted", [&] { T.wait(); });
  fails(ferry::errc::panic, "kernel", [&] { Failed.wait(); });
  fails(ferry::errc::panic, "kernel 'check'", [&] { S.wait(); });
  assert(V[0] == 2 && W[0] == 1);
  // And then it goes on.
  S.wait();
  ferry::launch<add>(ferry::over(N).on(S), 1, V);
  ferry::launch<add>(ferry::blocks(1).threads(5000).on(S), 1, V);
  ferry::status Status = S.try_wait();
  assert(!Status && Status.code() == ferry::errc::invalid_shape && V[0] == 3);

  // What is wrong in the giving.
  fails(ferry::errc::invalid_argument, "argument 1 is a temporary", [&] {
    int Total;
    ferry::launch<sum>(ferry::over(1).on(S), std::vector<int>(3), Total);
  });
  fails(ferry::errc::no_device, "device 77", [&] {
    ferry::launch<add>(ferry::over(N).on(S).device(77), 1, V);
  });
  fails(ferry::errc::no_device, "device", [] { ferry::stream(77); });
  fails(ferry::errc::no_device, "device", [] { ferry::stream(-1); });
  ferry::stream Moved = std::move(T);
  fails(ferry::errc::invalid_argument, "it has ended", [&] {
    ferry::launch<add>(ferry::over(N).on(T), 1, V);
  });
  Moved.wait();
}

static void devices() {
  std::vector<int> V(N, 0);
  int Devices = ferry::devices(), Per = N / Devices;
  std::vector<ferry::stream> All;
  for (int D = 0; D < Devices; ++D)
    All.emplace_back(D);
  for (int Round = 0; Round < 3; ++Round)
    for (int D = 0; D < Devices; ++D)
      ferry::launch<add>(ferry::over(Per).on(All[D]), D,
                         std::span(V).subspan(D * Per, Per));
  for (ferry::stream &S : All)
    S.wait();
  for (int I = 0; I < Devices * Per; ++I)
    assert(V[I] == I / Per * 3);
}

static void manyThreads() {
  std::vector<int> Results(8, 0);
  std::vector<std::thread> Threads;
  for (int &R : Results)
    Threads.emplace_back([&R] {
      ferry::stream S;
      for (int I = 0; I < 100; ++I)
        ferry::launch<addOne>(ferry::over(1).on(S), R);
      S.wait();
    });
  for (std::thread &T : Threads)
    T.join();
  for (int R : Results)
    assert(R == 100);
}

static void reduction() {
  std::vector<int> V(N, 1);
  ferry::stream S;
  ferry::launch<triple>(ferry::over(N).on(S), V);
  int Total = ferry::parallel_reduce(
      ferry::over(N).on(S), 0, [](int A, int B) { return A + B; },
      [](std::size_t I, std::span<const int> V) { return V[I]; }, V);
  assert(Total == 3 * int(N));
}

int main() {
  onCpu = ferry::device_name(ferry::current_device()) == "cpu";
  inOrder();
  afterLaunches();
  values();
  residents();
  events();
  errors();
  devices();
  manyThreads();
  reduction();
  std::puts("all right");
}
