// Memory is freed and comes back at the same address with other contents, grows and
// shrinks by realloc and as vectors do, and comes from arenas and the system.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <memory>
#include <memory_resource>
#include <new>
#include <sys/mman.h>

constexpr std::size_t Bytes = N * sizeof(int);
static std::span<int> whole(int *P) { return {P, N}; }

static void sameAddress() {
  for (int Round = 0; Round < 10; ++Round) {
    int *P = static_cast<int *>(std::malloc(Bytes));
    for (int I = 0; I < N; ++I)
      P[I] = Round;
    CHECK(deviceTotal(whole(P)) == Round * N);
    ferry::launch<add>(Whole, whole(P), 1);
    if (Round % 3 == 0)
      CHECK(hostTotal(whole(P)) == (Round + 1) * N);
    std::free(P);
    // Smaller and larger ones at that address.
    int *Q = static_cast<int *>(std::malloc(Bytes / 2));
    std::iota(Q, Q + N / 2, Round);
    CHECK(deviceTotal({Q, N / 2}) == filled(Round, N / 2));
    std::free(Q);
    int *R = static_cast<int *>(std::calloc(N, sizeof(int)));
    CHECK(deviceTotal(whole(R)) == 0);
    ferry::launch<add>(Whole, whole(R), Round);
    CHECK(R[N - 1] == Round);
    std::free(R);
  }
}

// Freed by another function, which the compiler sees or not; used again by code that
// launches nothing.
[[gnu::noinline]] static void release(int *P) { delete[] P; }
static void freedElsewhere() {
  for (int I = 0; I < 4; ++I) {
    int *P = new int[N];
    ferry::launch<fill>(Whole, whole(P), I);
    if (I % 2)
      release(P);
    else
      call([](void *P) { delete[] static_cast<int *>(P); }, P);
    int *Q = new int[N]();
    CHECK(totalOf(Q, N) == 0);
    Q[0] = 1;
    CHECK(deviceTotal(whole(Q)) == 1);
    delete[] Q;
  }
}

// Freed while the device has the newest version, then the host's for good.
static void hostOnlyThen() {
  int *P = new int[N];
  ferry::launch<fill>(Whole, whole(P), 1);
  delete[] P;
  std::vector<int> V(N, 2);
  long Total = 0;
  for (int &X : V)
    Total += X++;
  CHECK(Total == 2 * N && totalOfVector(V) == 3 * N);
}

static void reallocated() {
  int *P = static_cast<int *>(std::malloc(Bytes));
  ferry::launch<fill>(Whole, whole(P), 1);
  P = static_cast<int *>(std::realloc(P, 100 * Bytes));
  CHECK(hostTotal(whole(P)) == filled(1));
  ferry::launch<add>(Whole, whole(P), 1);
  ferry::launch<fill>(Whole, std::span(P + 5 * N, N), 3);
  P = static_cast<int *>(std::realloc(P, 6 * Bytes));
  CHECK(hostTotal(whole(P)) == filled(2) && hostTotal(whole(P + 5 * N)) == filled(3));
  ferry::launch<add>(Whole, whole(P), 1);
  P = static_cast<int *>(std::realloc(P, Bytes / 2));
  CHECK(hostTotal({P, N / 2}) == filled(3, N / 2));
  CHECK(deviceTotal({P, N / 2}) == filled(3, N / 2));
  std::free(P);
}

static void vectorGrows() {
  std::vector<int> V;
  for (int Round = 1; Round <= 5; ++Round) {
    V.push_back(100);
    V.resize(V.size() + N, -1);
    ferry::launch<add>(ferry::over(V.size()), V, 1);
  }
  // Each round adds one to all that are there.
  long Expected = 0;
  for (int Round = 1; Round <= 5; ++Round)
    Expected += 100 + (6 - Round) + N * (5l - Round);
  CHECK(hostTotal(V) == Expected);
  ferry::launch<fill>(Whole, V, 0);
  V.resize(N);
  V.shrink_to_fit();
  CHECK(hostTotal(V) == filled(0) && deviceTotal(V) == filled(0));
  ferry::launch<add>(Whole, V, 1);
  V.insert(V.begin(), 3, 7);
  CHECK(hostTotal(V) == filled(1) + 21 && V[3] == 1);
  ferry::launch<add>(Whole, V, 1);
  V.erase(V.begin(), V.begin() + 10);
  CHECK(V[0] == 9 && V.back() == N);
  ferry::launch<add>(ferry::over(V.size()), V, 1);
  V.assign(N, 4);
  CHECK(deviceTotal(V) == 4 * N);
  ferry::launch<add>(Whole, V, 1);
  V.clear();
  V.resize(N);
  CHECK(deviceTotal(V) == 0);
  ferry::launch<add>(Whole, V, 1);
  std::vector<int> W = V;
  V = std::vector<int>(N, 2);
  CHECK(hostTotal(W) == N && deviceTotal(V) == 2 * N);
}

// A function's scratch vectors come at one address again and again; the caller's don't.
static long viaScratch(std::span<const int> X, int A) {
  std::vector<int> Scratch(N);
  ferry::launch<copy>(Whole, X, Scratch);
  ferry::launch<add>(Whole, Scratch, A);
  return Scratch[N - 1] + (A % 2 ? hostTotal(Scratch) : 0);
}
static void scratch() {
  std::vector<int> V(N);
  for (int I = 0; I < 6; ++I) {
    ferry::launch<fill>(Whole, V, I);
    CHECK(viaScratch(V, I) == 2 * I + N - 1 + (I % 2 ? filled(2 * I) : 0));
    CHECK(viaScratch(V, 1) == I + N + filled(I + 1));
  }
}

// One block of memory, handed out again and again by hand: nothing is ever freed.
static void arenas() {
  alignas(64) static std::byte Room[4 * Bytes];
  for (int I = 0; I < 4; ++I) {
    std::pmr::monotonic_buffer_resource Arena(Room, sizeof Room);
    std::pmr::vector<int> V(N, I, &Arena), W(N, &Arena);
    ferry::launch<add>(Whole, V, 1);
    ferry::launch<copy>(Whole, V, W);
    CHECK(hostTotal(W) == (I + 1) * N);
  }
  std::unique_ptr<std::byte[]> Own(new std::byte[2 * Bytes]);
  for (int I = 0; I < 4; ++I) {
    int *P = new (Own.get()) int[N], *Q = new (Own.get() + Bytes) int[N];
    std::fill_n(P, N, I);
    ferry::launch<copy>(Whole, whole(P), whole(Q));
    ferry::launch<add>(Whole, whole(P), 1);
    CHECK(hostTotal(whole(Q)) == I * N && hostTotal(whole(P)) == (I + 1) * N);
  }
}

static void fromTheSystem() {
  for (int I = 0; I < 3; ++I) {
    void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(P != MAP_FAILED);
    std::span<int> V = whole(static_cast<int *>(P));
    CHECK(deviceTotal(V) == 0);
    ferry::launch<fill>(Whole, V, I);
    ferry::launch<add>(Whole, V, 1);
    CHECK(hostTotal(V) == filled(I + 1));
    munmap(P, Bytes);
  }
}

static void alignedAndOwned() {
  for (int I = 0; I < 3; ++I) {
    int *P = static_cast<int *>(std::aligned_alloc(4096, 4096));
    std::fill_n(P, N, I);
    ferry::launch<add>(Whole, whole(P), 1);
    CHECK(P[0] == I + 1 && totalOf(P, N) == N * (I + 1));
    std::free(P);
    auto Shared = std::make_shared<int[]>(N, I);
    std::shared_ptr<int[]> Second = Shared;
    ferry::launch<add>(Whole, whole(Shared.get()), 1);
    Shared.reset();
    CHECK(hostTotal(whole(Second.get())) == N * (I + 1));
    std::unique_ptr<std::vector<int>> V(new std::vector<int>(N, I));
    ferry::launch<add>(Whole, *V, 1);
    V.reset(new std::vector<int>(N, 10));
    CHECK(deviceTotal(*V) == 10 * N);
  }
}

// On the stack, where the next call has something else at that address.
[[gnu::noinline]] static long onStack(int A) {
  int V[N];
  for (int &X : V)
    X = A;
  ferry::launch<add>(Whole, std::span(V), 1);
  return V[0] + hostTotal(V);
}
static void stack() {
  for (int I = 0; I < 4; ++I)
    CHECK(onStack(I) == (I + 1) * (N + 1));
}

int main() {
  sameAddress();
  freedElsewhere();
  hostOnlyThen();
  reallocated();
  vectorGrows();
  scratch();
  arenas();
  fromTheSystem();
  alignedAndOwned();
  stack();
}
