// Threads that count from where they are up to a bound, by steps of one size,
// also where they part in the last round, wrap around, count from below zero,
// or divide by what is zero where no thread does.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
#include <cstdint>
#include <cstdio>
#include <ferry/ferry.h>
#include <vector>

using Sums = std::vector<std::uint64_t>;

template <class T>
static std::uint64_t sum(T Start, T End, T Step, int Most) {
  std::uint64_t Sum = 1;
  for (T I = Start; I < End; I += Step) {
    Sum = Sum * 31 + std::uint64_t(I);
    if (--Most == 0)
      break;
  }
  return Sum;
}

template <class T>
static void count(T First, T Apart, T End, T Step, int Most,
                  std::span<std::uint64_t> Out) {
  std::size_t N = ferry::global_id();
  if (N < Out.size())
    Out[N] = sum<T>(T(First + T(N) * Apart), End, Step, Most);
}

template <class T> static bool agrees(T First, T Apart, T End, T Step) {
  constexpr int Most = 100;
  Sums Out(1000), Wanted(1000);
  ferry::launch<count<T>>(ferry::blocks(8).threads(125), First, Apart, End,
                          Step, Most, Out);
  for (std::size_t N = 0; N < Wanted.size(); ++N)
    Wanted[N] = sum<T>(T(First + T(N) * Apart), End, Step, Most);
  return Out == Wanted;
}

static void columns(std::span<const std::uint32_t> In, std::uint32_t Width,
                    std::span<std::uint32_t> Out) {
  std::uint32_t N = std::uint32_t(ferry::global_id());
  if (N >= Out.size())
    return;
  Out[N] = Width ? In[N % Width] + 1000 * In[N / Width] : In[N & 31] + In[N / 7];
}

static bool columnsAgree(std::uint32_t Width) {
  std::vector<std::uint32_t> In(1000), Out(1000), Wanted(1000);
  for (std::uint32_t I = 0; I < In.size(); ++I)
    In[I] = I * 7919 % 1009;
  ferry::launch<columns>(ferry::over(1000), In, Width, Out);
  for (std::uint32_t N = 0; N < Out.size(); ++N)
    Wanted[N] = Width ? In[N % Width] + 1000 * In[N / Width]
                      : In[N & 31] + In[N / 7];
  return Out == Wanted;
}

int main() {
  bool Right = true;
  for (std::uint32_t End : {0u, 1u, 500u, 512u, 5000u, 4096u, 0xfffffff0u})
    for (std::uint32_t Step : {1u, 3u, 256u, 0x80000000u})
      for (std::uint32_t First : {0u, 7u, 0xfffffe00u})
        Right &= agrees<std::uint32_t>(First, 1, End, Step);
  for (int End : {-1, 0, 300, 4096, INT32_MAX - 200})
    for (int Step : {1, 5, 64})
      for (int First : {-500, 0, 3, INT32_MAX - 3000})
        for (int Apart : {1, 2})
          Right &= agrees<int>(First, Apart, End, Step);
  for (std::size_t End : {std::size_t(0), std::size_t(4096)})
    for (std::size_t First : {std::size_t(0), std::size_t(3), SIZE_MAX - 5000})
      Right &= agrees<std::size_t>(First, 1, End, 256);
  // CHECK: counted: 1
  std::printf("counted: %d\n", Right);
  bool Rows = true;
  for (std::uint32_t Width : {0u, 1u, 2u, 5u, 16u, 31u, 32u, 100u, 999u, 5000u})
    Rows &= columnsAgree(Width);
  // CHECK: columns: 1
  std::printf("columns: %d\n", Rows);
}
