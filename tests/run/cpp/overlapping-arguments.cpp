// Arguments of one launch that share memory share it on the device too: a
// subrange beside the whole, an element by reference beside its vector, one
// vector twice.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"

struct Point {
  float X, Y;
};
void shift(std::span<const int> From, std::span<int> To) {
  // One thread, in order: what is written through To is read through From.
  for (std::size_t I = 0; I < To.size(); ++I)
    To[I] = From[I] + 1;
}
void setBoth(int &Element, std::span<int> Whole, std::size_t At, int *Seen) {
  Element = 50;
  Seen[0] = Whole[At];
  Whole[At] = 60;
  Seen[1] = Element;
}
void addTo(std::span<int> A, std::span<int> B, std::span<int> C) {
  A[0] += 1;
  B[0] += 10;
  C[0] += 100;
}
void distance(std::span<const int> A, std::span<const int> B, long *Out) { Out[0] = B.data() - A.data(); }
void member(float &X, Point &P, std::span<Point> All) {
  X += 1;
  P.Y += X;
  All[2].X += P.Y;
}

int main() {
  std::vector<int> V(100, 0);
  // From is V[0..98], To is V[1..99].
  ferry::launch<shift>(ferry::over(1), std::span(V).first(99), std::span(V).subspan(1));
  for (int I = 0; I < 100; ++I)
    CHECK(V[I] == I);
  // The smaller range comes first, and the larger one around it.
  ferry::launch<shift>(ferry::over(1), std::span(V).subspan(10, 5), std::span(V).subspan(11, 5));
  for (int I = 0; I < 100; ++I)
    CHECK(V[I] == I);

  int Seen[2] = {};
  ferry::launch<setBoth>(ferry::over(1), V[10], V, 10u, ferry::inout(Seen, 2));
  CHECK(Seen[0] == 50 && Seen[1] == 60 && V[10] == 60 && V[9] == 9 && V[11] == 11);

  std::vector<int> W(10, 5);
  ferry::launch<addTo>(ferry::over(1), W, W, W);
  CHECK(W[0] == 116 && W[1] == 5);
  // Neighbours and ranges that meet; the launch copies each byte back once.
  ferry::launch<addTo>(ferry::over(1), std::span(W).first(5), std::span(W).subspan(5), std::span(W).subspan(3, 4));
  CHECK(W[0] == 117 && W[5] == 15 && W[3] == 105 && W[4] == 5);

  long Distance = 0;
  ferry::launch<distance>(ferry::over(1), V, std::span(V).subspan(40), ferry::inout(&Distance, 1));
  CHECK(Distance == 40);

  std::vector<Point> P{{1, 2}, {3, 4}, {5, 6}};
  ferry::launch<member>(ferry::over(1), P[1].X, P[1], P);
  CHECK(P[1].X == 4 && P[1].Y == 8 && P[2].X == 13 && P[0].X == 1 && P[2].Y == 6);
}
