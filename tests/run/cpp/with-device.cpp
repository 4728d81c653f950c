// Host code that is given device addresses: what is copied, how residents and
// overlapping arguments come in, and that errors and exceptions leave nothing
// behind. What host code does on a virtual device it does here by itself.
//
// RUN: %run-everywhere --output %t %s | FileCheck %s
// CHECK: all right

#include <cassert>
#include <cstdio>
#include <cstring>
#include <ferry/ferry.h>
#include <memory>
#include <vector>

static bool onCpu;

struct Counter {
  ferry::statistics Before = ferry::stats();

  void expect(std::uint64_t To, std::uint64_t BytesTo, std::uint64_t Back,
              std::uint64_t BytesBack) {
    ferry::statistics Now = ferry::stats();
    std::uint64_t Seen[] = {Now.copies_to_device - Before.copies_to_device,
                            Now.bytes_to_device - Before.bytes_to_device,
                            Now.copies_to_host - Before.copies_to_host,
                            Now.bytes_to_host - Before.bytes_to_host};
    std::uint64_t Wanted[] = {To, BytesTo, Back, BytesBack};
    for (int I = 0; I < 4; ++I)
      if (Seen[I] != (onCpu ? 0 : Wanted[I])) {
        std::printf("%d: %lu instead of %lu\n", I, Seen[I], Wanted[I]);
        assert(false);
      }
    Before = Now;
  }
};

static void add(int By, std::span<int> V) { V[ferry::global_id()] += By; }

int main() {
  onCpu = ferry::device_name(ferry::current_device()) == "cpu";
  constexpr std::size_t N = 1000;
  std::vector<int> X(N, 1), Y(N, 2), Z(N, 3);
  Counter C;

  int Sum = ferry::with_device(
      ferry::in(X), ferry::out(Y), ferry::inout(Z.data(), N),
      [&](const int *DX, int *DY, int *DZ) {
        assert((DX == X.data()) == onCpu && (DY == Y.data()) == onCpu);
        int Sum = 0;
        for (std::size_t I = 0; I < N; ++I) {
          DY[I] = DX[I] + DZ[I];
          DZ[I] *= 2;
          Sum += DY[I];
        }
        return Sum;
      });
  C.expect(2, 8000, 2, 8000);
  assert(Sum == 4000 && X[7] == 1 && Y[7] == 4 && Z[7] == 6);

  // Two parts of one array share their place.
  ferry::with_device(ferry::in(X.data(), 600), ferry::inout(X.data() + 400, 600),
                     [](const int *First, int *Second) {
                       assert(First + 400 == Second);
                       Second[0] = 50;
                       assert(First[400] == 50);
                     });
  C.expect(1, 4000, 1, 2400);
  assert(X[400] == 50);
  X[400] = 1;

  {
    ferry::resident R(Y);
    ferry::launch<add>(ferry::over(N), 1, R);
    C.expect(1, 4000, 0, 0);
    for (int I = 0; I < 3; ++I)
      ferry::with_device(ferry::inout(R), ferry::in(X),
                         [](int *D, const int *) { D[1] += 10; });
    C.expect(3, 12000, 0, 0);
    ferry::launch<add>(ferry::over(N), 1, R);
    R.to_host(0, 2);
    C.expect(0, 0, 1, 8);
    assert(Y[0] == 6 && Y[1] == 36);
  }
  C.expect(0, 0, 1, 3992);

  {
    // Launches inside: on the resident, and not on more.
    ferry::resident R(std::span(Y).first(500));
    ferry::with_device(ferry::inout(R.span().data(), 10), [&](int *D) {
      ferry::launch<add>(ferry::over(500), 1, R);
      if (!onCpu) {
        assert(D[9] == 7);
        ferry::status S = ferry::try_launch<add>(ferry::over(N), 1, Y);
        assert(S.code() == ferry::errc::invalid_argument);
        ferry::with_device(ferry::in(R), [&](const int *E) { assert(E == D); });
      }
    });
    ferry::launch<add>(ferry::over(N), 1, Y);
    assert(Y[9] == 8 && Y[600] == 7);
    C = {};
  }
  for (int &V : Y)
    V = 2;

  // Void, references, values that only move, and functions that aren't lambdas.
  int Somewhere = 3;
  int &Same = ferry::with_device(
      ferry::in(X), [&](const int *) -> int & { return Somewhere; });
  assert(&Same == &Somewhere);
  std::unique_ptr<int> Owned = ferry::with_device(
      ferry::in(X), [](const int *D) { return std::make_unique<int>(D[3]); });
  assert(*Owned == 1);

  // What is thrown passes through, and the host has what it had.
  C = {};
  try {
    ferry::with_device(ferry::inout(X), ferry::out(Z), [&](int *DX, int *) {
      DX[0] += onCpu ? 0 : 98;
      throw 42;
    });
    assert(false);
  } catch (int Thrown) {
    assert(Thrown == 42);
  }
  C.expect(1, 4000, 0, 0);
  assert(X[0] == 1 && Z[0] == 6);

  std::vector<int> None;
  ferry::with_device(ferry::inout(None), [](int *) {});
  bool Refused = false;
  try {
    ferry::with_device(ferry::in(X), ferry::inout(Y.data(), -5),
                       [](const int *, int *) { assert(false); });
  } catch (const ferry::error &E) {
    Refused = true;
    assert(E.code() == ferry::errc::invalid_argument);
    assert(std::strstr(E.what(), "with_device: argument 2 has -5 elements"));
  }
  assert(Refused);
  if (!onCpu) {
    Refused = false;
    static char Byte;
    try {
      ferry::with_device(ferry::inout(X), ferry::out(&Byte, 1ul << 50),
                         [](int *, char *) { assert(false); });
    } catch (const ferry::error &E) {
      Refused = true;
      assert(E.code() == ferry::errc::out_of_memory);
      assert(std::strstr(E.what(), "with_device: device virtual:0 has no room "
                                   "for 'argument 2'"));
    }
    assert(Refused && X[0] == 1);
  }
  std::puts("all right");
}
