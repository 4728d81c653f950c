// Buffers are reached through lambdas, std::function, std::bind, objects that are called
// and a coroutine's frame.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <coroutine>
#include <functional>

static void byReference() {
  std::vector<int> V(N);
  auto Look = [&] { return hostTotal(V); };
  auto Set = [&V](int I, int A) { V[I] = A; };
  auto Launch = [&](int A) { ferry::launch<add>(Whole, V, A); };
  for (int I = 1; I <= 5; ++I) {
    Launch(I);
    CHECK(Look() == N * (I * (I + 1) / 2));
    Set(0, I * (I + 1) / 2 + 10);
    CHECK(deviceTotal(V) == Look());
    Set(0, I * (I + 1) / 2);
  }
}

static void byValue() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  auto Copied = [V] { return hostTotal(V); };
  auto Pointer = [P = V.data()](int I) -> int & { return P[I]; };
  auto Moved = [W = std::vector<int>(N, 4)](int A) mutable {
    ferry::launch<add>(Whole, W, A);
    return W[N - 1];
  };
  ferry::launch<add>(Whole, V, 1);
  CHECK(Copied() == filled(1));
  CHECK(Pointer(3) == 5);
  Pointer(3) = 0;
  CHECK(deviceTotal(V) == filled(2) - 5);
  CHECK(Moved(1) == 5 && Moved(2) == 7);
  auto Twin = Moved; // A copy of what is on the device.
  CHECK(Twin(1) == 8 && Moved(0) == 7 && Twin(1) == 9);
}

static std::function<int(int)> maker(int A) {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, A);
  return [V = std::move(V)](int I) mutable {
    ferry::launch<add>(ferry::over(1), V, 1);
    return V[I];
  };
}
static void functions() {
  std::vector<int> V(N);
  std::function<long()> Look = [&] { return hostTotal(V); };
  std::vector<std::function<void()>> Steps;
  for (int A = 1; A <= 4; ++A)
    Steps.push_back([&V, A] { ferry::launch<add>(Whole, V, A); });
  Steps.push_back([&V] { V[0] = 0; });
  for (auto &Step : Steps)
    Step();
  CHECK(Look() == 10 * N - 10);
  std::function<int(int)> F = maker(5), G = F;
  CHECK(F(0) == 6 && F(0) == 7 && G(0) == 6 && F(10) == 15);
  F = maker(7);
  CHECK(F(N - 1) == 7 + N - 1 && G(1) == 6);
  auto Set = std::bind([](std::vector<int> &V, int A) { V[1] = A; }, std::ref(V), std::placeholders::_1);
  ferry::launch<fill>(Whole, V, 1);
  Set(50);
  CHECK(deviceTotal(V) == filled(1) + 48);
}

struct Simulation {
  std::vector<int> V = std::vector<int>(N);
  int Steps = 0;
  void operator()() {
    ferry::launch<add>(Whole, V, 1);
    ++Steps;
  }
  int first() const { return V.front(); }
  int &last() { return V.back(); }
};
static void objects() {
  Simulation S;
  for (int I = 0; I < 5; ++I)
    S();
  CHECK(S.first() == 5 && S.Steps == 5);
  S.last() = 0;
  Simulation T = S;
  S();
  CHECK(S.last() == 1 && T.last() == 0 && T.first() == 5 && deviceTotal(S.V) == 6 * N - 5);
}

// Stops between launch and read; in between another one runs.
struct Task {
  struct promise_type {
    int Value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int V) {
      Value = V;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> Handle;
  int next() {
    Handle.resume();
    return Handle.promise().Value;
  }
};
static Task steps(std::vector<int> &Shared) {
  std::vector<int> Mine(N);
  for (int I = 1;; ++I) {
    ferry::launch<add>(Whole, Mine, I);
    ferry::launch<add>(Whole, Shared, 1);
    co_yield Mine[0] + Shared[1];
    Mine[0] += 100;
  }
}
static void coroutines() {
  std::vector<int> Shared(N);
  Task A = steps(Shared), B = steps(Shared);
  CHECK(A.next() == 1 + 1 && B.next() == 1 + 2 && A.next() == 103 + 3);
  Shared[1] = 50;
  CHECK(B.next() == 103 + 51 && A.next() == 206 + 52 && hostTotal(Shared) == 5 * N + 47);
  A.Handle.destroy();
  B.Handle.destroy();
}

int main() {
  byReference();
  byValue();
  functions();
  objects();
  coroutines();
}
