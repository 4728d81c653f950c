// Both modes through what memory and calls can do.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t
// RUN: env FERRY_AD_RECOMPUTE=0 %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t

#include "Inputs/check.h"
#include <array>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

/// F's slope at X is that of differences. Reverse mode refuses recursion and
/// copies of single bytes.
template <bool Reverse = true, class F>
static void along(const char *Name, F f, double X) {
  static F Function = f;
  double H = 1e-5;
  auto At = [&](double Y) { return Function(Y); };
  double Slope = (At(X + H) - At(X - H)) / (2 * H);
  double Wide = (At(X + 2 * H) - At(X - 2 * H)) / (4 * H);
  double Got =
      __enzyme_fwddiff<double>((void *)+f, X, 1.0);
  checkNear(Name, Got, (4 * Slope - Wide) / 3, 1e-8);
  if constexpr (Reverse)
    checkNear((std::string(Name) + ", reverse").c_str(),
              __enzyme_autodiff<double>((void *)+f, X), Got, 1e-12);
}

struct Body {
  double Mass;
  int Id;
  float Charge;
  double Place[3];
};
static double energy(Body B, const Body &C) {
  double R = 0;
  for (int I = 0; I < 3; ++I)
    R += (B.Place[I] - C.Place[I]) * (B.Place[I] - C.Place[I]);
  return B.Mass * C.Mass / std::sqrt(R) + B.Charge * C.Charge + B.Id;
}
struct Small {
  int Tag;
  float Value;
};
[[gnu::noinline]] static Small bump(Small S) { return {S.Tag + 1, S.Value * 3}; }

static double Accumulator = 0;
static double Table[4] = {1, 2, 3, 4};
static const double Weights[3] = {0.5, 0.25, 2};
[[gnu::noinline]] static void accumulate(double X) { Accumulator += X * X; }

[[gnu::noinline]] static double power(double X, int N) {
  return N == 0 ? 1 : X * power(X, N - 1);
}
static double odd(double X, int N);
static double even(double X, int N) { return N == 0 ? X : X * odd(X, N - 1); }
static double odd(double X, int N) {
  return N == 0 ? X * X : std::sin(even(X, N - 1));
}

[[gnu::noinline]] static double *newArray(int N) {
  return static_cast<double *>(std::malloc(N * sizeof(double)));
}
[[gnu::noinline]] static double callBack(double (*F)(double), double X) {
  return F(X) * X;
}
static double squared(double X) { return X * X; }

int main() {
  along("memory from a function", [](double X) {
    double *A = newArray(2);
    A[0] = X * X;
    A[1] = A[0] * X;
    double R = A[0] + A[1];
    std::free(A);
    return R;
  }, 1.25);
  along("a function as an argument", [](double X) { return callBack(squared, X); }, 1.25);
  along<false>("realloc", [](double X) {
    auto *A = static_cast<double *>(std::malloc(sizeof(double)));
    A[0] = X * X;
    A = static_cast<double *>(std::realloc(A, 100 * sizeof(double)));
    A[99] = A[0] * X;
    double R = A[99];
    std::free(A);
    return R;
  }, 1.25);
  along("struct by value", [](double X) {
    Body A = {X, 3, 2, {X, 2 * X, 1}}, B = {2, 1, 0.5f, {0, 1, X * X}};
    return energy(A, B);
  }, 1.25);
  along("struct in an integer register", [](double X) {
    Small S = bump({2, static_cast<float>(X)});
    return static_cast<double>(S.Value) * 0x1p-3 * 0 + X * S.Tag;
  }, 1.25);
  checkNear("float beside an integer",
            __enzyme_fwddiff<float>((void *)+[](float X) {
              return bump(bump({2, X})).Value;
            }, 1.5f, 1.f), 9);
  along("bits in a uint64_t", [](double X) {
    uint64_t Bits;
    std::memcpy(&Bits, &X, 8);
    volatile int Zero = 0;
    uint64_t Copies[2] = {Bits, 0};
    Copies[1] = Copies[Zero];
    double Y;
    std::memcpy(&Y, &Copies[1], 8);
    return Y * Y;
  }, 1.25);
  along<false>("bytes one by one", [](double X) {
    double Y;
    auto *From = reinterpret_cast<const unsigned char *>(&X);
    auto *To = reinterpret_cast<unsigned char *>(&Y);
    for (int I = 0; I < 8; ++I)
      To[I] = From[I];
    return std::exp(Y);
  }, 1.25);
  along("union", [](double X) {
    union {
      double D;
      long L;
    } U;
    U.L = 5;
    double R = U.L * X;
    U.D = X * X;
    return R + U.D;
  }, 1.25);
  along("globals", [](double X) {
    Accumulator = 0;
    accumulate(X);
    accumulate(2 * X);
    Table[2] = X;
    double R = 0;
    for (double T : Table)
      R += T * X;
    return R + Accumulator;
  }, 1.25);
  along("constant table", [](double X) {
    double W[3];
    std::memcpy(W, Weights, sizeof W);
    W[1] *= X;
    return W[0] * X + W[1] * X + W[2];
  }, 1.25);
  along("heap", [](double X) {
    auto *A = static_cast<double *>(std::malloc(10 * sizeof(double)));
    auto *B = static_cast<double *>(std::calloc(10, sizeof(double)));
    for (int I = 0; I < 10; ++I)
      A[I] = X * I;
    std::memcpy(B, A, 5 * sizeof(double));
    std::memmove(B + 1, B, 6 * sizeof(double));
    double R = 0;
    for (int I = 0; I < 10; ++I)
      R += B[I] * B[I];
    std::free(A);
    std::free(B);
    return R;
  }, 1.25);
  along("linked list", [](double X) {
    struct Node {
      Node *Next;
      double Value;
    };
    Node *Head = nullptr;
    for (int I = 1; I < 5; ++I)
      Head = new Node{Head, X / I};
    double R = 0;
    while (Head) {
      R += Head->Value * Head->Value;
      Node *Next = Head->Next;
      delete Head;
      Head = Next;
    }
    return R;
  }, 1.25);
  along("vector", [](double X) {
    std::vector<double> V;
    std::vector<int> Index;
    for (int I = 0; I < 9; ++I) {
      V.push_back(X * I);
      Index.push_back(8 - I);
    }
    V.insert(V.begin() + 2, X * X);
    auto Copy = V;
    return std::accumulate(Copy.begin(), Copy.end(), 0.0) * V[Index[2]];
  }, 1.25);
  along("unique_ptr and array", [](double X) {
    auto P = std::make_unique<std::array<double, 3>>();
    (*P)[1] = X;
    (*P)[2] = std::log(X);
    return (*P)[0] + (*P)[1] * (*P)[2];
  }, 1.25);
  along("capturing lambda", [](double X) {
    double Factor = X * X;
    auto Times = [&](double Y) { return Factor * Y; };
    return Times(X) + Times(2);
  }, 1.25);
  along("complex", [](double X) {
    std::complex<double> Z(X, 2);
    Z += Z.real() * 3;
    return std::norm(Z) + std::abs(Z);
  }, 1.25);
  along<false>("recursion", [](double X) { return power(X, 5); }, 1.25);
  along<false>("two functions in recursion", [](double X) { return even(X, 5); }, 1.25);
  along("throw and catch", [](double X) {
    double R = 0;
    for (int I = 0; I < 3; ++I)
      try {
        if (I == 1)
          throw I;
        R += X * X;
      } catch (int) {
        R += std::sin(X);
      }
    return R;
  }, 1.25);
  along("Newton's method", [](double E) {
    // Kepler's equation: E - e sin E = M, with M = E and e = 0.5.
    double X = E;
    for (int I = 0; I < 20; ++I)
      X -= (X - 0.5 * std::sin(X) - E) / (1 - 0.5 * std::cos(X));
    return X;
  }, 1.25);
  along("assignments are expressions", [](double X) {
    double A[3] = {X, 2 * X, 3 * X};
    double T, U, V, R = 0;
    for (int I = 0; I < 3; ++I)
      for (int J = 0; J < 2; ++J) {
        double Res = I * J;
        Res += (A[I] *= 5);
        V = U = 0;
        if ((T = U) > 10)
          R += T;
        R += Res + V;
      }
    return R;
  }, 1.25);
  along("goto", [](double X) {
    double R = 1;
    int N = 0;
  Again:
    R *= X;
    if (++N < 4)
      goto Again;
    return R;
  }, 1.25);
  return report();
}
