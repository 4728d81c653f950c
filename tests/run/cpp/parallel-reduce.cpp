// parallel_reduce: every size, structs and large types, operators and lambdas
// that capture, all kinds of arguments, grids; nothing but the result is copied
// back; the same to the bit in every run; from several host threads at once; a
// failed launch does not disturb the next.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.0
#include "Inputs/check.h"
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

static const std::size_t Sizes[] = {0, 1, 2, 31, 63, 64, 65, 127, 1000, 4096, 4097, 65537, 1'000'003};

template <class T> void testSum() {
  for (std::size_t N : Sizes) {
    std::vector<T> V(N);
    T Want = 7;
    for (std::size_t I = 0; I < N; ++I)
      Want = static_cast<T>(Want + (V[I] = static_cast<T>(I % 5)));
    T Got = ferry::parallel_reduce(
        ferry::over(N), T(7), std::plus<T>(), [](std::size_t I, std::span<const T> V) { return V[I]; }, V);
    CHECK(Got == Want);
  }
}

struct Best {
  float Value;
  std::uint32_t At;
};
struct Moments {
  double Sum[40];
};
/// Its constructor is no business of a device.
struct Odd {
  int V;
  explicit Odd(int V) : V(V) {}
};

void testStructs() {
  for (std::size_t N : Sizes) {
    if (N == 0)
      continue;
    std::vector<float> V(N);
    for (std::size_t I = 0; I < N; ++I)
      V[I] = std::sin(float(I) * 1.7f);
    Best B = ferry::parallel_reduce(
        ferry::over(N), Best{-2, ~0u},
        [](Best A, Best B) { return A.Value > B.Value || (A.Value == B.Value && A.At < B.At) ? A : B; },
        [](std::size_t I, std::span<const float> V) { return Best{V[I], std::uint32_t(I)}; }, V);
    std::size_t At = 0;
    for (std::size_t I = 1; I < N; ++I)
      At = V[I] > V[At] ? I : At;
    CHECK(B.At == At && B.Value == V[At]);
  }
  std::size_t N = 5000;
  Moments M = ferry::parallel_reduce(
      ferry::over(N), Moments{},
      [](Moments A, const Moments &B) {
        for (int J = 0; J < 40; ++J)
          A.Sum[J] += B.Sum[J];
        return A;
      },
      [](std::size_t I) {
        Moments M;
        for (int J = 0; J < 40; ++J)
          M.Sum[J] = double(I * std::size_t(J));
        return M;
      });
  for (int J = 0; J < 40; ++J)
    CHECK(M.Sum[J] == J * double(N * (N - 1) / 2));
  Odd O = ferry::parallel_reduce(
      ferry::over(N), Odd(3), [](Odd A, Odd B) { return Odd(A.V ^ B.V); }, [](int I) { return Odd(I); });
  int Want = 3;
  for (int I = 0; I < int(N); ++I)
    Want ^= I;
  CHECK(O.V == Want);
}

void testArguments() {
  std::vector<int> V = {3, 1, 4, 1, 5, 9, 2, 6};
  double Scale = 0.5;
  int Offset = 10;
  std::vector<int> Seen(V.size());
  const int *P = V.data();
  // By value, by reference, written memory, in(), a capture.
  double S = ferry::parallel_reduce(
      ferry::over(V.size()), 0.0, [Scale](double A, double B) { return A + B + 0 * Scale; },
      [Offset](std::size_t I, std::span<const int> V, double Scale, const int *P, std::span<int> Seen) {
        Seen[I] = V[I] + Offset;
        return V[I] * Scale + P[I];
      },
      V, Scale, ferry::in(P, V.size()), Seen);
  CHECK(S == 31 * 1.5);
  for (std::size_t I = 0; I < V.size(); ++I)
    CHECK(Seen[I] == V[I] + 10);
  // A constant for a narrower parameter.
  CHECK(ferry::parallel_reduce(
            ferry::over(4), 0u, std::plus<>(), [](std::size_t I, unsigned By) { return unsigned(I) * By; }, 3) == 18);
  // Shapes of several dimensions and grids.
  auto Number = [](std::size_t I) { return I; };
  CHECK(ferry::parallel_reduce(ferry::over(3, 4, 5), std::size_t(0), std::plus<>(), Number) == 59 * 60 / 2);
  CHECK(ferry::parallel_reduce(ferry::blocks(7, 2).threads(16, 2), std::size_t(0), std::plus<>(), Number) ==
        447 * 448 / 2);
  CHECK(ferry::parallel_reduce(ferry::over(0, 5), std::size_t(42), std::plus<>(), Number) == 42);
  CHECK(ferry::parallel_reduce(ferry::over(1 << 20).device(0), std::size_t(0), std::plus<>(), Number) ==
        ((std::size_t(1) << 20) - 1) << 19);
}

void testCopies() {
  bool OnCpu = ferry::device_name(ferry::current_device()) == "cpu";
  std::vector<float> V(100000, 1);
  ferry::statistics A = ferry::stats();
  float S = ferry::parallel_reduce(
      ferry::over(V.size()), 0.f, std::plus<>(), [](std::size_t I, std::span<const float> V) { return V[I]; }, V);
  ferry::statistics B = ferry::stats();
  CHECK(S == 100000);
  CHECK(B.launches - A.launches == 1);
  CHECK(B.bytes_to_device - A.bytes_to_device == (OnCpu ? 0u : 400000u));
  CHECK(B.copies_to_host - A.copies_to_host == (OnCpu ? 0u : 1u));
  CHECK(B.bytes_to_host - A.bytes_to_host == (OnCpu ? 0u : sizeof(float)));
}

void testSameBits() {
  for (std::size_t N : {100ul, 5000ul, 300001ul}) {
    std::vector<float> V(N);
    for (std::size_t I = 0; I < N; ++I)
      V[I] = 1.f / float(I + 1);
    float First = 0;
    for (int Round = 0; Round < 20; ++Round) {
      float S = ferry::parallel_reduce(
          ferry::over(N), 0.f, std::plus<>(), [](std::size_t I, std::span<const float> V) { return V[I]; }, V);
      if (Round == 0)
        First = S;
      CHECK(sameBits(S, First));
    }
  }
}

void testThreads() {
  std::vector<std::thread> Threads;
  for (int T = 0; T < 8; ++T)
    Threads.emplace_back([T] {
      for (std::size_t N = 1; N < 20000; N = N * 2 + std::size_t(T)) {
        std::size_t S = ferry::parallel_reduce(
            ferry::over(N), std::size_t(T), std::plus<>(), [](std::size_t I) { return I; });
        CHECK(S == N * (N - 1) / 2 + std::size_t(T));
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

void testFailures() {
  for (int Round = 0; Round < 3; ++Round) {
    long Total = -5;
    ferry::status S = ferry::try_parallel_reduce(
        Total, ferry::over(10000), 0, std::plus<>(), [](std::size_t I, std::size_t Limit) {
          assert(I < Limit);
          return long(I);
        },
        std::size_t(7777));
    CHECK(S.code() == ferry::errc::panic && Total == -5);
    S = ferry::try_parallel_reduce(Total, ferry::over(10000), 0, std::plus<>(), [](std::size_t I) { return long(I); });
    CHECK(S && Total == 9999l * 10000 / 2);
  }
  long Total = 1;
  auto One = [](std::size_t) { return 1l; };
  CHECK(ferry::try_parallel_reduce(Total, ferry::over(-1), 0, std::plus<>(), One).code() ==
        ferry::errc::invalid_shape);
  CHECK(ferry::try_parallel_reduce(Total, ferry::over(1ul << 40, 1ul << 40), 0, std::plus<>(), One).code() ==
        ferry::errc::invalid_shape);
  CHECK(ferry::try_parallel_reduce(Total, ferry::over(10).device(99), 0, std::plus<>(), One).code() ==
        ferry::errc::no_device);
  std::span<const int> Null(static_cast<const int *>(nullptr), 3);
  CHECK(ferry::try_parallel_reduce(
            Total, ferry::over(3), 0, std::plus<>(), [](std::size_t I, std::span<const int> V) { return long(V[I]); },
            Null)
            .code() == ferry::errc::invalid_argument);
  CHECK(Total == 1);
  try {
    (void)ferry::parallel_reduce(ferry::over(10).device(99), 0l, std::plus<>(), One);
    CHECK(false);
  } catch (const ferry::error &E) {
    CHECK(E.code() == ferry::errc::no_device);
  }
}

int main() {
  testSum<unsigned char>();
  testSum<long>();
  testSum<float>();
  testStructs();
  testArguments();
  testCopies();
  testSameBits();
  testThreads();
  testFailures();
  float Most = ferry::parallel_reduce(
      ferry::over(1000), -std::numeric_limits<float>::infinity(), [](float A, float B) { return A < B ? B : A; },
      [](std::size_t I) { return -float((I * 77) % 1000) - 1; });
  CHECK(Most == -1);
}
