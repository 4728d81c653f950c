// inclusive_scan and exclusive_scan over whole arrays: every size, in place, with
// and without an initial value, operators that are not commutative, other types
// for input, total and output; one launch; the same to the bit in every run;
// from several host threads at once.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.0
#include "Inputs/check.h"
#include <array>
#include <string>
#include <thread>

static const std::size_t Sizes[] = {0, 1, 2, 7, 8, 9, 1000, 8191, 8192, 8193, 16384, 50000, 300007};

/// x -> A * x + B: composition is associative and not commutative.
struct Affine {
  std::uint32_t A, B;
  bool operator==(const Affine &) const = default;
};
struct Compose {
  Affine operator()(Affine X, Affine Y) const { return {X.A * Y.A, Y.A * X.B + Y.B}; }
};

void testSums() {
  for (std::size_t N : Sizes) {
    std::vector<int> In(N), Out(N + 3, -1);
    for (std::size_t I = 0; I < N; ++I)
      In[I] = int(I * 37 % 101) - 45;
    ferry::inclusive_scan(In, Out);
    int Sum = 0;
    for (std::size_t I = 0; I < N; ++I)
      CHECK(Out[I] == (Sum += In[I]));
    for (std::size_t I = N; I < Out.size(); ++I)
      CHECK(Out[I] == -1);

    ferry::inclusive_scan(In, Out, [](int A, int B) { return A < B ? B : A; }, 3);
    int Most = 3;
    for (std::size_t I = 0; I < N; ++I)
      CHECK(Out[I] == (Most = std::max(Most, In[I])));

    // Bytes in, long totals, doubles out.
    std::vector<unsigned char> Bytes(N);
    for (std::size_t I = 0; I < N; ++I)
      Bytes[I] = static_cast<unsigned char>(I * 11);
    std::vector<double> Offsets(N);
    ferry::exclusive_scan(Bytes, Offsets, 1l << 40);
    long Total = 1l << 40;
    for (std::size_t I = 0; I < N; ++I) {
      CHECK(Offsets[I] == double(Total));
      Total += Bytes[I];
    }

    // In place.
    std::vector<int> V = In;
    ferry::exclusive_scan(V, V, 100);
    Sum = 100;
    for (std::size_t I = 0; I < N; ++I) {
      CHECK(V[I] == Sum);
      Sum += In[I];
    }
  }
}

void testOrder() {
  for (std::size_t N : Sizes) {
    std::vector<Affine> In(N), Upto(N), Before(N);
    for (std::size_t I = 0; I < N; ++I)
      In[I] = {2 * std::uint32_t(I) + 3, std::uint32_t(I) * 7};
    ferry::inclusive_scan(In, Upto, Compose());
    ferry::exclusive_scan(In, Before, Affine{5, 9}, Compose());
    Affine Sofar = {1, 0}, From = {5, 9};
    for (std::size_t I = 0; I < N; ++I) {
      CHECK(Before[I] == From);
      Sofar = Compose()(Sofar, In[I]);
      From = Compose()(From, In[I]);
      CHECK(Upto[I] == Sofar);
    }
  }
}

void testSameBits() {
  std::vector<float> In(200001), First(In.size()), Again(In.size());
  for (std::size_t I = 0; I < In.size(); ++I)
    In[I] = 1.f / float(I + 1);
  ferry::inclusive_scan(In, First);
  for (int Round = 0; Round < 10; ++Round) {
    ferry::inclusive_scan(In, Again);
    CHECK(std::memcmp(First.data(), Again.data(), In.size() * sizeof(float)) == 0);
  }
  CHECK(First.back() > 12.7f && First.back() < 12.9f);
}

void testLaunches() {
  std::array<int, 5> In = {1, 2, 3, 4, 5};
  int Out[5];
  ferry::statistics A = ferry::stats();
  ferry::inclusive_scan(In, Out);
  CHECK(ferry::stats().launches - A.launches == 1);
  CHECK(Out[4] == 15);
  std::span<const int> Some(In.data() + 1, 3);
  std::vector<int> Three(3);
  ferry::inclusive_scan(Some, std::span(Three));
  CHECK(Three[2] == 9);
  try {
    std::vector<int> Short(4);
    ferry::inclusive_scan(In, Short);
    CHECK(false);
  } catch (const ferry::error &E) {
    CHECK(E.code() == ferry::errc::invalid_argument);
    CHECK(std::string(E.what()).find("the output has 4 elements, and the input 5") != std::string::npos);
    CHECK(std::string(E.what()).find("scan.cpp:") != std::string::npos);
  }
}

void testThreads() {
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([T] {
      for (std::size_t N = 1; N < 100000; N = N * 3 + std::size_t(T)) {
        std::vector<std::size_t> V(N, std::size_t(T) + 1);
        ferry::inclusive_scan(V, V);
        for (std::size_t I = 0; I < N; ++I)
          CHECK(V[I] == (I + 1) * (std::size_t(T) + 1));
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

int main() {
  testSums();
  testOrder();
  testSameBits();
  testLaunches();
  testThreads();
}
