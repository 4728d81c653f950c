// Reductions and scans over a block: any number of threads in any shape, any
// associative operator, also one that is not commutative, structs, one call
// after the other without a barrier; the same to the bit in every run.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.0
#include "Inputs/check.h"
#include <functional>

unsigned linear() {
  auto [X, Y, Z] = ferry::thread_idx();
  auto [NX, NY, NZ] = ferry::block_dim();
  return (Z * NY + Y) * NX + X;
}
unsigned threads() {
  auto [NX, NY, NZ] = ferry::block_dim();
  return NX * NY * NZ;
}

/// x -> A * x + B: composition is associative and not commutative.
struct Affine {
  std::uint32_t A, B;
  bool operator==(const Affine &) const = default;
};
struct Compose {
  Affine operator()(Affine X, Affine Y) const { return {X.A * Y.A, Y.A * X.B + Y.B}; }
};
struct Large {
  double Sum[12];
  short Count;
};

void sums(std::span<const int> In, std::span<int> Total, std::span<int> Upto, std::span<int> Before) {
  std::size_t I = ferry::block_idx().x * threads() + linear();
  int X = In[I];
  Total[I] = ferry::block::reduce(X, std::plus<>());
  Upto[I] = ferry::block::inclusive_scan(X, std::plus<>());
  Before[I] = ferry::block::exclusive_scan(X, 1000, std::plus<>());
}

void compositions(std::span<Affine> Total, std::span<Affine> Upto, std::span<Affine> Before) {
  std::size_t I = ferry::block_idx().x * threads() + linear();
  Affine X = {2 * std::uint32_t(I) + 3, std::uint32_t(I) * 7};
  Total[I] = ferry::block::reduce(X, Compose());
  Upto[I] = ferry::block::inclusive_scan(X, Compose());
  Before[I] = ferry::block::exclusive_scan(X, Affine{5, 9}, Compose());
}

void structs(std::span<double> Out) {
  unsigned T = linear();
  Large L = {};
  for (int J = 0; J < 12; ++J)
    L.Sum[J] = T + J;
  L.Count = 1;
  auto Add = [](Large A, const Large &B) {
    for (int J = 0; J < 12; ++J)
      A.Sum[J] += B.Sum[J];
    A.Count = short(A.Count + B.Count);
    return A;
  };
  Large All = ferry::block::reduce(L, Add);
  unsigned char Most = ferry::block::reduce(static_cast<unsigned char>(T % 200), [](auto A, auto B) { return A < B ? B : A; });
  Out[T] = All.Sum[11] + All.Count * 1e6 + Most * 1e9;
}

void floats(std::span<const float> In, std::span<float> Out) {
  std::size_t I = ferry::global_id();
  float Sum = ferry::block::reduce(In[I], std::plus<>());
  Out[I] = ferry::block::inclusive_scan(In[I] / Sum, std::plus<>());
}

int main() {
  unsigned Shapes[][3] = {{1, 1, 1},  {2, 1, 1},  {31, 1, 1}, {32, 1, 1},  {33, 1, 1}, {100, 1, 1},
                          {3, 5, 7},  {8, 8, 4},  {1, 1, 64}, {1024, 1, 1}, {32, 32, 1}, {10, 10, 10}};
  for (auto [X, Y, Z] : Shapes) {
    unsigned N = X * Y * Z;
    auto Grid = ferry::blocks(3).threads(X, Y, Z);
    std::vector<int> In(3 * N), Total(3 * N), Upto(3 * N), Before(3 * N);
    for (unsigned I = 0; I < 3 * N; ++I)
      In[I] = int(I * 37 % 101) - 40;
    ferry::launch<sums>(Grid, In, Total, Upto, Before);
    std::vector<Affine> ATotal(3 * N), AUpto(3 * N), ABefore(3 * N);
    ferry::launch<compositions>(Grid, ATotal, AUpto, ABefore);
    for (unsigned B = 0; B < 3; ++B) {
      int Sum = 0;
      Affine Sofar = {1, 0}, From = {5, 9};
      for (unsigned I = B * N; I < (B + 1) * N; ++I) {
        Affine A = {2 * I + 3, I * 7};
        CHECK(Before[I] == 1000 + Sum);
        CHECK(ABefore[I] == From);
        Sum += In[I];
        Sofar = I == B * N ? A : Compose()(Sofar, A);
        From = Compose()(From, A);
        CHECK(Upto[I] == Sum);
        CHECK(AUpto[I] == Sofar);
      }
      for (unsigned I = B * N; I < (B + 1) * N; ++I)
        CHECK(Total[I] == Sum && ATotal[I] == Sofar);
    }
    std::vector<double> Out(N);
    ferry::launch<structs>(ferry::blocks(1).threads(X, Y, Z), Out);
    double Want = N * (N - 1) / 2. + 11. * N + N * 1e6 + (N < 200 ? N - 1 : 199) * 1e9;
    for (double V : Out)
      CHECK(V == Want);

    std::vector<float> F(2 * N), R1(2 * N), R2(2 * N);
    for (unsigned I = 0; I < 2 * N; ++I)
      F[I] = 1.f / float(I + 1);
    ferry::launch<floats>(ferry::blocks(2).threads(N), F, R1);
    ferry::launch<floats>(ferry::blocks(2).threads(N), F, R2);
    for (unsigned I = 0; I < 2 * N; ++I)
      CHECK(sameBits(R1[I], R2[I]));
    CHECK(R1[N - 1] > 0.999f && R1[N - 1] < 1.001f);
  }
}
