// No arguments, one, twenty-four of mixed kinds, and two that are both named
// dyn_ptr, the name clang gives to a hidden parameter of offloaded kernels.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"

static int Runs = 0;
void none() { Runs = 17; }
void one(int &V) { V = 3; }

struct Pair {
  int A;
  double B;
};
void many(std::int8_t A, std::uint16_t B, float C, double D, std::span<const int> E, Pair F, bool G, char H,
          const long &I, std::span<double> J, __int128 K, std::uint64_t L, _Float16 M, const Pair &N, int O,
          std::span<const char> P, unsigned Q, std::int64_t R, float S, double T, short U, std::span<const Pair> V,
          int W, double &X) {
  J[0] = A;
  J[1] = B;
  J[2] = C;
  J[3] = D;
  J[4] = E[1] + static_cast<double>(E.size());
  J[5] = F.A + F.B;
  J[6] = G;
  J[7] = H;
  J[8] = I;
  J[9] = static_cast<double>(J.size());
  J[10] = static_cast<double>(K >> 64);
  J[11] = static_cast<double>(L);
  J[12] = static_cast<double>(M);
  J[13] = N.A * N.B;
  J[14] = O;
  J[15] = P[2];
  J[16] = Q;
  J[17] = static_cast<double>(R);
  J[18] = S;
  J[19] = T;
  J[20] = U;
  J[21] = V[1].B;
  J[22] = W;
  X += 1;
}
void sameNames(std::span<const int> dyn_ptr, std::span<int> dyn_ptr_1, int *dyn_ptr_2, int dyn_ptr_3) {
  dyn_ptr_1[0] = dyn_ptr[0] + dyn_ptr_3;
  dyn_ptr_2[0] = dyn_ptr[1] + dyn_ptr_3;
}
// Two parameters of one name: only inner functions can have that.
inline void inner(std::span<int> dyn_ptr) { dyn_ptr[0] += 1; }
void outer(std::span<int> dyn_ptr) { inner(dyn_ptr); }

int main() {
  ferry::launch<none>(ferry::over(1));
  CHECK(Runs == 17);
  int V = 0;
  ferry::launch<one>(ferry::over(1), V);
  CHECK(V == 3);

  std::vector<int> E{5, 6};
  std::vector<double> J(23, -1);
  std::vector<Pair> Pairs{{1, 2}, {3, 4.5}};
  long I = 1L << 40;
  double X = 0.5;
  ferry::launch<many>(ferry::over(1), static_cast<std::int8_t>(-8), static_cast<std::uint16_t>(60000), 1.5f, 2.5, E,
                      Pair{7, 0.25}, true, 'h', I, J, static_cast<__int128>(9) << 64, 1ull << 50,
                      static_cast<_Float16>(0.125f), Pairs[0], -14, "abc", 4000000000u, -(1ll << 45), 18.5f, 19.5,
                      static_cast<short>(-20), Pairs, 22, X);
  double Expected[] = {-8, 60000, 1.5, 2.5, 8, 7.25, 1, 'h', double(I), 23, 9, double(1ull << 50), 0.125, 2, -14, 'c',
                       4000000000., -double(1ll << 45), 18.5, 19.5, -20, 4.5, 22};
  for (int K = 0; K < 23; ++K)
    CHECK(J[K] == Expected[K]);
  CHECK(X == 1.5);

  int Out[2] = {}, Two[1] = {};
  ferry::launch<sameNames>(ferry::over(1), E, Out, ferry::inout(Two, 1), 100);
  CHECK(Out[0] == 105 && Two[0] == 106);
  ferry::launch<outer>(ferry::over(1), Out);
  CHECK(Out[0] == 106);
}
