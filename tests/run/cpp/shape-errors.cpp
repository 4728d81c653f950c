// Shapes that cannot be: the error names the numbers, and nothing was run. Empty
// ones succeed and do nothing.
// RUN: %run-everywhere --output %t %s | FileCheck %s
#include "Inputs/check.h"
#include <string>

void touch(std::span<int> V) { V[0] = 1; }

static std::vector<int> V(1, 0);

template <class Shape> void refused(Shape S) {
  ferry::status St = ferry::try_launch<touch>(S, V);
  CHECK(!St);
  CHECK(St.code() == ferry::errc::invalid_shape);
  CHECK(V[0] == 0);
  std::string Text = St.message();
  // The device has a number of its own, here it shall not matter.
  if (auto At = Text.find("virtual:0"); At != std::string::npos)
    Text.replace(At, 9, "cpu");
  std::printf("%s\n", Text.c_str());
}
template <class Shape> void empty(Shape S) {
  ferry::status St = ferry::try_launch<touch>(S, V);
  CHECK(St && St.code() == ferry::errc::ok && St.message().empty());
  ferry::launch<touch>(S, V);
  CHECK(V[0] == 0);
}

int main() {
  using namespace ferry;
  empty(over(0));
  empty(over(0, 5));
  empty(over(5, 0));
  empty(over(5, 5, 0));
  empty(over(0, 1ull << 40));
  empty(blocks(0).threads(32));
  empty(blocks(3, 0).threads(32));

  // CHECK: kernel 'touch' launched at {{.*}}shape-errors.cpp:[[#@LINE+1]]:{{.*}}1025{{.*}}1024
  refused(blocks(1).threads(1025));
  // CHECK: kernel 'touch' launched at {{.*}}shape-errors.cpp:[[#@LINE+1]]:{{.*}}32 x 33{{.*}}1056{{.*}}1024
  refused(blocks(1).threads(32, 33));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}2048{{.*}}1024
  refused(blocks(1).threads(2, 2, 512));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}4294967297{{.*}}4294967296
  refused(over((1ull << 32) + 1));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}65536 x 65537{{.*}}4295032832{{.*}}4294967296
  refused(over(65536, 65537));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}2048 x 2048 x 2048{{.*}}8589934592{{.*}}4294967296
  refused(over(2048, 2048, 2048));
  // The product wraps around to a small number.
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}4294967296 x 4294967296{{.*}}4294967296
  refused(over(1ull << 32, 1ull << 32));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}threads{{.*}}4294967296
  refused(over(~0ull, ~0ull, ~0ull));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}8589934592{{.*}}4294967296
  refused(blocks(1 << 30).threads(8));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}-1
  refused(over(-1));
  // CHECK: shape-errors.cpp:[[#@LINE+1]]:{{.*}}-2
  refused(blocks(4).threads(-2));
  // A block without threads runs nothing.
  ferry::status S = try_launch<touch>(blocks(4).threads(0), V);
  CHECK(V[0] == 0);

  try {
    launch<touch>(blocks(1).threads(5000), V);
    CHECK(false);
  } catch (const std::runtime_error &E) {
    CHECK(dynamic_cast<const ferry::error &>(E).code() == errc::invalid_shape);
    CHECK(std::strstr(E.what(), "5000"));
  }
  launch<touch>(blocks(1).threads(1024), V);
  CHECK(V[0] == 1);
}
