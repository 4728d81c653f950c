// What the programs of this folder share: kernels whose results are easy to tell,
// and functions of another translation unit (elsewhere.cpp), of which the compiler
// knows nothing but the declaration.
#ifndef KEPT_H
#define KEPT_H
#include "../../../run/cpp/Inputs/check.h"
#include <numeric>

inline constexpr int N = 1000;
inline const auto Whole = ferry::over(N);

/// Overwrites all elements.
inline void fill(std::span<int> Y, int A) {
  std::size_t I = ferry::global_id();
  Y[I] = A + static_cast<int>(I);
}
inline void add(std::span<int> Y, int A) { Y[ferry::global_id()] += A; }
inline void copy(std::span<const int> X, std::span<int> Y) {
  std::size_t I = ferry::global_id();
  Y[I] = X[I];
}
/// One thread's work.
inline void sum(std::span<const int> X, long &Sum) {
  Sum = 0;
  for (int V : X)
    Sum += V;
}

/// The sum of what fill(Y, A) leaves in Count elements.
inline long filled(long A, long Count = N) { return A * Count + Count * (Count - 1) / 2; }
inline long hostTotal(std::span<const int> X) { return std::accumulate(X.begin(), X.end(), 0l); }
inline long deviceTotal(std::span<const int> X) {
  long Sum = -1;
  ferry::launch<sum>(ferry::over(1), X, Sum);
  return Sum;
}

// -- elsewhere.cpp ----------------------------------------------------------

long totalOf(const int *P, std::size_t Count);
/// What fill does, on the host.
void fillFrom(int *P, std::size_t Count, int A);
long totalOfVector(const std::vector<int> &V);
/// Remembers a buffer, and what can be done with it later.
void keep(int *P, std::size_t Count);
long totalOfKept();
void fillKept(int A);
int *kept();
/// Whatever address was given last, as a number.
void keepNumber(std::uintptr_t Number);
std::uintptr_t keptNumber();
/// Calls back.
void call(void (*F)(void *), void *Data);
/// Throws an int.
void throwIf(bool Wanted, int What);
/// A virtual call whose target is unknown.
struct Visitor {
  virtual ~Visitor() = default;
  virtual long visit(int *P, std::size_t Count) = 0;
};
Visitor &totalVisitor();
Visitor &fillVisitor();
/// True or false, which the compiler doesn't know.
bool yes();
bool no();
#endif
