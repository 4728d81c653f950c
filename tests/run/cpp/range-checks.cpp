// Conditions on a thread's index, which the cpu device splits loops at, hold for
// exactly the threads that they hold for on the host: with offsets that wrap,
// limits of nothing and of everything, signed and narrow types, in every dimension.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
#include "Inputs/check.h"
#include <climits>

using U = std::size_t;
template <auto Holds> void mark(std::span<int> Out, U A, U B) {
  U I = ferry::global_id();
  if (Holds(I, A, B))
    Out[I] += 1;
  else
    Out[I] -= 3;
}
template <auto Holds> void only(std::span<int> Out, U A, U B) {
  U I = ferry::global_id();
  if (!Holds(I, A, B))
    return;
  Out[I] = static_cast<int>(I) + 5;
}
template <auto Holds> void plane(std::span<int> Out, U A, U B, U Width) {
  auto [X, Y, Z] = ferry::global_idx();
  if (Holds(X, A, B) && !Holds(Y, B, A))
    Out[Y * Width + X] = static_cast<int>(X + 1000 * Y);
}
template <auto Holds> void both(std::span<int> Out, U A, U B) {
  U I = ferry::global_id();
  int V = Out[I];
  if (Holds(I, A, B))
    V += 7;
  if (I >= 3 && I < 60 && Holds(I, B, A))
    V *= 2;
  if (I == A)
    V = -V;
  Out[I] = V;
}
template <auto Holds> void needs(std::span<int> Out, U A, U B) {
  U I = ferry::global_id();
  if (Holds(I, A, B))
    __builtin_trap();
  Out[I] = 1;
}

static const U Values[] = {0, 1, 2, 63, 64, 65, 99, 100, 101, 1000, INT_MAX, U(INT_MAX) + 1, UINT_MAX, U(UINT_MAX) + 1,
                           LONG_MAX, U(LONG_MAX) + 1, U(-1), U(-2), U(-64), U(-100), U(INT_MIN), U(LONG_MIN) + 5};
constexpr U N = 100;

// Neighbours on a ring that closes at A and B.
void ring(std::span<const int> In, std::span<int> Out, U A, U B) {
  U I = ferry::global_id();
  U Left = I == A ? N - 1 : I - (I != 0), Right = I == B ? 0 : I;
  Out[I] = In[Left] * 1000 + In[Right];
}
static void testRing() {
  std::vector<int> In(N), Out(N);
  for (U I = 0; I < N; ++I)
    In[I] = 3 * I + 1;
  for (U A : Values)
    for (U B : Values) {
      ferry::launch<ring>(ferry::over(N), In, Out, A, B);
      for (U I = 0; I < N; ++I)
        CHECK(Out[I] == In[I == A ? N - 1 : I - (I != 0)] * 1000 + In[I == B ? 0 : I]);
    }
}

template <auto Holds> void test() {
  for (U A : Values)
    for (U B : {U(0), U(1), U(7), U(50), U(-1), U(-60), U(LONG_MAX)}) {
      std::vector<int> M(N, 10), O(N, 1), B2(N, 4), P(N, -1);
      ferry::launch<mark<Holds>>(ferry::over(N), M, A, B);
      ferry::launch<only<Holds>>(ferry::over(N), O, A, B);
      ferry::launch<both<Holds>>(ferry::blocks(4).threads(25), B2, A, B);
      ferry::launch<plane<Holds>>(ferry::over(10, 10), P, A, B, N / 10);
      bool Any = false;
      for (U I = 0; I < N; ++I) {
        bool H = Holds(I, A, B);
        Any |= H;
        CHECK(M[I] == (H ? 11 : 7));
        CHECK(O[I] == (H ? static_cast<int>(I) + 5 : 1));
        int V = H ? 11 : 4;
        V *= I >= 3 && I < 60 && Holds(I, B, A) ? 2 : 1;
        CHECK(B2[I] == (I == A ? -V : V));
        U X = I % 10, Y = I / 10;
        CHECK(P[I] == (Holds(X, A, B) && !Holds(Y, B, A) ? static_cast<int>(X + 1000 * Y) : -1));
      }
      std::vector<int> T(N, 0);
      CHECK(static_cast<bool>(ferry::try_launch<needs<Holds>>(ferry::over(N), T, A, B)) == !Any);
    }
}

int main() {
  testRing();
  test<[](U I, U A, U) { return I < A; }>();
  test<[](U I, U A, U B) { return I + B < A; }>();
  test<[](U I, U A, U B) { return I - B < A; }>();
  test<[](U I, U A, U B) { return I - A <= B; }>();
  test<[](U I, U A, U B) { return A - I > B; }>();
  test<[](U I, U A, U B) { return I >= B && I < A; }>();
  test<[](U I, U A, U B) { return I < B || I > A; }>();
  test<[](U I, U A, U B) { return I != A && I != B; }>();
  test<[](U I, U A, U) { return 2 * I + 1 < A; }>();
  test<[](U I, U A, U B) { return I * B < A; }>();
  test<[](U I, U A, U) { return static_cast<int>(I) < static_cast<int>(A); }>();
  test<[](U I, U A, U B) { return static_cast<int>(I - B) >= static_cast<int>(A); }>();
  test<[](U I, U A, U) { return static_cast<long>(I) < static_cast<long>(A); }>();
  test<[](U I, U A, U B) { return static_cast<long>(I + B) > static_cast<long>(A); }>();
  test<[](U I, U A, U B) { return static_cast<unsigned>(I + B) < static_cast<unsigned>(A); }>();
  test<[](U I, U A, U) { return static_cast<unsigned char>(I * 3) < static_cast<unsigned char>(A); }>();
  test<[](U I, U A, U B) { return (I ^ 1) < A && (I & 3) != (B & 3); }>();
}
