// Structs, nested and padded, arrays by value, and buffers of them keep every
// byte; a buffer keeps its padding as well.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <array>
#include <complex>
#include <optional>
#include <tuple>

struct Inner {
  char C;
  double D;
  bool B;
};
struct Padded {
  unsigned char First;
  Inner Nested[2];
  short S;
  __int128 Wide;
  float F[3];
  char Last;
  bool operator==(const Padded &O) const {
    for (int I = 0; I < 2; ++I)
      if (Nested[I].C != O.Nested[I].C || !sameBits(Nested[I].D, O.Nested[I].D) ||
          Nested[I].B != O.Nested[I].B)
        return false;
    return First == O.First && S == O.S && Wide == O.Wide && sameBits(F, O.F) && Last == O.Last;
  }
};
struct Empty {};
struct alignas(64) Aligned {
  int X;
};
struct Bits {
  unsigned A : 3;
  int B : 7;
  unsigned long C : 50;
};
union Either {
  int I;
  double D;
};
struct Large { // more than a few hundred bytes
  double D[100];
  char C;
};
struct __attribute__((packed)) Packed {
  char C;
  int I;
  double D;
};

template <class T> void store(T V, std::span<T> Out) { Out[ferry::global_id()] = V; }
template <class T> void copyReference(const T &V, T &Out) { Out = V; }
template <class T> void swapBytes(std::span<T> V) {
  // Touches nothing but the first byte and puts it back: the rest must survive.
  auto *P = reinterpret_cast<unsigned char *>(&V[ferry::global_id()]);
  *P = static_cast<unsigned char>(*P ^ 0xff);
}

template <class T> T filled(unsigned Seed) {
  T V;
  auto *P = reinterpret_cast<unsigned char *>(&V);
  for (std::size_t I = 0; I < sizeof(T); ++I)
    P[I] = static_cast<unsigned char>(Seed = Seed * 1103515245 + 12345);
  return V;
}

template <class T> void roundTrip(const T &V) {
  std::vector<T> Out(5, filled<T>(1));
  ferry::launch<store<T>>(ferry::over(5), V, Out);
  for (const T &O : Out)
    CHECK(O == V);
  T One = filled<T>(2);
  ferry::launch<copyReference<T>>(ferry::over(1), V, One);
  CHECK(One == V);
}

template <class T> void keepsBytes() {
  std::vector<T> V(7);
  for (unsigned I = 0; I < 7; ++I) {
    T Value = filled<T>(I);
    std::memcpy(&V[I], &Value, sizeof(T));
  }
  std::vector<T> Before(7);
  std::memcpy(Before.data(), V.data(), 7 * sizeof(T));
  ferry::launch<swapBytes<T>>(ferry::over(7), V);
  for (unsigned I = 0; I < 7; ++I) {
    auto *Was = reinterpret_cast<unsigned char *>(&Before[I]), *Is = reinterpret_cast<unsigned char *>(&V[I]);
    CHECK(Is[0] == (Was[0] ^ 0xff));
    CHECK(std::memcmp(Is + 1, Was + 1, sizeof(T) - 1) == 0);
  }
}

bool operator==(const Empty &, const Empty &) { return true; }
bool operator==(const Aligned &A, const Aligned &B) { return A.X == B.X; }
bool operator==(const Bits &A, const Bits &B) { return A.A == B.A && A.B == B.B && A.C == B.C; }
bool operator==(const Either &A, const Either &B) { return sameBits(A.D, B.D); }
bool operator==(const Large &A, const Large &B) { return sameBits(A.D, B.D) && A.C == B.C; }
bool operator==(const Packed &A, const Packed &B) { return sameBits(A, B); }

void alignment(Aligned V, std::span<unsigned> Out) {
  Out[0] = reinterpret_cast<std::uintptr_t>(&V) % alignof(Aligned);
}

int main() {
  Padded P = {7, {{'a', -0.0, true}, {'b', 1e300, false}}, -3, (__int128(1) << 100) + 5, {1, 2, 3}, 'z'};
  roundTrip(P);
  roundTrip(Empty{});
  roundTrip(Aligned{42});
  roundTrip(Bits{5, -60, (1UL << 49) + 1});
  roundTrip(Either{.D = 3.25});
  roundTrip(Packed{'p', -2, 2.5});
  Large L = {{}, 'l'};
  for (int I = 0; I < 100; ++I)
    L.D[I] = 1.0 / (I + 1);
  roundTrip(L);
  roundTrip(std::array<float, 3>{1, 2, 3});
  roundTrip(std::array<std::array<short, 5>, 7>{{{1, 2}, {3, 4, 5, 6, 7}}});
  roundTrip(std::array<Inner, 1>{{{'q', 2.5, true}}}[0].D);
  roundTrip(std::complex<float>(1, -2));
  roundTrip(std::complex<double>(1, -2));
  roundTrip(std::optional<int>(3));
  roundTrip(std::optional<int>());

  keepsBytes<Inner>();
  keepsBytes<Padded>();
  keepsBytes<Aligned>();
  keepsBytes<Bits>();
  keepsBytes<Packed>();
  keepsBytes<Large>();

  unsigned Misaligned = 99;
  ferry::launch<alignment>(ferry::over(1), Aligned{1}, std::span(&Misaligned, 1));
  CHECK(Misaligned == 0);

  // A C array goes to a std::array parameter by value.
  int C[4] = {4, 5, 6, 7};
  std::vector<std::array<int, 4>> Out(1);
  ferry::launch<store<std::array<int, 4>>>(ferry::over(1), C, Out);
  CHECK((Out[0] == std::array<int, 4>{4, 5, 6, 7}));
}
