// Warp functions: whole and partial warps, blocks of three dimensions, threads
// that went another way, values of every size; reductions and scans of floats
// are the same in every run and on every lane.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
#include "Inputs/check.h"
#include <algorithm>
#include <numeric>

using U64 = std::uint64_t;

void places(std::span<std::uint32_t> Size, std::span<std::uint32_t> Lane, std::span<U64> Ballot) {
  auto [X, Y, Z] = ferry::thread_idx();
  auto [NX, NY, NZ] = ferry::block_dim();
  std::size_t T = (Z * NY + Y) * NX + X, B = ferry::block_idx().x;
  std::size_t At = B * NX * NY * NZ + T;
  Size[At] = ferry::warp::size();
  Lane[At] = ferry::warp::lane();
  Ballot[At] = ferry::warp::ballot(T % 3 == 0);
}

struct Wide {
  std::uint16_t A;
  double B;
  float C;
  long D;
};
static_assert(sizeof(Wide) == 32);

template <class T> T make(unsigned Thread) { return static_cast<T>(Thread * 3 + 1); }
template <> Wide make<Wide>(unsigned T) { return {std::uint16_t(T), T * 0.5, -float(T), long(T) << 40}; }
bool same(const Wide &A, const Wide &B) { return A.A == B.A && A.B == B.B && A.C == B.C && A.D == B.D; }
template <class T> bool same(const T &A, const T &B) { return A == B; }

/// What each shuffle gives, as a thread's own number: which lane it came from.
template <class T> void shuffles(std::span<int> Wrong, unsigned Delta) {
  unsigned Thread = ferry::thread_idx().x, Lane = ferry::warp::lane(), First = Thread - Lane;
  unsigned Size = ferry::warp::size(), There = ferry::block_dim().x - First;
  There = There < Size ? There : Size;
  T Mine = make<T>(Thread);
  unsigned Other = (Lane + Delta % 64) % There;
  T S = ferry::warp::shuffle(Mine, Other);
  T Up = ferry::warp::shuffle_up(Mine, Delta);
  T Down = ferry::warp::shuffle_down(Mine, Delta);
  T Xor = ferry::warp::shuffle_xor(Mine, Delta);
  T WantUp = make<T>(Lane >= Delta ? Thread - Delta : Thread);
  T WantDown = make<T>(Delta < There - Lane ? Thread + Delta : Thread);
  T WantXor = make<T>((Lane ^ Delta) < There ? First + (Lane ^ Delta) : Thread);
  Wrong[ferry::global_id()] = !same(S, make<T>(First + Other)) + 2 * !same(Up, WantUp) + 4 * !same(Down, WantDown) +
                              8 * !same(Xor, WantXor);
}
template <class T> void testShuffles() {
  for (unsigned Threads : {1u, 7u, 32u, 45u, 96u, 1024u})
    for (unsigned Delta : {0u, 1u, 5u, 16u, 31u, 32u, 63u, 1000u, ~0u}) {
      std::vector<int> Wrong(2 * Threads, -1);
      ferry::launch<shuffles<T>>(ferry::blocks(2).threads(Threads), Wrong, Delta);
      for (int W : Wrong)
        CHECK(W == 0);
    }
}

template <class T> void reductions(std::span<const T> In, std::span<T> Out) {
  std::size_t I = ferry::global_id(), N = In.size();
  T X = In[I];
  Out[I] = ferry::warp::reduce_add(X);
  Out[N + I] = ferry::warp::reduce_min(X);
  Out[2 * N + I] = ferry::warp::reduce_max(X);
  Out[3 * N + I] = ferry::warp::inclusive_scan_add(X);
  Out[4 * N + I] = ferry::warp::exclusive_scan_add(X);
}
template <class T> void testReductions(unsigned Size) {
  for (unsigned Threads : {1u, 2u, 31u, 32u, 33u, 100u, 256u}) {
    std::size_t N = 3 * Threads;
    std::vector<T> In(N), Out(5 * N), Again(5 * N);
    for (std::size_t I = 0; I < N; ++I)
      In[I] = static_cast<T>(int(I * 7 % 23) - (std::is_signed_v<T> ? 11 : 0));
    ferry::launch<reductions<T>>(ferry::blocks(3).threads(Threads), In, Out);
    for (std::size_t I = 0; I < N; ++I) {
      std::size_t Block = I / Threads * Threads, First = Block + (I - Block) / Size * Size;
      std::size_t End = std::min<std::size_t>(First + Size, Block + Threads);
      CHECK(Out[I] == std::accumulate(&In[First], &In[0] + End, T(0)));
      CHECK(Out[N + I] == *std::min_element(&In[First], &In[0] + End));
      CHECK(Out[2 * N + I] == *std::max_element(&In[First], &In[0] + End));
      CHECK(Out[3 * N + I] == std::accumulate(&In[First], &In[I] + 1, T(0)));
      CHECK(Out[4 * N + I] == std::accumulate(&In[First], &In[I], T(0)));
    }
    if constexpr (std::is_floating_point_v<T>) {
      for (std::size_t I = 0; I < N; ++I)
        In[I] = T(1) / T(I + 3);
      ferry::launch<reductions<T>>(ferry::blocks(3).threads(Threads), In, Out);
      ferry::launch<reductions<T>>(ferry::blocks(3).threads(Threads), In, Again);
      for (std::size_t I = 0; I < Out.size(); ++I)
        CHECK(sameBits(Out[I], Again[I]));
      for (std::size_t I = 1; I < N; ++I)
        if (I / Threads == (I - 1) / Threads && I % Threads / Size == (I - 1) % Threads / Size)
          CHECK(sameBits(Out[I], Out[I - 1]));
    }
  }
}

/// Only threads whose bit is set take part.
void divergent(U64 Part, std::span<int> Sum, std::span<int> Scan, std::span<int> Any, std::span<U64> Who) {
  unsigned T = ferry::thread_idx().x;
  if (Part >> T & 1) {
    Who[T] = ferry::warp::ballot(true);
    Sum[T] = ferry::warp::reduce_add(int(T) + 1);
    Scan[T] = ferry::warp::exclusive_scan_add(int(T) + 1);
    Any[T] = ferry::warp::any(T == 3) + 2 * ferry::warp::all(T != 3) + 4 * ferry::warp::shuffle_up(int(T), 1);
  }
}

void signs(std::span<float> V) {
  unsigned T = ferry::thread_idx().x;
  float X = T % 2 ? -0.f : 0.f;
  V[T] = ferry::warp::reduce_max(X);
  V[32 + T] = ferry::warp::reduce_min(X);
  V[64 + T] = ferry::warp::reduce_max(T == 5 ? 2.f : __builtin_nanf(""));
}

int main() {
  std::vector<std::uint32_t> One(1), Dummy(1);
  std::vector<U64> Bits(1);
  ferry::launch<places>(ferry::blocks(1).threads(1), One, Dummy, Bits);
  unsigned Size = One[0];
  CHECK(std::has_single_bit(Size) && Size >= 32 && Size <= 64);

  unsigned Shapes[][3] = {{1, 1, 1}, {50, 1, 1}, {8, 8, 1}, {3, 5, 7}, {1, 1, 64}, {32, 32, 1}};
  for (auto [X, Y, Z] : Shapes) {
    std::size_t N = X * Y * Z;
    std::vector<std::uint32_t> S(2 * N), L(2 * N);
    std::vector<U64> B(2 * N);
    ferry::launch<places>(ferry::blocks(2).threads(X, Y, Z), S, L, B);
    for (std::size_t I = 0; I < 2 * N; ++I) {
      std::size_t T = I % N, First = T / Size * Size;
      CHECK(S[I] == Size && L[I] == T % Size);
      U64 Want = 0;
      for (std::size_t J = First; J < std::min<std::size_t>(N, First + Size); ++J)
        Want |= U64(J % 3 == 0) << (J - First);
      CHECK(B[I] == Want);
    }
  }

  testShuffles<std::uint8_t>();
  testShuffles<float>();
  testShuffles<Wide>();

  testReductions<int>(Size);
  testReductions<unsigned short>(Size);
  testReductions<double>(Size);

  for (U64 Part : {0x1ull, 0xffffffffull, 0x80000001ull, 0xaaaaaaaaull, 0x00ff0f08ull, 0x7fffffffull, 0x12345678ull}) {
    std::vector<int> Sum(32, -1), Scan(32, -1), Any(32, -1);
    std::vector<U64> Who(32);
    ferry::launch<divergent>(ferry::blocks(1).threads(32), Part, Sum, Scan, Any, Who);
    int Total = 0, Before = 0, Has3 = Part >> 3 & 1;
    for (int T = 0; T < 32; ++T)
      Total += Part >> T & 1 ? T + 1 : 0;
    for (int T = 0; T < 32; ++T)
      if (Part >> T & 1) {
        int From = T > 0 && (Part >> (T - 1) & 1) ? T - 1 : T;
        CHECK(Who[T] == Part && Sum[T] == Total && Scan[T] == Before);
        CHECK(Any[T] == Has3 + 2 * !Has3 + 4 * From);
        Before += T + 1;
      } else {
        CHECK(Sum[T] == -1 && Scan[T] == -1 && Any[T] == -1);
      }
  }

  std::vector<float> V(96);
  ferry::launch<signs>(ferry::blocks(1).threads(32), V);
  for (int T = 0; T < 32; ++T)
    CHECK(sameBits(V[T], 0.f) && sameBits(V[32 + T], -0.f) && V[64 + T] == 2.f);
}
