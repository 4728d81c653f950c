// Kernels of every kind, whose results are compared bit for bit with what the
// same kernels give one thread at a time: divergent and uniform loops, early
// exits, switches, arrays of a thread's own, strided, backward and gathered
// accesses, indices that wrap around, mixed widths, divisions, panics, atomics
// and calls out of line, for every number of threads up to 70.
//
// RUN: %ferrycxx -std=c++20 -O2 -ffp-contract=off -fplugin=%plugin \
// RUN:   -mllvm -ferry-spmd-width=1 %s -o %t.1 && %t.1 > %t.1.txt
// RUN: %ferrycxx -std=c++20 -O2 -ffp-contract=off -fplugin=%plugin \
// RUN:   -mllvm -ferry-spmd-width=4 %s -o %t.4 && %t.4 > %t.4.txt
// RUN: %ferrycxx -std=c++20 -O2 -ffp-contract=off -march=native \
// RUN:   -fplugin=%plugin -mllvm -ferry-spmd-width=16 %s -o %t.16
// RUN: %t.16 > %t.16.txt
// RUN: %ferrycxx -std=c++20 -O2 -ffp-contract=off -march=native %s -o %t.best
// RUN: %t.best > %t.best.txt
// RUN: cmp %t.1.txt %t.4.txt
// RUN: cmp %t.1.txt %t.16.txt
// RUN: cmp %t.1.txt %t.best.txt

#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ferry/ferry.h>
#include <span>
#include <vector>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
template <typename T> using In = std::span<const T>;
template <typename T> using Out = std::span<T>;

// Trip counts that differ, and a value that leaves the loop.
static void collatz(In<u32> A, Out<u32> R) {
  std::size_t I = ferry::global_id();
  u32 N = A[I] % 1000 + 1, Steps = 0;
  while (N != 1) {
    N = N & 1 ? 3 * N + 1 : N / 2;
    ++Steps;
  }
  R[I] = Steps * 7 + N;
}

// Two nested loops with a break out of both, and a continue.
static void search(In<u32> A, Out<u32> R) {
  std::size_t I = ferry::global_id();
  u32 Want = A[I] % 50, Found = 999, Seen = 0;
  for (u32 X = 0; X < 9; ++X) {
    for (u32 Y = X; Y < 9; ++Y) {
      if ((X ^ Y) % 3 == Want % 3)
        continue;
      ++Seen;
      if (X * Y >= Want) {
        Found = X * 16 + Y;
        goto done;
      }
    }
    Seen += 100;
  }
done:
  R[I] = Found * 1000 + Seen;
}

static void choose(In<u32> A, Out<u32> R) {
  std::size_t I = ferry::global_id();
  u32 X = A[I], Y = 1;
  switch (X % 7) {
  case 0:
    Y = X * 3;
    break;
  case 1:
    Y = X / (X % 5 + 1);
    [[fallthrough]];
  case 2:
    Y += X % (X % 11 + 2);
    break;
  case 5:
    for (u32 K = 0; K < X % 13; ++K)
      Y = Y * 5 + K;
    break;
  case 6:
    R[I] = 5;
    return;
  default:
    Y = ~X;
  }
  R[I] = Y;
}

// A uniform loop with a divergent branch, and a uniform branch in it.
static void mixed(In<float> A, In<float> B, Out<float> R, u32 Mode) {
  std::size_t I = ferry::global_id();
  float Sum = 0, Best = -1e30f;
  for (std::size_t J = 0; J < B.size(); ++J) {
    float D = A[I] - B[J];
    if (Mode & 1)
      D = D * 1.5f + 1;
    if (D > 0) {
      Sum += std::sqrt(D);
      if (Mode & 2)
        Sum *= 0.5f;
    } else if (D < -100)
      Sum -= B[J];
    if (D > Best)
      Best = D;
  }
  R[I] = Sum + Best;
}

// Private arrays: clean ones, indexed by varying and uniform numbers.
static void sortSmall(In<u32> A, Out<u32> R) {
  std::size_t I = ferry::global_id();
  u32 V[24];
  for (u32 K = 0; K < 24; ++K)
    V[K] = (A[I] * (K + 1) * 2654435761u) >> 7;
  for (u32 K = 1; K < 24; ++K) {
    u32 X = V[K];
    int J = K - 1;
    while (J >= 0 && V[J] > X) {
      V[J + 1] = V[J];
      --J;
    }
    V[J + 1] = X;
  }
  u32 H = 0;
  for (u32 K = 0; K < 24; ++K)
    H = H * 31 + V[K];
  R[I] = H + V[A[I] % 24];
}

// A private array seen as other types, copied whole, and zeroed.
static void bytes(In<u32> A, Out<u32> R) {
  std::size_t I = ferry::global_id();
  u8 V[40] = {};
  u32 X = A[I];
  for (u32 K = 0; K < X % 40; ++K)
    V[(X + K * 7) % 40] += K ^ X;
  u32 W[10];
  std::memcpy(W, V, 40);
  u32 H = 0;
  for (u32 K = 0; K < 10; ++K)
    H = H * 17 + W[(K + X) % 10];
  R[I] = H;
}

struct Point {
  float X, Y, Z;
};
static void structs(In<float> A, Out<Point> P, Out<float> R) {
  std::size_t I = ferry::global_id();
  Point Q{A[I], A[I] * 2, -A[I]};
  for (int K = 0; K < 5; ++K)
    Q = {Q.Y + 1, Q.Z * 0.5f, Q.X};
  P[I] = Q;
  R[R.size() - 1 - I] = P[I].X - P[I].Z;
}

static void strided(In<float> A, Out<float> R) {
  std::size_t I = ferry::global_id();
  float S = 0;
  for (int K = 0; K < 3; ++K)
    S += A[(3 * I + K) % A.size()] * (K + 1) + A[A.size() - 1 - I];
  R[I] = S;
}

// 32-bit indices that wrap around within a group, signed and unsigned.
static void wraps(In<u32> A, Out<u32> R, u32 Base, i32 Signed) {
  u32 I = (u32)ferry::global_id();
  u32 J = I + Base;          // may wrap to 0
  i32 K = (i32)(I + Signed); // may go from INT_MAX to INT_MIN
  u32 X = 0;
  for (u32 L = 0; L < 3; ++L) {
    if (J < A.size())
      X += A[J] * (L + 1);
    if (J - 3 < A.size())
      X ^= A[J - 3];
    if (K >= 0 && (std::size_t)K < A.size())
      X += 5 * A[K];
    J += 1;
    K += 1;
  }
  i64 Wide = K;
  R[I] = X + (u32)(Wide >> 3) + (u32)((u64)J >> 5);
}

static void down(In<i16> A, Out<i16> R, u32 N) {
  std::size_t I = ferry::global_id();
  i16 S = 0;
  for (u32 K = 0; K < 4; ++K)
    if (I >= K)
      S += A[N - 1 - I] * K + A[I - K];
  R[N - 1 - I] = S;
}

static void widths(In<i8> A, In<i16> B, In<i32> C, In<i64> D, In<double> E,
                   Out<double> R, Out<u8> S) {
  std::size_t I = ferry::global_id();
  double X = 0;
  i64 Y = 0;
  for (int K = 0; K < (A[I] & 7); ++K) {
    X += E[I] * A[I] + B[(I + K) % B.size()];
    Y ^= D[I] * C[I] + K;
    if (Y % 3 == 0)
      X -= (float)Y;
  }
  R[I] = X + (double)Y;
  S[I] = (u8)(Y + A[I]) > 100 ? (u8)Y : (u8)(A[I] - B[I]);
}

static void divide(In<i32> A, In<i32> B, Out<i32> R) {
  std::size_t I = ferry::global_id();
  i32 X = 0;
  for (int K = 0; K < 3; ++K)
    if (B[I] != 0 && !(A[I] == INT32_MIN && B[I] == -1)) {
      X += A[I] / B[I];
      X ^= A[I] % B[I];
    }
  R[I] = X;
}

// One thread, or a few, at places that are the same for all.
static void leader(In<u32> A, Out<u32> R, u32 Who) {
  std::size_t I = ferry::global_id();
  if (I == Who % (A.size() + 1)) {
    u32 S = 0;
    for (std::size_t K = 0; K < A.size(); ++K) {
      S = S * 3 + A[K];
      R[A.size()] = S;
    }
    R[A.size() + 1] = R[A.size()] + 1;
  }
  R[I] = A[I] + 1;
}

static void atomics(In<u32> A, Out<u32> H, Out<u32> R) {
  std::size_t I = ferry::global_id();
  std::atomic_ref<u32> Sum(H[0]), Max(H[1]), Bin(H[2 + A[I] % 8]);
  u32 Old = 0;
  for (u32 K = 0; K < 3; ++K) {
    Sum.fetch_add(A[I] + K, std::memory_order_relaxed);
    if (A[I] & 1)
      Old += Bin.fetch_add(1, std::memory_order_relaxed) & 0;
    if (A[I] & 2)
      Max.fetch_or(A[I], std::memory_order_relaxed);
  }
  R[I] = Old + A[I];
}

[[gnu::noinline]] static u32 recursive(u32 N) {
  return N < 2 ? N : recursive(N - 1) + recursive(N - 2);
}
static void calls(In<u32> A, Out<u32> R) {
  std::size_t I = ferry::global_id();
  u32 X = 0;
  for (u32 K = 0; K < A[I] % 4; ++K)
    X += recursive(A[I] % 9 + K);
  R[I] = X;
}

static void math(In<double> A, Out<double> R, Out<float> S) {
  std::size_t I = ferry::global_id();
  double X = A[I];
  for (int K = 0; K < 3; ++K)
    X = std::fabs(std::floor(X * 1.25) - std::copysign(X, -1)) +
        std::fmin(X, 3.0) + std::fma(X, X, 0.5);
  R[I] = X;
  S[I] = std::sqrt((float)std::fabs(A[I])) + (A[I] > 0 ? (float)X : 1.f);
}

static void overflow(In<i32> A, Out<i32> R) {
  std::size_t I = ferry::global_id();
  i32 S = 0;
  for (int K = 0; K < 4; ++K)
    if (__builtin_add_overflow(S, A[I] * K, &S))
      S = -K;
  R[I] = S;
}

// What one launch of blocks and threads gives in every dimension.
static void box(Out<u32> R, u32 N) {
  auto B = ferry::block_idx();
  auto T = ferry::thread_idx();
  u32 X = B.x * ferry::block_dim().x + T.x,
      Y = B.y * ferry::block_dim().y + T.y;
  u32 S = 0;
  for (u32 K = 0; K < (X + Y) % 5; ++K)
    S += K * X + Y;
  if (X < N)
    R[Y * N + X] = S + T.y;
}

// Swapped phis and a loop in a loop with different trip counts.
static void gcds(In<u32> A, In<u32> B, Out<u32> R) {
  std::size_t I = ferry::global_id();
  u32 S = 0;
  for (u32 K = 0; K < A[I] % 6; ++K) {
    u32 X = A[I] + K, Y = B[I] % 1000 + 1;
    do {
      u32 Z = X % Y;
      X = Y;
      Y = Z;
    } while (Y);
    S += X;
  }
  R[I] = S;
}

static void rows(In<u32> Starts, In<u32> Columns, In<float> V, In<float> X,
                 Out<float> R) {
  std::size_t I = ferry::global_id();
  float S = 0;
  for (u32 K = Starts[I]; K < Starts[I + 1]; ++K)
    S += V[K] * X[Columns[K]];
  R[I] = S;
}

static void pointers(In<u32> A, Out<u32> R) {
  std::size_t I = ferry::global_id();
  const u32 *P = &A[I], *E = A.data() + A.size();
  u32 S = 0;
  for (; P < E; P += A[I] % 5 + 1)
    S = S * 3 + *P;
  const u32 *Q = A[I] & 1 ? &A[0] : &A[I];
  bool Flag = false;
  for (u32 K = 0; K < 4; ++K)
    Flag ^= Q[0] + K > S;
  R[I] = S + Flag;
}

static void panics(In<u32> A, Out<u32> R, u32 Limit) {
  std::size_t I = ferry::global_id();
  u32 S = 0;
  for (u32 K = 0; K < 5; ++K) {
    S += A[I] ^ K;
    assert(A[I] % 100 < Limit + K);
  }
  R[I] = S;
}

static u32 State = 12345;
static u32 next() { return State = State * 1664525 + 1013904223, State >> 3; }
template <typename T> static std::vector<T> fill(std::size_t N) {
  std::vector<T> V(N);
  for (T &X : V)
    X = T(std::is_floating_point_v<T> ? (i32(next()) % 2000 - 1000) / 7.0
                                      : next() - (1u << 28));
  return V;
}
template <typename T>
static void show(const char *Name, std::size_t N, const std::vector<T> &V) {
  u64 H = 1469598103934665603;
  auto *P = reinterpret_cast<const unsigned char *>(V.data());
  for (std::size_t I = 0; I != V.size() * sizeof(T); ++I)
    H = (H ^ P[I]) * 1099511628211;
  std::printf("%s %zu %016llx\n", Name, N, (unsigned long long)H);
}

static void all(std::size_t N) {
  using ferry::launch, ferry::over;
  auto A = fill<u32>(N), B = fill<u32>(N);
  auto F = fill<float>(N), G = fill<float>(N + 3);
  auto D = fill<double>(N);
  std::vector<u32> R(N);
  std::vector<float> S(N);
#define SHOW(V) show(#V, N, V)
  launch<collatz>(over(N), A, R);
  show("collatz", N, R);
  launch<search>(over(N), A, R);
  show("search", N, R);
  launch<choose>(over(N), A, R);
  show("choose", N, R);
  for (u32 Mode = 0; Mode < 4; ++Mode) {
    launch<mixed>(over(N), F, G, S, Mode);
    show("mixed", N, S);
  }
  launch<sortSmall>(over(N), A, R);
  show("sortSmall", N, R);
  launch<bytes>(over(N), A, R);
  show("bytes", N, R);
  std::vector<Point> P(N);
  launch<structs>(over(N), F, P, S);
  show("structs", N, P);
  show("structs", N, S);
  if (N) {
    launch<strided>(over(N), F, S);
    show("strided", N, S);
  }
  for (u32 Base : {0u, 3u, (u32)-1, (u32)-9, (u32)-30, 0x7fffffffu, 5u})
    for (i32 Signed : {0, INT32_MAX, INT32_MAX - 7, INT32_MIN, -3, -20, 2}) {
      launch<wraps>(over(N), A, R, Base, Signed);
      show("wraps", N, R);
    }
  auto H = fill<i16>(N);
  std::vector<i16> H2(N);
  launch<down>(over(N), H, H2, (u32)N);
  show("down", N, H2);
  auto C8 = fill<i8>(N);
  auto C32 = fill<i32>(N), E32 = fill<i32>(N);
  auto C64 = fill<i64>(N);
  std::vector<double> T(N);
  std::vector<u8> U(N);
  launch<widths>(over(N), C8, H, C32, C64, D, T, U);
  show("widths", N, T);
  show("widths", N, U);
  std::vector<i32> Q(N);
  for (std::size_t I = 0; I < N; ++I) {
    E32[I] = I % 4 ? E32[I] % 20 : I % 8 ? 0 : -1;
    if (I % 16 == 0)
      C32[I] = INT32_MIN;
  }
  launch<divide>(over(N), C32, E32, Q);
  show("divide", N, Q);
  std::vector<u32> L(N + 2);
  for (u32 Who : {0u, 1u, 7u, 31u, 50u}) {
    launch<leader>(over(N), A, L, Who);
    show("leader", N, L);
  }
  std::vector<u32> Histogram(10);
  launch<atomics>(over(N), A, Histogram, R);
  show("atomics", N, Histogram);
  show("atomics", N, R);
  launch<calls>(over(N), A, R);
  show("calls", N, R);
  launch<math>(over(N), D, T, S);
  show("math", N, T);
  show("math", N, S);
  launch<overflow>(over(N), C32, Q);
  show("overflow", N, Q);
  if (N) {
    std::vector<u32> Box(N * 6);
    launch<box>(ferry::blocks((N + 15) / 16, 2).threads(16, 3), Box, (u32)N);
    show("box", N, Box);
  }
  launch<gcds>(over(N), A, B, R);
  show("gcds", N, R);
  std::vector<u32> Starts(N + 1), Columns;
  for (std::size_t I = 0; I < N; ++I) {
    for (u32 K = next() % 6; K; --K)
      Columns.push_back(next() % N);
    Starts[I + 1] = Columns.size();
  }
  auto V = fill<float>(Columns.size());
  launch<rows>(over(N), Starts, Columns, V, F, S);
  show("rows", N, S);
  launch<pointers>(over(N), A, R);
  show("pointers", N, R);
  for (u32 Limit : {1000u, 98u, 50u}) {
    std::fill(R.begin(), R.end(), 0);
    auto Status = ferry::try_launch<panics>(over(N), A, R, Limit);
    // Which threads were done when one failed is anybody's guess.
    if (!Status)
      std::fill(R.begin(), R.end(), 0);
    show(Status ? "fine" : "panic", N, R);
  }
}

int main() {
  for (std::size_t N = 0; N <= 70; ++N)
    all(N);
  all(1000);
}
