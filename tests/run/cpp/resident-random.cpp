// Random programs of launches on all devices and in streams, host code on device
// addresses, host reads and writes, about residents of parts of two arrays; the same
// by the host alone; and equal results.
//
// RUN: %run-everywhere --output %t --ways=-O2 %s | FileCheck %s
// CHECK: 300 programs

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <ferry/ferry.h>
#include <optional>
#include <random>
#include <vector>

static void add(int By, std::span<int> V) { V[ferry::global_id()] += By; }
static void set(int To, std::span<int> V) { V[ferry::global_id()] = To; }
static void addTo(std::span<const int> X, std::span<int> Y) {
  Y[ferry::global_id()] += X[ferry::global_id()];
}
static void some(std::span<int> V, std::span<const int> Which) {
  if (Which[ferry::global_id()] & 1)
    V[ferry::global_id()] = 5;
}

constexpr int N = 100;
static std::vector<int> A(N), B(N), C(N);

class Program {
public:
  explicit Program(unsigned Seed) : Random(Seed) {
    for (int I = 0; I < N; ++I) {
      A[I] = I;
      B[I] = -I;
      C[I] = pick(10);
    }
    X = A;
    Y = B;
    Begin = pick(3) ? 0 : pick(N / 2);
    End = pick(3) ? N : Begin + 1 + pick(N - Begin);
    R.emplace(std::span(A).subspan(Begin, End - Begin));
    if (pick(2))
      S.emplace(B);
    for (int I = 0; I < 2; ++I)
      Streams.emplace_back();
  }

  void run() {
    for (int Steps = 20 + pick(40); Steps; --Steps)
      step();
    for (ferry::stream &T : Streams)
      T.wait();
    R.reset();
    S.reset();
    assert(A == X && B == Y);
  }

private:
  std::mt19937 Random;
  std::vector<int> X, Y; // what A and B should be
  int Begin, End;        // of A's resident
  std::optional<ferry::resident<int>> R, S;
  std::vector<ferry::stream> Streams;

  int pick(int Count) { return static_cast<int>(Random() % Count); }

  /// A shape on some device; in a stream it may come later.
  ferry::over_shape shape(int Count) {
    ferry::over_shape Shape = ferry::over(Count);
    if (pick(2))
      Shape = Shape.device(pick(ferry::devices()));
    return Shape;
  }

  /// Runs it, perhaps in a stream that everything else waits for.
  template <auto Kernel, class... Args> void launch(int Count, Args... Given) {
    if (pick(3)) {
      ferry::launch<Kernel>(shape(Count), Given...);
      return;
    }
    ferry::stream &T = Streams[pick(2)], &U = Streams[pick(2)];
    ferry::launch<Kernel>(shape(Count).on(T), Given...);
    if (&T != &U)
      U.after(T.record());
    U.wait();
    T.wait();
  }

  void step() {
    // Mostly inside of the resident, or all of the array.
    bool Inside = pick(4);
    int From = Inside ? Begin + pick(End - Begin) : pick(N);
    int To = From + 1 + pick((Inside ? End : N) - From);
    std::span<int> Part = std::span(A).subspan(From, To - From);
    auto Model = [&](auto F) {
      for (int I = From; I < To; ++I)
        F(I);
    };
    int V = pick(100);
    switch (pick(8)) {
    case 0:
      launch<add>(To - From, V, Part);
      Model([&](int I) { X[I] += V; });
      return;
    case 1:
      launch<set>(To - From, V, ferry::out(Part));
      Model([&](int I) { X[I] = V; });
      return;
    case 2:
      launch<addTo>(To - From, std::span<const int>(Part),
                    std::span(B).subspan(From, To - From));
      Model([&](int I) { Y[I] += X[I]; });
      return;
    case 3:
      launch<addTo>(To - From,
                    std::span<const int>(B).subspan(From, To - From), Part);
      Model([&](int I) { X[I] += Y[I]; });
      return;
    case 4:
      launch<some>(To - From, Part,
                   std::span<const int>(C).subspan(From, To - From));
      Model([&](int I) { X[I] = C[I] & 1 ? 5 : X[I]; });
      return;
    case 5: { // the host reads and writes
      int First = From < Begin ? 0 : From - Begin;
      int Count = std::max(0, std::min(To, End) - Begin - First);
      if (First + Count > End - Begin)
        return;
      R->to_host(First, Count);
      for (int I = Begin + First; I < Begin + First + Count; ++I) {
        assert(A[I] == X[I]);
        A[I] = X[I] = V;
      }
      R->to_device(First, Count);
      return;
    }
    case 6: { // a stream's copies
      ferry::stream &T = Streams[pick(2)];
      if (S) {
        T.to_host(*S, From, To - From);
        T.wait();
        Model([&](int I) {
          assert(B[I] == Y[I]);
          B[I] = Y[I] = V;
        });
        T.to_device(*S, From, To - From);
        T.wait();
      }
      return;
    }
    case 7:
      ferry::with_device(ferry::inout(Part), ferry::in(B),
                         [&](int *D, const int *E) {
                           for (int I = 0; I < To - From; ++I)
                             D[I] = (D[I] * 3 + E[From + I]) % 1000;
                         });
      Model([&](int I) { X[I] = (X[I] * 3 + Y[I]) % 1000; });
      return;
    }
  }
};

int main() {
  for (unsigned Seed = 0; Seed < 300; ++Seed)
    Program(Seed).run();
  std::puts("300 programs");
}
