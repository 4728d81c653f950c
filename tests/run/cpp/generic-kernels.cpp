// What can be a kernel: template instances, overloads, static members, functions
// of unnamed namespaces, captureless lambdas, and parallel_for's lambdas with
// captured values.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <array>
#include <numeric>

template <class T> void scale(std::span<T> V, T A) { V[ferry::global_id()] *= A; }
template <class T, int N, auto Op> void apply(std::span<T> V) {
  T &E = V[ferry::global_id()];
  for (int I = 0; I < N; ++I)
    E = Op(E);
}
constexpr int plusOne(int X) { return X + 1; }
void overloaded(std::span<int> V) { V[ferry::global_id()] += 100; }
void overloaded(std::span<float> V) { V[ferry::global_id()] += 0.5f; }
namespace {
void hidden(std::span<int> V) { V[ferry::global_id()] -= 100; }
} // namespace
static void internal(std::span<int> V) { V[ferry::global_id()] *= -1; }
struct Math {
  static void half(std::span<int> V) { V[ferry::global_id()] /= 2; }
  template <class T> struct Of {
    static void twice(std::span<T> V) { V[ferry::global_id()] *= 2; }
  };
};
template <class... T> void addAll(std::span<long> Out, T... V) { Out[0] = (0 + ... + V); }
void throwsNothing(std::span<int> V) noexcept { V[ferry::global_id()] += 3; }
extern "C" void cKernel(std::span<int> V) { V[ferry::global_id()] += 4; }
inline void inlined(std::span<int> V) { V[ferry::global_id()] += 5; }
[[gnu::noinline]] int outOfLine(int X) { return X * X; }
void calls(std::span<int> V) { V[ferry::global_id()] = outOfLine(V[ferry::global_id()]); }

struct Affine {
  float A, B;
  float operator()(float X) const { return A * X + B; }
};
template <class F> void map(F Function, std::span<float> V) {
  float &E = V[ferry::global_id()];
  E = Function(E);
}

struct Matrix {
  std::array<double, 64> M;
};

int main() {
  std::vector<int> V{10, 20, 30};
  std::vector<float> F{1, 2, 3};
  auto N = ferry::over(3);
  ferry::launch<scale<int>>(N, V, 3);
  ferry::launch<scale<float>>(N, F, 2.f);
  CHECK(V[2] == 90 && F[2] == 6);
  ferry::launch<apply<int, 5, plusOne>>(N, V);
  ferry::launch<apply<int, 2, [](int X) { return X - 2; }>>(N, V);
  CHECK(V[2] == 91);
  ferry::launch<static_cast<void (*)(std::span<int>)>(overloaded)>(N, V);
  ferry::launch<static_cast<void (*)(std::span<float>)>(overloaded)>(N, F);
  CHECK(V[0] == 131 && F[0] == 2.5f);
  ferry::launch<hidden>(N, V);
  ferry::launch<internal>(N, V);
  CHECK(V[0] == -31);
  ferry::launch<Math::half>(N, V);
  ferry::launch<Math::Of<int>::twice>(N, V);
  CHECK(V[0] == -30);
  ferry::launch<throwsNothing>(N, V);
  ferry::launch<cKernel>(N, V);
  ferry::launch<inlined>(N, V);
  ferry::launch<calls>(N, V);
  CHECK(V[0] == 18 * 18);
  std::vector<long> Out(1);
  ferry::launch<addAll<int, short, long>>(ferry::over(1), Out, 1, static_cast<short>(2), 3L);
  CHECK(Out[0] == 6);
  ferry::launch<map<Affine>>(N, Affine{2, 1}, F);
  CHECK(F[0] == 6);
  constexpr auto Lambda = [](std::span<int> V, int A) { V[ferry::global_id()] = A; };
  ferry::launch<Lambda>(N, V, 77);
  ferry::launch<[](std::span<int> V) { V[ferry::global_id()] += 1; }>(N, V);
  CHECK(V[0] == 78 && V[2] == 78);

  // parallel_for: no capture, a few, a struct of 512 bytes, a mutable copy for
  // each thread, an index of several dimensions.
  ferry::parallel_for(N, [](std::size_t I, std::span<int> V) { V[I] = static_cast<int>(I); }, V);
  CHECK(V[0] == 0 && V[2] == 2);
  int A = 5;
  double B = 0.5;
  char C = 'c';
  bool D = true;
  ferry::parallel_for(N, [=](std::size_t I, std::span<float> F) { F[I] = D ? A + B + C : 0; }, F);
  CHECK(F[1] == 5.5f + 'c');
  Matrix M;
  std::iota(M.M.begin(), M.M.end(), 1.0);
  ferry::parallel_for(N, [M](std::size_t I, std::span<float> F, float Add) { F[I] = M.M[I + 60] + Add; }, F, 0.5f);
  CHECK(F[0] == 61.5f && F[2] == 63.5f);
  int Count = 10;
  ferry::parallel_for(
      ferry::over(100), [Count](std::size_t I, std::span<int> V) mutable {
        Count += static_cast<int>(I);
        if (I < V.size())
          V[I] = Count;
      },
      V);
  CHECK(V[0] == 10 && V[1] == 11 && V[2] == 12 && Count == 10);
  std::vector<int> Grid(35);
  ferry::parallel_for(
      ferry::over(7, 5),
      [K = 100](std::size_t I, std::span<int> G) {
        auto [X, Y, Z] = ferry::global_idx();
        G[I] = static_cast<int>(Y * K + X);
      },
      Grid);
  CHECK(Grid[0] == 0 && Grid[6] == 6 && Grid[7] == 100 && Grid[34] == 406);
  ferry::parallel_for(ferry::over(1), [=, N = V.size()](std::size_t, int &R) { R = static_cast<int>(N) + A; }, V[0]);
  CHECK(V[0] == 8);
  ferry::parallel_for(ferry::blocks(2).threads(3), [](std::size_t I, std::span<int> G) { G[I] = ferry::block_idx().x; },
                      Grid);
  CHECK(Grid[2] == 0 && Grid[3] == 1 && Grid[5] == 1 && Grid[6] == 6);
}
