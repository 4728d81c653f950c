// A program may use OpenMP beside Ferry, on the host and on the same virtual device,
// whoever comes first, and with one libomptarget and one OpenMP runtime in it.
// RUN: %ferrycxx -O2 -fopenmp -fopenmp-targets=x86_64-unknown-linux-gnu %s -o %t
// RUN: %logged FERRY_DEVICE=cpu LIBOMPTARGET_INFO=0 %t | FileCheck %s
// RUN: %logged FERRY_DEVICE=virtual LIBOMPTARGET_INFO=0 %t | FileCheck %s
// RUN: %logged FERRY_DEVICE=virtual LIBOMPTARGET_INFO=0 %t openmp-first | FileCheck %s
// CHECK: 1000 2000 3000
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ferry/ferry.h>
#include <string>
#include <vector>

void add(std::span<int> V, int A) { V[ferry::global_id()] += A; }

static void offload(std::vector<int> &V) {
  int *P = V.data();
#pragma omp target teams distribute parallel for map(tofrom : P[0 : 1000])
  for (int I = 0; I < 1000; ++I)
    P[I] += 1;
}
static int loaded(const char *Name) {
  std::FILE *F = std::fopen("/proc/self/maps", "r");
  char Line[1000];
  std::string Last;
  int Count = 0;
  while (std::fgets(Line, sizeof Line, F))
    if (char *Path = std::strchr(Line, '/'); Path && std::strstr(Path, Name) && Last != Path) {
      Last = Path;
      ++Count;
    }
  std::fclose(F);
  return Count;
}

int main(int Argc, char **) {
  std::vector<int> V(1000, 0), W(1000, 0);
  if (Argc > 1)
    offload(W);
  ferry::launch<add>(ferry::over(1000), V, 1);
  offload(W);
  if (Argc == 1)
    offload(W);
#pragma omp parallel for
  for (int I = 0; I < 1000; ++I)
    W[I] += 1;
  // Data that OpenMP has mapped are host memory to Ferry all the same.
  int *P = V.data();
#pragma omp target data map(tofrom : P[0 : 1000])
  { offload(W); }
  ferry::launch<add>(ferry::over(1000), V, 0);
  long SumV = 0, SumW = 0;
  for (int I = 0; I < 1000; ++I)
    SumV += V[I], SumW += W[I];
  std::printf("%ld %ld %ld\n", SumV, SumW - 2000, SumW - SumV);
  return loaded("libomptarget.so") == 1 && loaded("libomp.so") + loaded("libomp5.so") == 1 ? 0 : 7;
}
