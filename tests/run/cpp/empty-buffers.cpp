// Spans of length 0, null or not, arrive empty, and a launch with them works.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"

void sizes(std::span<const int> A, std::span<int> B, std::span<std::size_t> Out) {
  Out[0] = A.size();
  Out[1] = B.size();
  Out[2] = 42;
}
void pointers(const int *A, int *B, std::size_t N, std::span<std::size_t> Out) {
  for (std::size_t I = 0; I < N; ++I)
    B[I] = A[I];
  Out[0] = 43;
}
void nothing(std::span<float>) {}

int main() {
  std::vector<std::size_t> Out(3, 9);
  std::vector<int> None, Reserved;
  Reserved.reserve(100);
  ferry::launch<sizes>(ferry::over(1), None, Reserved, Out);
  CHECK(Out[0] == 0 && Out[1] == 0 && Out[2] == 42);
  std::span<int> Null;
  CHECK(Null.data() == nullptr);
  Out.assign(3, 9);
  ferry::launch<sizes>(ferry::over(1), std::span<const int>(), Null, Out);
  CHECK(Out[0] == 0 && Out[1] == 0 && Out[2] == 42);
  Out.assign(3, 9);
  ferry::launch<pointers>(ferry::over(1), ferry::in(static_cast<int *>(nullptr), 0),
                          ferry::out(static_cast<int *>(nullptr), 0), 0u, Out);
  CHECK(Out[0] == 43);
  // An end pointer is no buffer of its own: its neighbour is in use as well.
  std::vector<int> V(8, 1);
  Out.assign(3, 9);
  ferry::launch<sizes>(ferry::over(1), std::span(V).subspan(8), V, Out);
  CHECK(Out[0] == 0 && Out[1] == 8);
  std::vector<float> F;
  ferry::launch<nothing>(ferry::over(5), F);
  ferry::launch<nothing>(ferry::over(F.size()), F);

  // Null with a size is a mistake that is reported, not followed.
  ferry::status S = ferry::try_launch<pointers>(ferry::over(1), ferry::in(static_cast<int *>(nullptr), 5),
                                                ferry::out(V), 5u, Out);
  CHECK(S.code() == ferry::errc::invalid_argument);
  CHECK(S.message().find("pointers") != std::string::npos && S.message().find("null") != std::string::npos);
}
