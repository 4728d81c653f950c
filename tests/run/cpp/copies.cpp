// What a launch copies by itself: in() there, out() back, spans of const there, spans both
// ways unless they are overwritten, values and zeros not at all; on cpu nothing ever. A kernel
// that panics brings home 64 bytes more.
// RUN: env FERRY_EAGER=1 %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <cassert>
#include <string>

void move(const int *A, int *B, int *C) {
  std::size_t I = ferry::global_id();
  B[I] = A[I];
  C[I] += A[I];
}
void spans(std::span<const float> X, std::span<float> Y, float A) {
  std::size_t I = ferry::global_id();
  Y[I] += A * X[I];
}
void scalar(std::span<const int> X, long &Sum) {
  for (int V : X)
    Sum += V;
}
void byValue(int, double, std::span<int> Y) { Y[0] = 1; }
void canPanic(std::span<int> Y, int Limit) {
  assert(Limit < 10);
  Y[0] += Limit;
}
void nothing() {}

static ferry_stats stats() {
  ferry_stats S;
  ferry_get_stats(&S);
  return S;
}
struct Copies {
  std::uint64_t To, BytesTo, Back, BytesBack;
};
template <class F> void expect(Copies Virtual, F &&Launch) {
  static bool OnCpu = ferry::device_name(ferry::current_device()) == "cpu";
  ferry_stats A = stats();
  Launch();
  ferry_stats B = stats();
  Copies C = OnCpu ? Copies{} : Virtual;
  CHECK(B.launches - A.launches == 1);
  CHECK(B.copies_to_device - A.copies_to_device == C.To);
  CHECK(B.bytes_to_device - A.bytes_to_device == C.BytesTo);
  CHECK(B.copies_to_host - A.copies_to_host == C.Back);
  CHECK(B.bytes_to_host - A.bytes_to_host == C.BytesBack);
}

int main() {
  std::vector<int> A(1000, 1), B(1000, 2), C(1000, 3);
  std::vector<float> X(1000, 1), Y(1000, 2);
  auto N = ferry::over(1000);
  expect({2, 8000, 2, 8000}, [&] { ferry::launch<move>(N, ferry::in(A), ferry::out(B), ferry::inout(C)); });
  CHECK(B[999] == 1 && C[999] == 4);
  expect({2, 8000, 1, 4000}, [&] { ferry::launch<spans>(N, X, Y, 2.f); });
  expect({2, 4008, 1, 8}, [&] { long S = 1; ferry::launch<scalar>(ferry::over(1), A, S); });
  // A place for zeros is filled on the device.
  expect({1, 4000, 1, 8}, [&] { long S = 0; ferry::launch<scalar>(ferry::over(1), A, S); });
  std::vector<float> Zeros(1000);
  expect({1, 4000, 1, 4000}, [&] { ferry::launch<spans>(N, X, Zeros, 2.f); });
  CHECK(Zeros[0] == 2 && Zeros[999] == 2);
  for (std::size_t Not : {0, 1, 500, 997, 999}) {
    std::vector<float> Most(1000);
    Most[Not] = 1;
    expect({2, 8000, 1, 4000}, [&] { ferry::launch<spans>(N, X, Most, 2.f); });
    CHECK(Most[Not] == 3 && Most[998] == 2);
  }
  expect({0, 0, 1, 4}, [&] { ferry::launch<byValue>(ferry::over(1), 1, 2.0, std::span(A).first(1)); });
  expect({0, 0, 0, 0}, [&] { ferry::launch<nothing>(ferry::over(1)); });
  // Halves of one vector: exactly what was passed, not the whole.
  expect({2, 4000, 1, 2000}, [&] { ferry::launch<spans>(ferry::over(500), std::span(X).first(500), std::span(Y).last(500), 2.f); });
  ferry_stats Before = stats();
  ferry::launch<canPanic>(ferry::over(1), A, 1);
  CHECK(stats().copies_to_host - Before.copies_to_host <= 2);
  CHECK(stats().bytes_to_host - Before.bytes_to_host <= 4000 + 64);
  CHECK(stats().bytes_to_device - Before.bytes_to_device <= 4000 + 64);
  Before = stats();
  CHECK(!ferry::try_launch<canPanic>(ferry::over(1), A, 11));
  CHECK(stats().bytes_to_host - Before.bytes_to_host <= 4000 + 64);
  Before = stats();
  ferry::launch<spans>(ferry::over(0), X, Y, 1.f);
  CHECK(sameBits(Before, stats()));
}
