// A class with a virtual destructor can be used in a kernel: its table names the
// destructor that frees the object, but nobody calls that one.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"

struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() = default;
};
struct Square : Shape {
  int Side;
  explicit Square(int S) : Side(S) {}
  int area() const override { return Side * Side; }
};
struct Unit : Square {
  Unit() : Square(1) {}
  int area() const override { return 1; }
};
void areas(std::span<int> Out) {
  int I = static_cast<int>(ferry::global_id());
  Square S(I);
  Unit U;
  const Shape &P = I % 2 ? S : U;
  Out[I] = P.area();
}

int main() {
  std::vector<int> Out(9);
  ferry::launch<areas>(ferry::over(9), Out);
  for (int I = 0; I < 9; ++I)
    CHECK(Out[I] == (I % 2 ? I * I : 1));
}
