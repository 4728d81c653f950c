// Globals that kernels name: constants of every kind, and mutable ones, which
// each launch takes in and gives back, static and of functions too.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <array>

const int Table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr std::array<double, 3> Weights{0.25, 0.5, 0.25};
static const char *const Words[] = {"zero", "one", "two"};
int Counter = 5;
static int Hidden[100];
namespace ns {
struct Config {
  float Scale;
  int Offsets[3];
} Current = {2.5f, {1, 2, 3}};
} // namespace ns
struct Holder {
  static inline long Total = 7;
};
int Unused = 1;

void constants(std::span<int> Out, std::span<double> W) {
  std::size_t I = ferry::global_id();
  static const short Local[] = {100, 200, 300};
  Out[I] = Table[I] + Local[I % 3] + Words[I % 3][0];
  W[I] = Weights[I % 3];
}
void mutates() {
  Counter += 10;
  Holder::Total *= 2;
  ns::Current.Offsets[1] = Counter;
}
int next() {
  static int State = 41;
  return ++State;
}
void functionStatic(int &Out) { Out = next(); }
void fillHidden(int A) { Hidden[ferry::global_id()] = A + static_cast<int>(ferry::global_id()); }
void reads(float &Out) { Out = ns::Current.Scale * ns::Current.Offsets[1] + Hidden[99] + Counter; }

int main() {
  std::vector<int> Out(8);
  std::vector<double> W(8);
  ferry::launch<constants>(ferry::over(8), Out, W);
  for (int I = 0; I < 8; ++I)
    CHECK(Out[I] == Table[I] + 100 * (I % 3 + 1) + "zot"[I % 3] && W[I] == Weights[I % 3]);

  ferry::launch<mutates>(ferry::over(1));
  CHECK(Counter == 15 && Holder::Total == 14 && ns::Current.Offsets[1] == 15 && ns::Current.Offsets[0] == 1);
  // What the host changes between launches is what the next one sees.
  Counter = 100;
  Holder::Total = 1;
  ferry::launch<mutates>(ferry::over(1));
  CHECK(Counter == 110 && Holder::Total == 2 && ns::Current.Offsets[1] == 110);

  int S = 0;
  ferry::launch<functionStatic>(ferry::over(1), S);
  CHECK(S == 42 && next() == 43);
  ferry::launch<functionStatic>(ferry::over(1), S);
  CHECK(S == 44);

  ferry::launch<fillHidden>(ferry::over(100), 1000);
  for (int I = 0; I < 100; ++I)
    CHECK(Hidden[I] == 1000 + I);
  float F = 0;
  ferry::launch<reads>(ferry::over(1), F);
  CHECK(F == 2.5f * 110 + 1099 + 110);
  // A global that is passed as an argument as well is one object.
  ferry::launch<[](std::span<int> H) { H[3] = -1; Hidden[4] = H[3] * 2; H[5] = Hidden[4]; }>(ferry::over(1), Hidden);
  CHECK(Hidden[3] == -1 && Hidden[4] == -2 && Hidden[5] == -2 && Hidden[6] == 1006);
  CHECK(Unused == 1);
}
