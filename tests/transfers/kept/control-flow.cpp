// Where the host looks depends on data and on the way there: branches, loops that carry
// a buffer around, switches, early returns, gotos.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"

static void rareBranch() {
  std::vector<int> V(N);
  long Seen = 0;
  for (int I = 0; I < 100; ++I) {
    ferry::launch<add>(Whole, V, 1);
    if (I % 37 == 5)
      Seen += V[I];
    if (I % 41 == 7)
      V[I] = 0;
  }
  CHECK(Seen == 6 + 43 + 80);
  CHECK(hostTotal(V) == 100 * N - 8 - 49 - 90);
}

// The read comes before the launch in the text.
static void carriedAround() {
  std::vector<int> V(N);
  long Seen = 0;
  int I = 0;
  do {
    Seen += V[3];
    ferry::launch<add>(Whole, V, 1);
  } while (++I < 10);
  CHECK(Seen == 45);
  while (V[0] < 25)
    ferry::launch<add>(Whole, V, 2);
  CHECK(V[N - 1] == 26);
  for (; V[1] > 0; V[1] -= 5)
    ferry::launch<add>(Whole, V, 1);
  CHECK(V[0] == 33 && V[1] == -2);
}

static int state(std::vector<int> &V, const char *Program) {
  int At = 0;
  for (; *Program; ++Program)
    switch (*Program) {
    case 'l':
      ferry::launch<add>(Whole, V, 1);
      break;
    case 'r':
      At += V[0];
      [[fallthrough]];
    case 'n':
      break;
    case 'w':
      V[0] += 10;
      break;
    case 'z':
      ferry::launch<fill>(Whole, V, 0);
      continue;
    case 'q':
      return At + V[1];
    default:
      return -1;
    }
  return At;
}
static void machine() {
  std::vector<int> V(N);
  CHECK(state(V, "lrlrwrlr") == 1 + 2 + 12 + 13);
  CHECK(state(V, "zlwllr") == 13);
  CHECK(state(V, "wwlnq") == 5 && V[0] == 34);
  CHECK(state(V, "lrx") == -1 && V[0] == 35);
}

// A loop with two entries.
static long irreducible(std::vector<int> &V, bool Inside, int Times) {
  long Seen = 0;
  if (Inside)
    goto Middle;
Top:
  ferry::launch<add>(Whole, V, 1);
Middle:
  Seen += V[2];
  V[2] += 1;
  if (--Times > 0)
    goto Top;
  return Seen;
}
static void gotos() {
  std::vector<int> V(N);
  CHECK(irreducible(V, no(), 3) == 1 + 3 + 5);
  CHECK(irreducible(V, yes(), 3) == 6 + 8 + 10);
  CHECK(deviceTotal(V) == 5 * N + 6);
}

static int search(std::vector<int> &V, int Wanted, int Most) {
  for (int I = 0; I < Most; ++I) {
    ferry::launch<add>(Whole, V, 1);
    for (int X : V) {
      if (X == Wanted)
        return I;
      if (X > Wanted)
        break;
    }
  }
  return -1;
}
static void earlyReturn() {
  std::vector<int> V(N);
  CHECK(search(V, 4, 10) == 3 && V[0] == 4 && search(V, -1, 3) == -1 && V[N - 1] == 7);
}

// Inner loops: the host's between two launches, the device's between two reads.
static void nestedLoops() {
  std::vector<int> V(N), W(N);
  long Seen = 0;
  for (int I = 0; I < 5; ++I) {
    for (int J = 0; J < 3; ++J) {
      ferry::launch<copy>(Whole, V, W);
      ferry::launch<add>(Whole, V, 1);
    }
    for (int J = 0; J < N; ++J)
      Seen += W[J], V[J] += J == I;
    if (I % 2)
      for (int &X : W)
        X = 0;
  }
  CHECK(Seen == N * (2 + 5 + 8 + 11 + 14) + 0 + 1 + 2 + 3 + 4 && hostTotal(V) == 15 * N + 5);
  CHECK(hostTotal(W) == 14 * N + 4);
}

// Only one way launches, and what follows doesn't know which was taken.
static void oneWay() {
  for (int I = 0; I < 4; ++I) {
    std::vector<int> V(N, 1);
    if (I & 1)
      ferry::launch<fill>(Whole, V, 1);
    else
      V[5] = 6;
    if (I & 2)
      ferry::launch<add>(Whole, V, 1);
    CHECK(V[5] == 6 + (I >> 1) && V[6] == (I & 1 ? 7 : 1) + (I >> 1));
    CHECK(deviceTotal(V) == (I & 1 ? filled(1) : N + 5) + (I & 2 ? N : 0));
  }
}

int main() {
  rareBranch();
  carriedAround();
  machine();
  gotos();
  earlyReturn();
  nestedLoops();
  oneWay();
}
