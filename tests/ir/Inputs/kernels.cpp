#include <cassert>
#include <cmath>
#include <ferry/ferry.h>
#include <vector>

struct Vec {
  float X, Y, Z;
  char Tag;
};
static int Counter = 3;
static const int Table[4] = {1, 2, 3, 4};

void saxpy(float A, std::span<const float> X, std::span<float> Y) {
  std::size_t I = ferry::global_id();
  if (I < Y.size())
    Y[I] += A * X[I];
}
void checked(std::span<const Vec> In, Vec Add, std::span<Vec> Out, long &Sum) {
  std::size_t I = ferry::global_id();
  assert(I < In.size());
  Out[I] = {In[I].X + Add.X, std::sin(In[I].Y), std::sqrt(In[I].Z), Add.Tag};
  if (I == 0)
    Sum += Counter++ + Table[ferry::thread_idx().x % 4];
}
int fibonacci(int N) { return N < 2 ? N : fibonacci(N - 1) + fibonacci(N - 2); }
void recursive(std::span<int> V) {
  auto [X, Y, Z] = ferry::block_idx();
  V[ferry::global_id()] = fibonacci(static_cast<int>(X + Y + Z));
}

int main() {
  std::vector<float> X(10), Y(10);
  std::vector<Vec> V(10);
  std::vector<int> I(60);
  long Sum = 0;
  ferry::launch<saxpy>(ferry::over(10), 2.f, X, Y);
  ferry::launch<checked>(ferry::over(10), V, Vec{}, V, Sum);
  ferry::launch<recursive>(ferry::blocks(2, 3).threads(10), I);
  ferry::parallel_for(ferry::over(60), [Sum](std::size_t I, std::span<int> V) { V[I] += static_cast<int>(Sum); }, I);
}
