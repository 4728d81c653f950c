// Objects with vectors for members, whose functions other translation units could call:
// some objects are only used here, others of the same class are known elsewhere, in a
// list that constructors fill, in a thread, or behind a pointer to a function.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <map>
#include <memory>
#include <string>
#include <thread>

class Field {
  std::vector<int> U, Next;
  int Steps = 0;

public:
  explicit Field(int A) : U(N, A), Next(N) {}
  [[gnu::noinline]] void step(int A) {
    ferry::launch<copy>(Whole, U, Next);
    ferry::launch<add>(Whole, Next, A);
    std::swap(U, Next);
    ++Steps;
  }
  [[gnu::noinline]] long total() const { return hostTotal(U); }
  [[gnu::noinline]] void set(int I, int A) { U.at(I) = A; }
  [[gnu::noinline]] void grow(int A) {
    U.push_back(A);
    Next.resize(U.size());
  }
  std::vector<int> &data() { return U; }
};

[[gnu::noinline]] Field made(int A) {
  Field F(A);
  F.step(1);
  F.set(0, 0);
  return F;
}

static void alone() {
  Field F(1), G = made(2);
  for (int I = 0; I < 5; ++I) {
    F.step(I);
    G.step(1);
  }
  CHECK(F.total() == 11 * N && G.total() == 8 * N - 3);
  F.set(7, 0);
  F.grow(100);
  F.step(1);
  CHECK(F.total() == 12 * N - 11);
  Field H = F;
  H.step(1);
  F = std::move(G);
  F.step(-8);
  CHECK(F.total() == -3 && H.total() == 13 * N + 89);
}

static void elsewhere() {
  Field F(1);
  F.step(1);
  CHECK(totalOfVector(F.data()) == 2 * N);
  F.step(1);
  keep(F.data().data(), N);
  for (int I = 0; I < 3; ++I) {
    F.step(0);
    F.step(0);
    CHECK(totalOfKept() == (I == 0 ? 3 * N : filled(I)));
    fillKept(I + 1);
    CHECK(F.total() == filled(I + 1));
  }
  // Calls back with the object, of which it knows nothing.
  call([](void *Data) { static_cast<Field *>(Data)->step(1); }, &F);
  CHECK(F.total() == filled(4));
  call([](void *Data) { static_cast<Field *>(Data)->set(0, 0); }, &F);
  F.step(1);
  CHECK(F.total() == filled(5) - 4);
}

/// All that there are.
class Listed {
  std::vector<int> V;
  static inline std::vector<Listed *> All;

public:
  [[gnu::noinline]] explicit Listed(int A) : V(N, A) { All.push_back(this); }
  [[gnu::noinline]] ~Listed() { std::erase(All, this); }
  Listed(const Listed &) = delete;
  [[gnu::noinline]] void step() { ferry::launch<add>(Whole, V, 1); }
  static long total() {
    long Sum = 0;
    for (Listed *L : All)
      Sum += hostTotal(L->V);
    return Sum;
  }
  static void clear() {
    for (Listed *L : All)
      L->V.assign(N, 0);
  }
};
static void listed() {
  Listed A(1), B(2);
  A.step();
  CHECK(Listed::total() == 4 * N);
  {
    Listed C(3);
    C.step();
    B.step();
    CHECK(Listed::total() == 9 * N);
    Listed::clear();
    C.step();
    CHECK(Listed::total() == N);
  }
  A.step();
  B.step();
  CHECK(Listed::total() == 2 * N);
}

static void threads() {
  Field F(0);
  F.step(1);
  long Seen = 0;
  std::thread([&F, &Seen] {
    Seen = F.total();
    F.step(1);
  }).join();
  F.step(1);
  CHECK(Seen == N && F.total() == 3 * N);
}

/// Called here, and through a pointer.
void stepTwice(Field &F, int A) {
  F.step(A);
  F.step(A);
}
static void (*volatile Pointer)(Field &, int) = stepTwice;
static long (Field::*volatile Total)() const = &Field::total;
static void pointers() {
  Field F(1), G(1);
  stepTwice(F, 1);
  Pointer(F, 2);
  stepTwice(G, 1);
  CHECK(F.total() == 7 * N && (G.*Total)() == 3 * N);
  G.step(1);
  CHECK((G.*Total)() == 4 * N && (F.*Total)() == 7 * N);
}

static void owners() {
  std::map<std::string, Field> Named;
  auto Own = std::make_unique<Field>(5);
  Field *Raw = Own.get();
  for (const char *Name : {"u", "v"})
    Named.try_emplace(Name, 1).first->second.step(Name[0] - 't');
  Own->step(1);
  Raw->set(1, 0);
  Own->step(1);
  CHECK(Named.at("u").total() == 2 * N && Named.at("v").total() == 3 * N && Own->total() == 7 * N - 6);
  Own.reset(new Field(made(1)));
  Own->step(1);
  CHECK(Own->total() == 3 * N - 2);
}

int main() {
  alone();
  elsewhere();
  listed();
  threads();
  pointers();
  owners();
}
