// The host reads and writes a buffer by another way than the name that was launched
// with: copies of pointers, numbers, pointers kept in structures, globals, other heap
// memory and containers, returned by functions, chosen by conditions and indices.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <any>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

static void reference() {
  std::vector<int> V(N);
  int *P = V.data(), *End = P + N, &Tenth = V[10];
  std::span<int> Middle = std::span(V).subspan(400, 200);
  auto It = V.begin() + 20;
  ferry::launch<fill>(Whole, V, 1);
  CHECK(P[3] == 4 && End[-1] == N && Tenth == 11 && Middle[0] == 401 && *It == 21);
  Tenth = 0, *It = 0, Middle.front() = 0, End[-1] = 0, *P = 0;
  CHECK(deviceTotal(V) == filled(1) - 11 - 21 - 401 - N - 1);
  auto *Raw = reinterpret_cast<unsigned char *>(P);
  ferry::launch<fill>(Whole, V, 0x01020304);
  CHECK(Raw[0] == 4 && Raw[3] == 1);
  Raw[1] = 4;
  CHECK(V[0] == 0x01020404 && deviceTotal(V) == filled(0x01020304) + 0x100);
}

static void number() {
  int *P = new int[N];
  auto Number = reinterpret_cast<std::uintptr_t>(P);
  std::uintptr_t Hidden = Number ^ 0x5555555555555555u;
  ferry::launch<fill>(Whole, std::span(P, N), 1);
  CHECK(reinterpret_cast<int *>(Number)[5] == 6);
  reinterpret_cast<int *>(Number + 20)[0] = 0;
  CHECK(deviceTotal({P, N}) == filled(1) - 6);
  ferry::launch<fill>(Whole, std::span(P, N), 2);
  CHECK(totalOf(reinterpret_cast<int *>(Hidden ^ 0x5555555555555555u), N) == filled(2));
  keepNumber(Number);
  ferry::launch<fill>(Whole, std::span(P, N), 3);
  CHECK(reinterpret_cast<int *>(keptNumber())[1] == 4);
  // Bytes of the pointer, one by one.
  unsigned char Bytes[sizeof(int *)];
  std::memcpy(Bytes, &P, sizeof P);
  int *Q = nullptr;
  for (std::size_t I = 0; I < sizeof Q; ++I)
    reinterpret_cast<unsigned char *>(&Q)[I] = Bytes[I];
  ferry::launch<add>(Whole, std::span(P, N), 1);
  CHECK(Q[0] == 4);
  Q[0] = 0;
  CHECK(deviceTotal({P, N}) == filled(4) - 4);
  delete[] Q;
}

struct Field {
  int *Data;
  std::size_t Count;
  Field *Next;
};
static void structure() {
  std::vector<int> V(N), W(N);
  Field B{W.data(), W.size(), nullptr}, A{V.data(), V.size(), &B};
  ferry::launch<fill>(Whole, V, 1);
  ferry::launch<fill>(Whole, W, 2);
  long Total = 0;
  for (Field *F = &A; F; F = F->Next) {
    Total += hostTotal({F->Data, F->Count});
    F->Data[0] = 0;
  }
  CHECK(Total == filled(1) + filled(2));
  CHECK(deviceTotal(V) == filled(1) - 1 && deviceTotal(W) == filled(2) - 2);
}

static int *GlobalPointer;
static std::vector<int> *GlobalVector;
static std::vector<int> Global;
[[gnu::noinline]] static long globalTotal() { return hostTotal({GlobalPointer, N}); }
[[gnu::noinline]] static void setFirst(int A) { (*GlobalVector)[0] = A; }
static void global() {
  std::vector<int> V(N);
  GlobalPointer = V.data();
  GlobalVector = &V;
  for (int I = 0; I < 4; ++I) {
    ferry::launch<fill>(Whole, V, I);
    CHECK(globalTotal() == filled(I));
    setFirst(7777);
    CHECK(deviceTotal(V) == filled(I) + 7777 - I);
  }
  Global.resize(N);
  GlobalVector = &Global;
  ferry::launch<fill>(Whole, Global, 6);
  setFirst(7);
  CHECK(deviceTotal(Global) == filled(6) + 1 && hostTotal(Global) == filled(6) + 1);
}

static void otherHeap() {
  int **Table = new int *[3];
  for (int I = 0; I < 3; ++I)
    Table[I] = new int[N];
  for (int I = 0; I < 3; ++I)
    ferry::launch<fill>(Whole, std::span(Table[I], N), I);
  for (int I = 0; I < 6; ++I) {
    ferry::launch<add>(Whole, std::span(Table[I % 3], N), 1);
    Table[(I + 1) % 3][I] += 1;
  }
  long Total = 0;
  for (int I = 0; I < 3; ++I)
    Total += hostTotal({Table[I], N});
  CHECK(Total == filled(0) + filled(1) + filled(2) + 6 * N + 6);
  for (int I = 0; I < 3; ++I)
    delete[] Table[I];
  delete[] Table;
}

static void containers() {
  std::vector<std::vector<int>> Rows(5, std::vector<int>(N));
  for (int I = 0; I < 5; ++I)
    ferry::launch<fill>(Whole, Rows[I], I);
  Rows.push_back(std::vector<int>(N, 1)); // They all move house.
  for (auto &Row : Rows)
    ferry::launch<add>(Whole, Row, 1);
  long Total = 0;
  for (const auto &Row : Rows)
    Total += hostTotal(Row);
  CHECK(Total == 5 * filled(0) + N * (10 + 6 + 1));
  ferry::launch<add>(Whole, Rows[2], 1);
  Rows.erase(Rows.begin());
  CHECK(hostTotal(Rows[1]) == filled(4) && hostTotal(Rows[2]) == filled(4));

  std::map<std::string, std::vector<int>> Named;
  Named["x"].resize(N), Named["y"].resize(N);
  ferry::launch<fill>(Whole, Named["x"], 1);
  ferry::launch<copy>(Whole, Named["x"], Named["y"]);
  CHECK(hostTotal(Named.at("y")) == filled(1));
  std::list<std::vector<int>> List{Named["x"], std::vector<int>(N, 2)};
  ferry::launch<add>(Whole, List.front(), 1);
  ferry::launch<add>(Whole, List.back(), 1);
  List.reverse();
  CHECK(hostTotal(List.front()) == 3 * N && hostTotal(List.back()) == filled(2));
  std::optional<std::vector<int>> Maybe;
  Maybe.emplace(N, 3);
  ferry::launch<add>(Whole, *Maybe, 1);
  std::any Anything = *Maybe;
  CHECK(hostTotal(std::any_cast<std::vector<int> &>(Anything)) == 4 * N);
  std::variant<int, std::vector<int>> Either = std::vector<int>(N, 1);
  ferry::launch<add>(Whole, std::get<1>(Either), 1);
  CHECK(std::visit([](auto &X) { if constexpr (std::is_same_v<decltype(X), int &>) return 0l; else return hostTotal(X); }, Either) == 2 * N);
  std::tuple<std::vector<int>, int> Tuple{std::vector<int>(N, 1), 5};
  ferry::launch<add>(Whole, std::get<0>(Tuple), std::get<1>(Tuple));
  auto &[First, Second] = Tuple;
  CHECK(hostTotal(First) == 6 * N && Second == 5);
}

static int *make(int A) {
  int *P = new int[N];
  ferry::launch<fill>(Whole, std::span(P, N), A);
  return P;
}
static std::vector<int> makeVector(int A) {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, A);
  return V;
}
static int &at(std::vector<int> &V, int I) { return V[I]; }
[[gnu::noinline]] static int *identity(int *P) { return P; }
static void returned() {
  int *P = make(1);
  CHECK(hostTotal({P, N}) == filled(1));
  ferry::launch<add>(Whole, std::span(P, N), 1);
  *identity(P + 3) = 0;
  CHECK(deviceTotal({P, N}) == filled(2) - 5 && identity(P)[N - 1] == N + 1);
  delete[] P;
  std::vector<int> V = makeVector(3);
  at(V, 2) = 0;
  ferry::launch<add>(Whole, V, 1);
  CHECK(at(V, 0) == 4 && at(V, 2) == 1 && hostTotal(V) == filled(4) - 5);
}

static void chosen() {
  std::vector<int> A(N), B(N), *Both[] = {&A, &B};
  for (int I = 0; I < 10; ++I) {
    std::vector<int> &V = I % 3 ? A : B;
    ferry::launch<add>(Whole, V, I);
    int *P = yes() ? A.data() : B.data();
    P[I] += 1;
    (*Both[I % 2])[N - 1] += 1;
    ferry::launch<add>(Whole, *Both[(I + 1) % 2], 1);
    CHECK((I % 4 ? A : B)[5] >= 0);
  }
  // 27 and 18 by the first, 5 each by the last; ten elements and five times the end.
  CHECK(hostTotal(A) == N * (27 + 5) + 10 + 5 && hostTotal(B) == N * (18 + 5) + 5);
  int *Current = A.data(), *Next = B.data();
  for (int I = 0; I < 5; ++I) {
    ferry::launch<copy>(Whole, std::span(Current, N), std::span(Next, N));
    ferry::launch<add>(Whole, std::span(Next, N), 1);
    Next[0] = I;
    std::swap(Current, Next);
  }
  CHECK(A[0] == 3 && B[0] == 4 && A[1] == 37 && B[1] == 38);
}

union Word {
  int I[N];
  float F[N];
};
static void halve(std::span<float> Y) { Y[ferry::global_id()] *= 0.5f; }
static void unions() {
  auto W = std::make_unique<Word>();
  for (float &X : W->F)
    X = 4;
  ferry::launch<halve>(Whole, W->F);
  CHECK(W->I[7] == 0x40000000);
  W->I[7] = 0x40800000;
  ferry::launch<halve>(Whole, W->F);
  CHECK(W->F[7] == 2 && W->F[8] == 1);
}

int main() {
  reference();
  number();
  structure();
  global();
  otherHeap();
  containers();
  returned();
  chosen();
  unions();
}
