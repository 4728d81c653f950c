// A buffer goes from one device to another, and to the host between: what one has
// written the next one sees.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <thread>

static void aroundDevices() {
  std::vector<int> V(N);
  for (int I = 0; I < 20; ++I) {
    ferry::launch<add>(Whole.device(I % ferry::devices()), V, 1);
    if (I % 6 == 0)
      V[I] = 100;
  }
  long Expected = 20 * N;
  for (int I : {0, 6, 12, 18})
    Expected += 100 - (I + 1);
  CHECK(hostTotal(V) == Expected);
}

static void halves() {
  std::vector<int> V(2 * N), W(2 * N);
  int Last = ferry::devices() - 1;
  ferry::launch<fill>(Whole.device(0), std::span(V).first(N), 0);
  ferry::launch<fill>(Whole.device(Last), std::span(V).last(N), N);
  ferry::launch<copy>(ferry::over(2 * N).device(Last / 2), V, W);
  CHECK(hostTotal(W) == filled(0, 2 * N));
  ferry::launch<add>(ferry::over(N + 500).device(Last), V, 1);
  ferry::launch<add>(ferry::over(N).device(Last - 1), std::span(V).last(N), 1);
  CHECK(V[0] == 1 && V[N] == N + 2 && V[N + 500] == N + 501 && V[2 * N - 1] == 2 * N);
}

static void threads() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 0);
  for (int I = 0; I < ferry::devices(); ++I)
    std::thread([&, I] {
      ferry::set_device(I);
      ferry::launch<add>(Whole, V, 1);
      V[I] = 0;
    }).join();
  long Expected = filled(ferry::devices());
  for (int I = 0; I < ferry::devices(); ++I)
    Expected -= I + I + 1;
  CHECK(hostTotal(V) == Expected && deviceTotal(V) == Expected);
}

int main() {
  aroundDevices();
  halves();
  threads();
}
