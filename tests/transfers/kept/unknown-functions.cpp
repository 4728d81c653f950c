// Functions whose bodies the compiler doesn't see, in another translation unit, read
// and write what kernels wrote and read: given a pointer, an element's address, a
// span, a container, a buffer they remembered earlier, through pointers to functions,
// virtual calls and callbacks. With -flto it does see them.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3,"-O2 -flto" %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <functional>
#include <memory>

static void pointer() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  CHECK(totalOf(V.data(), N) == filled(1));
  fillFrom(V.data(), N, 2);
  CHECK(deviceTotal(V) == filled(2));
  ferry::launch<add>(Whole, V, 1);
  CHECK(totalOfVector(V) == filled(3));
  // The middle only.
  ferry::launch<fill>(Whole, V, 4);
  CHECK(totalOf(&V[500], 100) == filled(504, 100));
  fillFrom(&V[500], 100, 0);
  CHECK(deviceTotal(V) == filled(4) - 50400);
}

static void heap() {
  int *P = static_cast<int *>(std::malloc(N * sizeof(int)));
  fillFrom(P, N, 7);
  ferry::launch<add>(Whole, ferry::inout(P, N), 1);
  CHECK(totalOf(P, N) == filled(8));
  ferry::launch<fill>(Whole, ferry::out(P, N), 9);
  CHECK(totalOf(P, N) == filled(9));
  std::free(P);
  std::unique_ptr<int[]> Q(new int[N]);
  ferry::launch<fill>(Whole, std::span(Q.get(), N), 3);
  CHECK(totalOf(Q.get(), N) == filled(3));
}

// It gets the pointer once, before any launch, and later looks without being given it.
static void remembered() {
  std::vector<int> V(N);
  keep(V.data(), V.size());
  ferry::launch<fill>(Whole, V, 1);
  CHECK(totalOfKept() == filled(1));
  fillKept(5);
  CHECK(deviceTotal(V) == filled(5));
  for (int I = 0; I < 5; ++I) {
    ferry::launch<add>(Whole, V, I);
    CHECK(totalOfKept() == filled(5 + I * (I + 1) / 2));
  }
  ferry::launch<fill>(Whole, V, 8);
  CHECK(kept()[N - 1] == 8 + N - 1);
  kept()[N - 1] = 0;
  CHECK(deviceTotal(V) == filled(8, N - 1));
}

// It gets the pointer while the data is on the device.
static void rememberedLater() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  ferry::launch<add>(Whole, V, 1);
  keep(V.data(), V.size());
  ferry::launch<add>(Whole, V, 1);
  CHECK(totalOfKept() == filled(3));
  ferry::launch<add>(Whole, V, 1);
  CHECK(totalOfKept() == filled(4));
}

// Or only under a condition.
static void rememberedMaybe() {
  for (bool Tell : {true, false}) {
    std::vector<int> V(N), Other(N, 1);
    keep(Other.data(), Other.size());
    ferry::launch<fill>(Whole, V, 1);
    if (Tell == yes())
      keep(V.data(), V.size());
    ferry::launch<add>(Whole, V, 1);
    CHECK(totalOfKept() == (Tell ? filled(2) : N));
    CHECK(V[3] == 5);
  }
}

static long (*volatile Total)(const int *, std::size_t) = totalOf;
static void indirect() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 1);
  CHECK(Total(V.data(), N) == filled(1));
  ferry::launch<add>(Whole, V, 1);
  CHECK(totalVisitor().visit(V.data(), N) == filled(2));
  fillVisitor().visit(V.data(), N);
  CHECK(deviceTotal(V) == filled(5));
  std::function<long(const int *, std::size_t)> F = totalOf;
  ferry::launch<add>(Whole, V, 1);
  CHECK(F(V.data(), N) == filled(6));
}

// The function given reads and writes here, but is called from there.
static void callbacks() {
  struct Data {
    std::vector<int> V = std::vector<int>(N);
    long Seen = 0;
  } D;
  auto Look = [](void *P) {
    auto &D = *static_cast<Data *>(P);
    D.Seen = hostTotal(D.V);
    D.V[0] = 1000;
  };
  ferry::launch<fill>(Whole, D.V, 1);
  call(Look, &D);
  CHECK(D.Seen == filled(1));
  CHECK(deviceTotal(D.V) == filled(1) + 999);
  // A launch in there.
  call([](void *P) { ferry::launch<fill>(Whole, static_cast<Data *>(P)->V, 2); }, &D);
  CHECK(hostTotal(D.V) == filled(2));
  // The comparison looks into another buffer than the one that is sorted.
  std::vector<int> Keys(N), Order(N);
  static int *Key;
  Key = Keys.data();
  std::iota(Order.begin(), Order.end(), 0);
  ferry::launch<fill>(Whole, Keys, -N);
  std::qsort(Order.data(), N, sizeof(int), [](const void *A, const void *B) {
    return Key[*static_cast<const int *>(B)] - Key[*static_cast<const int *>(A)];
  });
  CHECK(Order[0] == N - 1 && Order[N - 1] == 0);
}

int main() {
  pointer();
  heap();
  remembered();
  rememberedLater();
  rememberedMaybe();
  indirect();
  callbacks();
}
