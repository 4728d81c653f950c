// Other threads read and write what kernels wrote and read: started before and after
// the launch, told by a mutex, an atomic, a barrier or by being joined.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

static void startedAfter() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  long Seen = 0;
  std::thread([&] { Seen = hostTotal(V), V[0] = 1000; }).join();
  CHECK(Seen == filled(1));
  CHECK(deviceTotal(V) == filled(1) + 999);
  // By value: a pointer goes along.
  ferry::launch<fill>(Whole, V, 2);
  auto Later = std::async(std::launch::async, [P = V.data()] { return totalOf(P, N); });
  CHECK(Later.get() == filled(2));
}

static void flag() {
  std::vector<int> V(N);
  std::atomic<int> Turn = 0;
  long Seen = 0;
  std::thread T([&] {
    for (int I = 0; I < 10; ++I) {
      while (Turn.load(std::memory_order_acquire) != 2 * I + 1)
        ;
      Seen += V[I];
      V[I] = -1;
      Turn.store(2 * I + 2, std::memory_order_release);
    }
  });
  long Expected = 0;
  for (int I = 0; I < 10; ++I) {
    ferry::launch<fill>(Whole, V, I);
    Turn.store(2 * I + 1, std::memory_order_release);
    while (Turn.load(std::memory_order_acquire) != 2 * I + 2)
      ;
    Expected += 2 * I;
    CHECK(deviceTotal(V) == filled(I) - 2 * I - 1);
  }
  T.join();
  CHECK(Seen == Expected);
}

// The buffer is reached through a global pointer, which the thread has had all along.
static std::unique_ptr<std::vector<int>> Shared;
static std::mutex Lock;
static std::condition_variable Changed;
static int Filled = 0, Looked = 0;
static void looker() {
  std::unique_lock L(Lock);
  for (int I = 1; I <= 5; ++I) {
    Changed.wait(L, [I] { return Filled == I; });
    if (hostTotal(*Shared) == filled(I))
      ++Looked;
    Changed.notify_all();
  }
}
static void conditionVariable() {
  Shared = std::make_unique<std::vector<int>>(N);
  std::thread T(looker);
  for (int I = 1; I <= 5; ++I) {
    std::unique_lock L(Lock);
    ferry::launch<fill>(Whole, *Shared, I);
    Filled = I;
    Changed.notify_all();
    Changed.wait(L, [I] { return Looked == I; });
  }
  T.join();
  CHECK(Looked == 5);
}

// Two threads that launch on one buffer in turns, and a third that looks.
static void turns() {
  std::vector<int> V(N);
  std::barrier<> Round(3);
  auto Adds = [&](int Mine) {
    for (int I = 0; I < 10; ++I) {
      if (I % 2 == Mine)
        ferry::launch<add>(Whole, V, 1);
      Round.arrive_and_wait();
      Round.arrive_and_wait();
    }
  };
  std::thread A(Adds, 0), B(Adds, 1);
  for (int I = 0; I < 10; ++I) {
    Round.arrive_and_wait();
    CHECK(hostTotal(V) == N * (I + 1));
    Round.arrive_and_wait();
  }
  A.join(), B.join();
}

// One thread allocates and launches, another looks, a third frees.
static void handedOver() {
  std::promise<int *> Made, Seen;
  std::thread A([&] {
    int *P = new int[N];
    ferry::launch<fill>(Whole, ferry::out(P, N), 1);
    ferry::launch<add>(Whole, ferry::inout(P, N), 1);
    Made.set_value(P);
  });
  std::thread B([&, F = Made.get_future()]() mutable {
    int *P = F.get();
    CHECK(hostTotal(std::span(P, N)) == filled(2));
    ferry::launch<add>(Whole, ferry::inout(P, N), 1);
    Seen.set_value(P);
  });
  int *P = Seen.get_future().get();
  CHECK(hostTotal(std::span(P, N)) == filled(3));
  delete[] P;
  A.join(), B.join();
}

// The rest of an allocation belongs to another thread during the launch.
static void otherHalf() {
  std::vector<int> V(2 * N);
  std::atomic<bool> Stop = false;
  std::thread T([&] {
    do
      for (int I = N; I < 2 * N; ++I)
        ++V[I];
    while (!Stop);
    for (int I = N + 1; I < 2 * N; ++I)
      CHECK(V[I] == V[N]);
  });
  for (int I = 0; I < 20; ++I)
    ferry::launch<add>(Whole, std::span(V).first(N), 1);
  Stop = true;
  T.join();
  CHECK(hostTotal(std::span(V).first(N)) == 20 * N && V[N] > 0 && V[N] == V[2 * N - 1]);
}

// A buffer of the thread's own, looked at by its destructors at the thread's end.
struct Own {
  std::vector<int> V = std::vector<int>(N);
  std::atomic<long> *Result = nullptr;
  ~Own() {
    if (Result)
      *Result += hostTotal(V);
  }
};
static thread_local Own Mine;
static void threadLocal() {
  std::atomic<long> Result = 0;
  auto Body = [&](int A) {
    Mine.Result = &Result;
    ferry::launch<fill>(Whole, Mine.V, A);
  };
  std::thread A(Body, 1), B(Body, 2);
  A.join(), B.join();
  CHECK(Result == filled(1) + filled(2));
}

int main() {
  startedAfter();
  flag();
  conditionVariable();
  turns();
  handedOver();
  otherHalf();
  threadLocal();
}
