// Kernels are ordinary functions: recursion, function pointers, virtual calls,
// jump tables, goto, loops with data-dependent ends, early returns, local arrays
// that live on the stack.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"

int fibonacci(int N) { return N < 2 ? N : fibonacci(N - 1) + fibonacci(N - 2); }
int ackermann(int M, int N) {
  return M == 0 ? N + 1 : N == 0 ? ackermann(M - 1, 1) : ackermann(M - 1, ackermann(M, N - 1));
}
bool isOdd(unsigned N);
[[gnu::noinline]] bool isEven(unsigned N) { return N == 0 || isOdd(N - 1); }
[[gnu::noinline]] bool isOdd(unsigned N) { return N != 0 && isEven(N - 1); }
void recursion(std::span<int> Out) {
  int I = static_cast<int>(ferry::global_id());
  Out[I] = fibonacci(I) + ackermann(2, I % 4) + (isEven(I) ? 1000 : 2000);
}

int add(int A, int B) { return A + B; }
int sub(int A, int B) { return A - B; }
int mul(int A, int B) { return A * B; }
using Op = int (*)(int, int);
static const Op Ops[] = {add, sub, mul};
[[gnu::noinline]] int applyTwice(Op F, int A, int B) { return F(F(A, B), B); }
void functionPointers(std::span<int> Out) {
  int I = static_cast<int>(ferry::global_id());
  Op Local = I % 2 ? add : mul;
  Out[I] = Ops[I % 3](I, 7) + applyTwice(Local, I, 3);
}

struct Shape {
  virtual int area() const = 0;
};
struct Square final : Shape {
  int Side;
  constexpr Square(int S) : Side(S) {}
  int area() const override { return Side * Side; }
};
struct Box final : Shape {
  int A, B;
  constexpr Box(int A, int B) : A(A), B(B) {}
  int area() const override { return A * B; }
};
void virtualCalls(std::span<int> Out) {
  int I = static_cast<int>(ferry::global_id());
  Square S(I);
  Box B(I, 2);
  const Shape *P = I % 2 ? static_cast<const Shape *>(&S) : &B;
  Out[I] = P->area();
}

void jumps(std::span<const int> In, std::span<int> Out) {
  std::size_t I = ferry::global_id();
  if (I >= Out.size())
    return;
  int V = In[I], Steps = 0;
again:
  switch (V % 8) {
  case 0: Steps += 1; break;
  case 1: Steps += 10; [[fallthrough]];
  case 2: Steps += 100; break;
  case 3: V /= 2; ++Steps; goto again;
  case 5: Out[I] = -1; return;
  case 6: Steps -= 5; break;
  default: Steps *= 2;
  }
  while (V != 1 && Steps < 100000)
    V = V % 2 ? 3 * V + 1 : V / 2, ++Steps;
  Out[I] = Steps;
}
int jumpsOnHost(int V) {
  int Steps = 0;
again:
  switch (V % 8) {
  case 0: Steps += 1; break;
  case 1: Steps += 10; [[fallthrough]];
  case 2: Steps += 100; break;
  case 3: V /= 2; ++Steps; goto again;
  case 5: return -1;
  case 6: Steps -= 5; break;
  default: Steps *= 2;
  }
  while (V != 1 && Steps < 100000)
    V = V % 2 ? 3 * V + 1 : V / 2, ++Steps;
  return Steps;
}

void localArrays(std::span<unsigned> Out) {
  unsigned I = static_cast<unsigned>(ferry::global_id());
  unsigned Local[64] = {};
  for (unsigned K = 0; K < 64; ++K)
    Local[(K * 7 + I) % 64] = K + I;
  for (unsigned K = 0; K < 63; ++K) // one round of bubble sort
    if (Local[K] > Local[K + 1])
      std::swap(Local[K], Local[K + 1]);
  unsigned Hash = 0;
  for (unsigned V : Local)
    Hash = Hash * 31 + V;
  Out[I] = Hash;
}

int main() {
  std::vector<int> Out(20);
  ferry::launch<recursion>(ferry::over(20), Out);
  for (int I = 0; I < 20; ++I)
    CHECK(Out[I] == fibonacci(I) + ackermann(2, I % 4) + (I % 2 ? 2000 : 1000));
  ferry::launch<functionPointers>(ferry::over(20), Out);
  for (int I = 0; I < 20; ++I)
    CHECK(Out[I] == Ops[I % 3](I, 7) + (I % 2 ? I + 6 : I * 9));
  ferry::launch<virtualCalls>(ferry::over(20), Out);
  for (int I = 0; I < 20; ++I)
    CHECK(Out[I] == (I % 2 ? I * I : 2 * I));
  std::vector<int> In(5000);
  for (int I = 0; I < 5000; ++I)
    In[I] = I + 1;
  Out.assign(4999, 0);
  ferry::launch<jumps>(ferry::over(5000), In, Out);
  for (int I = 0; I < 4999; ++I)
    CHECK(Out[I] == jumpsOnHost(I + 1));
  std::vector<unsigned> Hashes(300), Again(300);
  ferry::launch<localArrays>(ferry::over(300), Hashes);
  ferry::launch<localArrays>(ferry::blocks(300).threads(1), Again);
  CHECK(Hashes == Again && Hashes[0] != Hashes[1]);
}
