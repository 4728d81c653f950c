// Runs the kernels of together.cpp as a GPU with warps of argv[1] threads
// would, and compares what they compute with the same on one thread.

#include "gpu-on-cpu.h"
#include <cstring>
#include <string>

using u32 = uint32_t;
using u64 = uint64_t;

using Kernel = void(void *, u32 *In, u32 *Out, u64 N, u64, u64, u64, u64, u64,
                    u64, u64 Dynamic, void *);
extern "C" {
Kernel reduce, early, copies, dynamic, large, warps, leaving;
alignas(16) char ferry_dynamic_shared[1 << 18];
}

static u32 Threads, Blocks = 3;
static u64 N;
static std::vector<u32> In;
static u32 W; // threads of a warp

using Reference = std::vector<u32>(const u32 *In);

static void check(const char *Name, Kernel *K, Reference *Expected,
                  u64 Dynamic) {
  std::vector<u32> Out(In.size(), 0xabababab);
  gpu::Shape S;
  S.Grid[0] = Blocks;
  S.Block[0] = Threads % 4 ? Threads : Threads / 4;
  S.Block[1] = Threads % 4 ? 1 : 4;
  gpu::run(
      S,
      [&] {
        K(nullptr, In.data(), Out.data(), N, Blocks, 1, 1, S.Block[0],
          S.Block[1], 1, Dynamic, nullptr);
      },
      [] {
        std::memset(ferry_dynamic_shared, 0xee, sizeof ferry_dynamic_shared);
      });
  unsigned Wrong = 0;
  for (u32 B = 0; B < Blocks; ++B) {
    std::vector<u32> E = Expected(&In[B * Threads]);
    for (u32 T = 0; T < Threads; ++T)
      if (Out[B * Threads + T] != E[T] && ++Wrong <= 4)
        std::printf("%s, %u threads: block %u, thread %u: %u, not %u\n", Name,
                    Threads, B, T, Out[B * Threads + T], E[T]);
  }
  std::printf("%s of %u: %s\n", Name, Threads, Wrong ? "WRONG" : "ok");
}

static std::vector<u32> sums(const u32 *In) {
  u32 Sum = 0;
  for (u32 T = 0; T < Threads; ++T)
    Sum += In[T] + 2 * T;
  return std::vector<u32>(Threads, Sum);
}

static std::vector<u32> rotated(const u32 *In) {
  std::vector<u32> E(Threads, 0xabababab);
  for (u32 T = 0; T < N && T < Threads; ++T)
    E[T] = In[(T + 2) % N];
  return E;
}

static std::vector<u32> copied(const u32 *In) {
  std::vector<u32> V(In, In + Threads), Word(Threads), Room(Threads);
  for (u32 I = 0; I < 3; ++I) {
    for (u32 T = 0; T < Threads; ++T)
      Room[T] = V[T] % 2 ? V[T] * 3 : V[T] / 2;
    for (u32 T = 0; T < Threads; ++T)
      Word[T] = V[T] % 2 ? V[T] + Room[(T + 1) % Threads]
                         : Room[(T + Threads - 1) % Threads] - V[T];
    for (u32 T = 0; T < Threads; ++T)
      V[T] = Word[T] & 4 ? V[T] + Word[T] : V[T] ^ Word[T];
  }
  return V;
}

static std::vector<u32> reversed(const u32 *In) {
  std::vector<u32> E(Threads);
  for (u32 T = 0; T < Threads; ++T)
    E[T] = In[Threads - 1 - T] - 1 + Threads * 4;
  return E;
}

static std::vector<u32> reversedLarge(const u32 *In) {
  std::vector<u32> E(Threads);
  for (u32 T = 0; T < Threads; ++T)
    E[T] = In[Threads - 1 - T] + (Threads - 1 - T) * 1000 + 7;
  return E;
}

static u32 folded(u64 Ballot) { return u32(Ballot ^ Ballot >> 32); }

static std::vector<u32> exchanged(const u32 *In) {
  std::vector<u32> R(Threads);
  for (u32 First = 0; First < Threads; First += W) {
    u32 Size = std::min(W, Threads - First);
    auto Ballot = [&](auto Says) {
      u64 Votes = 0;
      for (u32 L = 0; L < Size; ++L)
        Votes |= u64(Says(L) ? 1 : 0) << L;
      return Votes;
    };
    const u32 *V = In + First;
    u64 Odd = Ballot([&](u32 L) { return V[L] & 1; });
    u64 Third = Ballot([&](u32 L) { return L % 3 == 1; });
    for (u32 L = 0; L < Size; ++L) {
      R[First + L] = folded(Odd) + V[(L + 1) % W] * 3;
      if (L % 3 == 1)
        R[First + L] += folded(Third) * 5 + V[L];
      for (u32 I = 0; I < L % 5; ++I)
        R[First + L] += V[L] >> I;
    }
    u64 All = Ballot([&](u32 L) { return R[First + L] & 2; });
    for (u32 L = 0; L < Size; ++L)
      R[First + L] ^= folded(All);
    for (u32 Distance = 1; Distance < W; Distance *= 2) {
      std::vector<u32> Old(&R[First], &R[First] + Size);
      for (u32 L = 0; L < Size; ++L)
        R[First + L] += Old[L ^ Distance];
    }
  }
  return R;
}

static std::vector<u32> left(const u32 *In) {
  std::vector<u32> R(Threads, 0);
  auto Stays = [](u32 T, u32 I) { return I < 1 + T * 7 % 5; };
  for (u32 First = 0; First < Threads; First += W) {
    u32 End = std::min(First + W, Threads);
    for (u32 I = 0; I < 5; ++I) {
      u64 Here = 0;
      for (u32 T = First; T < End; ++T)
        Here |= u64(Stays(T, I)) << (T - First);
      for (u32 T = First; T < End; ++T)
        if (Stays(T, I))
          R[T] = R[T] * 3 + folded(Here);
    }
    u64 All = 0;
    for (u32 T = First; T < End; ++T)
      All |= u64(R[T] & 1) << (T - First);
    for (u32 T = First; T < End; ++T)
      R[T] ^= folded(All);
  }
  return R;
}

static void all(u32 NumThreads, bool WholeWarps) {
  Threads = NumThreads;
  N = Threads * 2 / 3;
  In.resize(Blocks * Threads);
  u32 Seed = 12345;
  for (u32 &V : In)
    V = (Seed = Seed * 1664525 + 1013904223) >> 8;
  if ((Threads & (Threads - 1)) == 0)
    check("reduce", reduce, sums, 0);
  check("early", early, rotated, 0);
  check("copies", copies, copied, 0);
  check("dynamic", dynamic, reversed, Threads * 4);
  check("large", large, reversedLarge, 4096);
  // A shuffle from a lane that has no thread means nothing.
  if (WholeWarps)
    check("warps", warps, exchanged, 0);
  check("leaving", leaving, left, 0);
}

int main(int, char **Arguments) {
  W = gpu::WarpSize = std::stoul(Arguments[1]);
  all(256, true);
  all(32, W == 32);
  all(1, false);
  all(100, false);
  all(1024, true);
}
