// Other processes look: a child by fork, at its copy of the memory and through shared
// mappings; and the file behind a mapping is read.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <atomic>
#include <csignal>
#include <memory>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

constexpr std::size_t Bytes = N * sizeof(int);

/// What the body returns in a child.
template <class F> static long inChild(F &&Body) {
  int Ends[2];
  CHECK(pipe(Ends) == 0);
  pid_t Child = fork();
  if (Child == 0) {
    long Result = Body();
    CHECK(write(Ends[1], &Result, sizeof Result) == sizeof Result);
    _exit(0);
  }
  long Result = -1;
  CHECK(read(Ends[0], &Result, sizeof Result) == sizeof Result);
  int Status;
  CHECK(waitpid(Child, &Status, 0) == Child && Status == 0);
  close(Ends[0]), close(Ends[1]);
  return Result;
}

static void childReads() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  CHECK(inChild([&] { return hostTotal(V); }) == filled(1));
  ferry::launch<add>(Whole, V, 1);
  CHECK(inChild([P = V.data()] { return totalOf(P, N); }) == filled(2));
  // What the child writes is its own.
  ferry::launch<add>(Whole, V, 1);
  CHECK(inChild([&] { V[0] = 0; return hostTotal(V); }) == filled(3) - 3);
  CHECK(V[0] == 3 && deviceTotal(V) == filled(3));
}

static void afterTheChild() {
  auto V = std::make_unique<std::vector<int>>(N);
  for (int I = 0; I < 3; ++I) {
    ferry::launch<fill>(Whole, *V, I);
    long Child = inChild([&] { return (*V)[N - 1]; });
    ferry::launch<add>(Whole, *V, 1);
    CHECK(Child == I + N - 1 && V->back() == I + N);
  }
}

// Both processes have the same memory.
static void sharedMapping() {
  struct Room {
    std::atomic<int> Turn;
    long Seen;
    int Data[N];
  };
  void *P = mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(P != MAP_FAILED);
  auto *R = new (P) Room;
  R->Turn = 0;
  pid_t Child = fork();
  if (Child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // A parent that fails leaves nobody waiting.
    for (int I = 0; I < 5; ++I) {
      while (R->Turn != 2 * I + 1)
        ;
      R->Seen = hostTotal(R->Data);
      R->Data[0] = 7777;
      R->Turn = 2 * I + 2;
    }
    _exit(0);
  }
  for (int I = 0; I < 5; ++I) {
    ferry::launch<fill>(Whole, R->Data, I);
    R->Turn = 2 * I + 1;
    while (R->Turn != 2 * I + 2)
      ;
    CHECK(R->Seen == filled(I) && deviceTotal(R->Data) == filled(I) + 7777 - I);
  }
  CHECK(waitpid(Child, nullptr, 0) == Child);
  munmap(P, sizeof(Room));
}

static void mappedFile() {
  std::FILE *F = std::tmpfile();
  int Number = fileno(F);
  CHECK(ftruncate(Number, Bytes) == 0);
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, Number, 0);
  CHECK(P != MAP_FAILED);
  std::span<int> Mapped(static_cast<int *>(P), N);
  std::vector<int> Read(N);
  for (int I = 0; I < 3; ++I) {
    ferry::launch<fill>(Whole, Mapped, I);
    CHECK(pread(Number, Read.data(), Bytes, 0) == Bytes);
    CHECK(hostTotal(Read) == filled(I));
    int What = 7777;
    CHECK(pwrite(Number, &What, sizeof What, 0) == sizeof What);
    CHECK(deviceTotal(Mapped) == filled(I) + 7777 - I);
  }
  munmap(P, Bytes);
  std::fclose(F);
}

int main() {
  childReads();
  afterTheChild();
  sharedMapping();
  mappedFile();
}
