// A matrix product by OpenBLAS between two launches of the program's own, on data
// that stays on the device: the same on cpu and on virtual.
//
// REQUIRES: openblas
// RUN: %run-everywhere --output %t --ways=-O2 %s -- -I%openblas -lopenblas | FileCheck %s
// CHECK: the product is right, copied as expected

#include <cblas.h>
#include <cstdio>
#include <ferry/ferry.h>
#include <vector>

static void fill(std::span<float> M, unsigned N) {
  std::size_t I = ferry::global_id();
  M[I] = static_cast<float>(I % N + I / N + 1);
}
static void traceOf(std::span<const float> M, unsigned N, float &Sum) {
  Sum = 0;
  for (unsigned I = 0; I < N; ++I)
    Sum += M[I * N + I];
}

std::vector<float> A, B, C;

int main() {
  constexpr int N = 64;
  bool OnCpu = ferry::device_name(ferry::current_device()) == "cpu";
  for (auto *M : {&A, &B, &C})
    M->resize(N * N);
  ferry::statistics Before = ferry::stats();
  float Sum;
  const char *Copied;
  {
    ferry::resident a(A), b(B), c(C);
    ferry::launch<fill>(ferry::over(N * N), ferry::out(a), 64u);
    ferry::launch<fill>(ferry::over(N * N), ferry::out(b), 64u);
    ferry::with_device(
        ferry::in(a), ferry::in(b), ferry::out(c),
        [](const float *DA, const float *DB, float *DC) {
          cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, DA,
                      N, DB, N, 0, DC, N);
        });
    ferry::launch<traceOf>(ferry::over(1), c, 64u, Sum);
    ferry::statistics After = ferry::stats();
    bool Expected = After.copies_to_device == Before.copies_to_device &&
                    After.bytes_to_host - Before.bytes_to_host ==
                        (OnCpu ? 0 : sizeof(float));
    Copied = Expected ? "as expected" : "too much";
  }
  // By hand.
  double Wanted = 0;
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < N; ++K)
      Wanted += (I + K + 1.0) * (K + I + 1.0);
  bool Right = Sum > Wanted * 0.9999 && Sum < Wanted * 1.0001;
  std::printf("the product is %s, copied %s\n", Right ? "right" : "wrong",
              Copied);
}
