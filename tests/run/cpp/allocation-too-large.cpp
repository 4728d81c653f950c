// A launch whose data do not fit the device is an error value; host data are as
// they were, and a smaller launch works afterwards.
// RUN: %run-everywhere --output %t --ways=-O2 --devices=virtual %s | FileCheck %s
// CHECK: kernel 'set' launched at {{.*}}allocation-too-large.cpp:[[#]]:[[#]]:{{.*}}536870912
#include "Inputs/check.h"
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>

void set(std::span<int> Small, std::span<unsigned char> Large, std::span<int> Last) {
  Small[0] = Large[0] = 1;
  Large[Large.size() - 1] = 2; // nothing in between is used, but it takes room
  Last[0] = 1;
}

static std::size_t addressSpace() {
  std::size_t Pages = 0;
  std::FILE *F = std::fopen("/proc/self/statm", "r");
  CHECK(F && std::fscanf(F, "%zu", &Pages) == 1);
  std::fclose(F);
  return Pages * 4096;
}

int main() {
  std::vector<int> Small(100, 7), Last(100, 8);
  std::vector<unsigned char> Few(10, 9);
  ferry::launch<set>(ferry::over(1), Small, Few, Last);
  CHECK(Small[0] == 1 && Few[0] == 1 && Last[0] == 1);

  constexpr std::size_t N = 512 << 20;
  void *P = mmap(nullptr, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(P != MAP_FAILED);
  std::span Large(static_cast<unsigned char *>(P), N);
  Large[0] = 42;
  rlimit Limit{addressSpace() + (256 << 20), RLIM_INFINITY};
  CHECK(setrlimit(RLIMIT_AS, &Limit) == 0);
  Small.assign(100, 7);
  Last.assign(100, 8);
  for (int I = 0; I < 3; ++I) {
    ferry::status S = ferry::try_launch<set>(ferry::over(1), Small, Large, Last);
    CHECK(!S && S.code() == ferry::errc::out_of_memory);
    CHECK(Small[0] == 7 && Large[0] == 42 && Last[0] == 8);
    if (!I)
      std::puts(S.message().c_str());
  }
  try {
    ferry::launch<set>(ferry::over(1), Small, Large, Last);
    CHECK(false);
  } catch (const ferry::error &E) {
    CHECK(E.code() == ferry::errc::out_of_memory);
  }
  ferry::launch<set>(ferry::over(1), Small, Large.first(1 << 20), Last);
  CHECK(Small[0] == 1 && Large[0] == 1 && Last[0] == 1 && Small[1] == 7);
}
