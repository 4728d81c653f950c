// Data that stays on a device because the program says so: by every kind of
// launch argument, from every thread, on several devices, with what comes home
// when.
//
// RUN: %run-everywhere --output %t %s | FileCheck %s
// CHECK: all right

#include <array>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <ferry/ferry.h>
#include <thread>
#include <vector>

static bool onCpu;

/// Copies and bytes since it was made. On cpu there are none.
struct Counter {
  ferry::statistics Before = ferry::stats();

  void expect(std::uint64_t To, std::uint64_t BytesTo, std::uint64_t Back,
              std::uint64_t BytesBack) {
    ferry::statistics Now = ferry::stats();
    std::uint64_t Seen[] = {Now.copies_to_device - Before.copies_to_device,
                            Now.bytes_to_device - Before.bytes_to_device,
                            Now.copies_to_host - Before.copies_to_host,
                            Now.bytes_to_host - Before.bytes_to_host};
    std::uint64_t Wanted[] = {To, BytesTo, Back, BytesBack};
    for (int I = 0; I < 4; ++I)
      if (Seen[I] != (onCpu ? 0 : Wanted[I])) {
        std::printf("%d: %lu instead of %lu\n", I, Seen[I], Wanted[I]);
        assert(false);
      }
    Before = Now;
  }
};

static void add(int By, std::span<int> V) { V[ferry::global_id()] += By; }
static void addTo(std::span<const int> V, int *W) {
  W[ferry::global_id()] += V[ferry::global_id()];
}
static void set(std::span<int> V, int To) { V[ferry::global_id()] = To; }
static void addOne(int &V) { V += 1; }

// Memory that other code can reach, so that the compiler leaves it alone.
std::vector<int> A(1000, 1), B(1000, 2);
constexpr std::uint64_t Bytes = 4000;

static void manyLaunches() {
  Counter C;
  {
    ferry::resident a(A);
    C.expect(0, 0, 0, 0);
    for (int I = 0; I < 10; ++I)
      ferry::launch<add>(ferry::over(a.size()), 1, a);
    C.expect(1, Bytes, 0, 0);
    // The memory itself, and parts of it, are the same elements.
    ferry::launch<add>(ferry::over(1000), 1, A);
    ferry::launch<add>(ferry::over(500), 1, a.span().first(500));
    ferry::launch<addOne>(ferry::over(1), A[999]);
    C.expect(0, 0, 0, 0);
    a.to_host(0, 1);
    C.expect(0, 0, 1, 4);
    assert(A[0] == 13);
    a.to_host(0, 1);
    C.expect(0, 0, 0, 0);
  }
  C.expect(0, 0, 1, Bytes - 4);
  assert(A[0] == 13 && A[499] == 13 && A[500] == 12 && A[999] == 13);
}

static void hostWrites() {
  A.assign(1000, 1);
  Counter C;
  ferry::resident a(A);
  ferry::launch<add>(ferry::over(1000), 1, a);
  C.expect(1, Bytes, 0, 0);
  A[10] = A[11] = 100;
  a.to_device(10, 2);
  ferry::launch<add>(ferry::over(1000), 1, a);
  C.expect(1, 8, 0, 0);
  a.to_host();
  assert(A[9] == 3 && A[10] == 101 && A[11] == 101 && A[12] == 3);
  // All of it written: what the kernel had is lost.
  ferry::launch<add>(ferry::over(1000), 1, a);
  A.assign(1000, 50);
  a.to_device();
  C = {};
  ferry::launch<set>(ferry::over(1000), ferry::out(a), 7);
  C.expect(0, 0, 0, 0);
  a.to_host();
  assert(A[0] == 7 && A[999] == 7);
}

static void readOnly() {
  A.assign(1000, 1);
  B.assign(1000, 2);
  Counter C;
  {
    ferry::resident<const int> a(A);
    const std::vector<int> &Same = B;
    ferry::resident b(Same);
    static_assert(std::is_same_v<decltype(b), ferry::resident<const int>>);
    std::vector<int> W(1000);
    ferry::resident w(W.data(), W.size());
    for (int I = 0; I < 3; ++I) {
      ferry::launch<addTo>(ferry::over(1000), a, ferry::inout(w));
      ferry::launch<addTo>(ferry::over(1000), b.span(), ferry::inout(w));
    }
    // W's zeros are the device's own.
    C.expect(2, 2 * Bytes, 0, 0);
    w.to_host();
    C.expect(0, 0, 1, Bytes);
    assert(W[0] == 9 && W[999] == 9);
    // Written all the same, and not lost.
    ferry::launch<add>(ferry::over(1000), 4, A);
    assert(A[0] == 5 && A[999] == 5);
    C.expect(0, 0, 1, Bytes);
  }
  C.expect(0, 0, 0, 0);
}

static void moved() {
  A.assign(1000, 1);
  ferry::resident first(A);
  ferry::launch<add>(ferry::over(1000), 1, first);
  ferry::resident second(std::move(first));
  assert(first.size() == 0);
  ferry::launch<add>(ferry::over(1000), 1, second);
  B.assign(1000, 2);
  second = ferry::resident(B);
  assert(A[0] == 3 && A[999] == 3);
  ferry::launch<add>(ferry::over(1000), 1, second);
  second.to_host();
  assert(B[0] == 3);
}

template <class Function> static void refused(Function F, const char *Says) {
  try {
    F();
  } catch (const ferry::error &E) {
    assert(E.code() == ferry::errc::invalid_argument);
    if (!std::strstr(E.what(), Says)) {
      std::puts(E.what());
      assert(false);
    }
    return;
  }
  assert(false);
}

static void twice() {
  ferry::resident a(A);
  refused([] { ferry::resident b(A); }, "memory has one resident at a time");
  refused([] { ferry::resident b(std::span(A).subspan(999)); },
          "one resident at a time");
  refused([] { ferry::resident b(A.data(), -1); }, "-1 elements");
  refused([&] { a.to_host(999, 2); }, "no 2 elements from number 999");
  refused([&] { a.to_device(-1, 1); }, "no 1 elements from number -1");
  ferry::resident b(std::span(B).first(500)), c(std::span(B).subspan(500));
  std::vector<int> None;
  ferry::resident d(None), e(None);
  ferry::launch<add>(ferry::over(0), 1, d);
}

/// A launch on more than a resident has, with one that is used beside.
static void wider() {
  B.assign(1000, 2);
  ferry::resident left(std::span(B).first(500));
  ferry::launch<add>(ferry::over(500), 1, left);
  ferry::launch<add>(ferry::over(1000), 1, B);
  assert(B[500] == 3 && B[999] == 3);
  ferry::launch<addTo>(ferry::over(500), left, ferry::inout(B));
  left.to_host();
  assert(B[0] == 8 && B[499] == 8 && B[500] == 3);
}

static void threads() {
  A.assign(1000, 0);
  B.assign(1000, 1);
  ferry::resident a(A);
  ferry::resident<const int> b(B);
  int Devices = ferry::devices();
  std::vector<std::thread> All;
  for (int T = 0; T < 4; ++T)
    All.emplace_back([&, T] {
      for (int I = 0; I < 50; ++I)
        ferry::launch<addTo>(
            ferry::over(250).device((T + I) % Devices),
            b.span().subspan(250 * T, 250),
            ferry::inout(a.span().subspan(250 * T, 250)));
    });
  for (std::thread &T : All)
    T.join();
  a.to_host();
  for (int V : A)
    assert(V == 50);
}

static void devices() {
  A.assign(1000, 0);
  ferry::resident a(A);
  for (int D = 0; D < ferry::devices(); ++D)
    ferry::launch<add>(ferry::over(1000).device(D), D + 1, a);
  int Sum = ferry::devices() * (ferry::devices() + 1) / 2;
  a.to_host();
  assert(A[0] == Sum && A[999] == Sum);
}

/// What the compiler has left on a device becomes the program's.
static void afterTheCompilers() {
  std::vector<int> V(1000, 1);
  for (int I = 0; I < 3; ++I)
    ferry::launch<add>(ferry::over(1000), 1, V);
  {
    ferry::resident r(V);
    ferry::launch<add>(ferry::over(1000), 1, r);
    r.to_host(5, 1);
    assert(V[5] == 5);
  }
  ferry::launch<add>(ferry::over(1000), 1, V);
  assert(V[5] == 6 && V[999] == 6);
}

int main() {
  onCpu = ferry::device_name(ferry::current_device()) == "cpu";
  manyLaunches();
  hostWrites();
  readOnly();
  moved();
  twice();
  wider();
  threads();
  devices();
  afterTheCompilers();
  std::puts("all right");
}
