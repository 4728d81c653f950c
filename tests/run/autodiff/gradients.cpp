// Gradients of functions of arrays: each element is that of forward mode and of
// a difference. A second run gives the same: shadows are left clean.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t
// RUN: env FERRY_AD_RECOMPUTE=0 %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t

#include "Inputs/check.h"
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

using Function = double(const double *X, int N);

template <Function F> static void check(const char *Name, std::vector<double> X) {
  int N = static_cast<int>(X.size());
  std::vector<double> Gradient(X.size());
  __enzyme_autodiff<void>((void *)F, enzyme_dup, X.data(), Gradient.data(), N);
  std::vector<double> Again(X.size());
  double Value = __enzyme_autodiff<double>((void *)F, enzyme_primal_return, enzyme_dup, X.data(), Again.data(), N);
  checkExact((Name + std::string(" value")).c_str(), Value, F(X.data(), N));
  for (int I = 0; I < N; ++I) {
    std::string Where = Name + std::string(" ") + std::to_string(I);
    std::vector<double> Tangent(X.size());
    Tangent[I] = 1;
    double Forward = __enzyme_fwddiff<double>((void *)F, enzyme_dup, X.data(), Tangent.data(), N);
    checkNear((Where + " reverse").c_str(), Gradient[I], Forward, 1e-12);
    checkExact((Where + " again").c_str(), Again[I], Gradient[I]);
    auto At = [&](double Step) {
      std::vector<double> Y = X;
      Y[I] += Step;
      return F(Y.data(), N);
    };
    double H = 1e-4;
    double Slope = (At(H) - At(-H)) / (2 * H), Wide = (At(2 * H) - At(-2 * H)) / (4 * H);
    checkNear((Where + " forward").c_str(), Forward, (4 * Slope - Wide) / 3, 1e-7);
  }
}

static double sumOfSines(const double *X, int N) {
  double S = 0;
  for (int I = 0; I < N; ++I)
    S += X[I] * std::sin(X[I]);
  return S;
}

// The body of one execution promises that its arguments do not overlap; two
// executions share an array.
static void step(int N, double *__restrict Out, const double *__restrict In) {
  for (int I = 0; I < N; ++I)
    Out[I] = In[I] * In[(I + 1) % N] + std::cos(In[I]);
}
static double neighbouringSlices(const double *X, int N) {
  auto *A = static_cast<double *>(std::malloc(6 * N * sizeof(double)));
  for (int I = 0; I < N; ++I)
    A[I] = X[I];
  for (int T = 0; T < 5; ++T)
    step(N, A + (T + 1) * N, A + T * N);
  double S = 0;
  for (int I = 0; I < N; ++I)
    S += A[5 * N + I];
  std::free(A);
  return S;
}

static double scaledEachTime(const double *X, int N) {
  std::vector<double> A(X, X + N);
  double S = 0;
  for (int T = 0; T < 4; ++T) {
    for (int I = 0; I < N; ++I)
      S += A[I] * A[I];
    for (int I = 0; I < N; ++I)
      A[I] *= X[0];
  }
  return S;
}

static double dataDependentCount(const double *X, int N) {
  double S = 1;
  int Rounds = 0;
  while (S < 100 && Rounds < 50) {
    S *= 1 + X[Rounds % N] * X[Rounds % N];
    if (X[Rounds % N] > 1.4)
      S += std::exp(-S);
    ++Rounds;
  }
  return std::log(S) * Rounds;
}

static double breakAndContinue(const double *X, int N) {
  double S = 0;
  for (int I = 0; I < N; ++I) {
    for (int J = 0; J < N; ++J) {
      if (J == I)
        continue;
      if (X[I] * X[J] > 3)
        break;
      S += X[I] / X[J];
    }
    switch (I % 3) {
    case 0:
      S *= X[I];
      break;
    case 1:
      S -= X[I];
      [[fallthrough]];
    default:
      S += X[I] * X[I];
    }
  }
  return S;
}

static double jumpIntoLoop(const double *X, int N) {
  double S = 0;
  int I = 0;
  if (X[0] > 1)
    goto Middle;
Head:
  S += X[I];
Middle:
  S *= X[I];
  S += X[I] * X[I];
  if (++I < N)
    goto Head;
  return S;
}

static double movedBlocks(const double *X, int N) {
  double A[16] = {}, B[16];
  std::memcpy(A, X, N * sizeof(double));
  std::memmove(A + 1, A, N * sizeof(double));
  std::memmove(A, A + 2, N * sizeof(double));
  std::memcpy(B, A, sizeof A);
  std::memset(A, 0, 3 * sizeof(double));
  double S = 0;
  for (int I = 0; I < 16; ++I)
    S += (I + 1) * B[I] * B[I] + A[I];
  return S;
}

// Which of the two is not known, and one has an integer beside its numbers.
struct Counted {
  double Q[5];
  int K;
};
static double movedInEither(const double *X, int N) {
  Counted C = {{X[0], X[1], X[2], X[0] * X[1], 1}, N};
  auto *H = static_cast<double *>(std::malloc(5 * sizeof(double)));
  for (int I = 0; I < 5; ++I)
    H[I] = X[I % 3] * I;
  for (int T = 0; T < 2; ++T) {
    double *P = (T ? X[0] < X[1] : X[0] > X[1]) ? C.Q : H;
    std::memmove(P + 1, P, (2 + T) * sizeof(double));
  }
  double S = C.K;
  for (int I = 0; I < 5; ++I)
    S += (I + 1) * C.Q[I] * C.Q[I] + H[I] * X[1] * I;
  std::free(H);
  return S;
}

static double rowsOfPointers(const double *X, int N) {
  std::vector<std::vector<double>> M(N, std::vector<double>(N));
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      M[I][J] = X[I] * X[J] + I;
  std::vector<double> V(X, X + N), W(N);
  for (int T = 0; T < 3; ++T) {
    for (int I = 0; I < N; ++I) {
      W[I] = 0;
      for (int J = 0; J < N; ++J)
        W[I] += M[I][J] * V[J];
    }
    double Norm = 0;
    for (double Y : W)
      Norm += Y * Y;
    for (int I = 0; I < N; ++I)
      V[I] = W[I] / std::sqrt(Norm);
  }
  return V[0] + V[1] * V[N - 1];
}

struct Particle {
  double Place[3];
  float Charge;
  int Id;
  Particle *Next;
};
static double listOfStructs(const double *X, int N) {
  Particle *Head = nullptr;
  for (int I = 0; I + 2 < N; ++I) {
    Particle P = {{X[I], X[I + 1], X[I + 2]}, static_cast<float>(I), I, Head};
    Head = new Particle(P);
  }
  double S = 0;
  for (Particle *P = Head; P; P = P->Next)
    for (Particle *Q = P->Next; Q; Q = Q->Next) {
      double R = 0;
      for (int K = 0; K < 3; ++K)
        R += (P->Place[K] - Q->Place[K]) * (P->Place[K] - Q->Place[K]);
      S += (1 + P->Charge * Q->Charge) / std::sqrt(R) + P->Id;
    }
  while (Head) {
    Particle *Next = Head->Next;
    delete Head;
    Head = Next;
  }
  return S;
}

static double logSumExp(const double *X, int N) {
  double M = X[0];
  for (int I = 1; I < N; ++I)
    M = std::fmax(M, X[I]);
  double S = 0;
  for (int I = 0; I < N; ++I)
    S += std::exp(X[I] - M);
  return M + std::log(S);
}

static double resizedBesideIntegers(const double *X, int N) {
  std::vector<double> V;
  std::vector<int> Order;
  for (int I = 0; I < N; ++I) {
    V.push_back(X[I] * X[I]);
    Order.insert(Order.begin(), I);
    Order.resize(I + 1);
  }
  double S = 0;
  for (int I : Order)
    S = S * 0.5 + V[I] * I;
  return S;
}

static double throwsOnTheWay(const double *X, int N) {
  double S = 0;
  for (int I = 0; I < N; ++I)
    try {
      S += X[I] * X[I];
      if (I % 2)
        throw I;
      S *= 1.5;
    } catch (int Number) {
      S -= X[Number] / 2;
    }
  return S;
}

int main() {
  std::vector<double> X = {1.25, 0.75, 1.5, -0.5, 2.25};
  check<sumOfSines>("sum of sines", X);
  check<neighbouringSlices>("neighbouring slices", X);
  check<scaledEachTime>("scaled each time", X);
  check<dataDependentCount>("data-dependent count", X);
  check<breakAndContinue>("break and continue", X);
  check<jumpIntoLoop>("jump into a loop", X);
  check<movedBlocks>("moved blocks", X);
  check<movedInEither>("moved in either", X);
  check<rowsOfPointers>("rows of pointers", X);
  check<listOfStructs>("list of structs", X);
  check<logSumExp>("log-sum-exp", X);
  check<resizedBesideIntegers>("resized beside integers", X);
  check<throwsOnTheWay>("throws on the way", X);
  return report();
}
