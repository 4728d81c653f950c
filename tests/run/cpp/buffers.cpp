// Every way to pass memory: containers, spans of fixed and dynamic size, C
// arrays, pointers with a count, references, and a megabyte by reference.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <array>
#include <memory>
#include <string>

void plus(std::span<const int> X, std::span<int> Y) {
  std::size_t I = ferry::global_id();
  Y[I] += X[I];
}
void plusFixed(std::span<const int, 4> X, std::span<int, 4> Y) {
  static_assert(decltype(X)::extent == 4);
  std::size_t I = ferry::global_id();
  Y[I] += X[I];
}
void plusPointers(const int *X, int *Y) {
  std::size_t I = ferry::global_id();
  Y[I] += X[I];
}
void fill(int *Y, int V) { Y[ferry::global_id()] = V; }
void fillSpan(std::span<int> Y) { Y[ferry::global_id()] = 11; }
void upper(std::span<const char> In, std::span<char> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = static_cast<char>(In[I] - 'a' + 'A');
}
void sums(std::span<const int> X, long &Sum, const int &Offset) {
  Sum += Offset;
  for (int V : X)
    Sum += V;
}

struct Megabyte {
  std::uint32_t Words[262144];
};
static_assert(sizeof(Megabyte) == 1 << 20);
void readLarge(const Megabyte &M, std::span<std::uint64_t> Sum) {
  for (std::uint32_t W : M.Words)
    Sum[0] += W;
}
void writeLarge(Megabyte &M) {
  std::size_t I = ferry::global_id();
  M.Words[I] = M.Words[I] * 3 + 1;
}

int main() {
  std::vector<int> X{1, 2, 3, 4};
  const std::vector<int> ConstX = X;
  std::array<int, 4> A{10, 20, 30, 40};
  int C[4] = {100, 200, 300, 400};

  ferry::launch<plus>(ferry::over(4), ConstX, A);
  CHECK((A == std::array<int, 4>{11, 22, 33, 44}));
  ferry::launch<plus>(ferry::over(4), A, C);
  CHECK(C[0] == 111 && C[1] == 222 && C[2] == 333 && C[3] == 444);
  ferry::launch<plus>(ferry::over(4), std::span(C), std::span(X));
  CHECK(X[0] == 112 && X[3] == 448);
  ferry::launch<plus>(ferry::over(4), std::vector<int>{1, 1, 1, 1}, X);
  CHECK(X[0] == 113 && X[3] == 449);
  ferry::launch<plusFixed>(ferry::over(4), A, C);
  CHECK(C[0] == 122 && C[3] == 488);
  ferry::launch<plusFixed>(ferry::over(4), ConstX, X);
  CHECK(X[0] == 114 && X[3] == 453);
  ferry::launch<plus>(ferry::over(2), ferry::in(ConstX), ferry::inout(X));
  CHECK(X[0] == 115 && X[1] == 229 && X[2] == 340);

  auto P = std::make_unique<int[]>(4);
  ferry::launch<fill>(ferry::over(4), ferry::out(P.get(), 4), -7);
  CHECK(P[0] == -7 && P[3] == -7);
  ferry::launch<plusPointers>(ferry::over(3), ferry::in(X.data(), 4), ferry::inout(P.get(), 4));
  CHECK(P[0] == 108 && P[1] == 222 && P[2] == 333 && P[3] == -7);
  ferry::launch<fillSpan>(ferry::over(4), ferry::out(P.get(), 4));
  CHECK(P[0] == 11 && P[3] == 11);
  ferry::launch<fillSpan>(ferry::over(4), ferry::out(A));
  CHECK(A[0] == 11 && A[3] == 11);

  std::string Text = "ferry", Loud(5, '.');
  ferry::launch<upper>(ferry::over(5), Text, Loud);
  CHECK(Loud == "FERRY");

  // Elements that the kernel leaves alone keep their values.
  std::vector<int> Part(100, 5);
  ferry::launch<fillSpan>(ferry::over(10), Part);
  for (int I = 0; I < 100; ++I)
    CHECK(Part[I] == (I < 10 ? 11 : 5));

  long Sum = 1000;
  const int Offset = 7;
  ferry::launch<sums>(ferry::over(1), ConstX, Sum, Offset);
  CHECK(Sum == 1017);
  ferry::launch<sums>(ferry::over(1), ConstX, Sum, 3);
  CHECK(Sum == 1030);

  auto M = std::make_unique<Megabyte>();
  std::uint64_t Expected = 0;
  for (std::uint32_t I = 0; I < 262144; ++I)
    Expected += M->Words[I] = I * 2654435761u;
  std::uint64_t Total = 0;
  ferry::launch<readLarge>(ferry::over(1), std::as_const(*M), std::span(&Total, 1));
  CHECK(Total == Expected);
  ferry::launch<writeLarge>(ferry::over(262144), *M);
  for (std::uint32_t I = 0; I < 262144; ++I)
    CHECK(M->Words[I] == I * 2654435761u * 3 + 1);
}
