// A reduction's lambda that returns something else than what is reduced.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <functional>

struct Point {
  float x, y;
};

float run() {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at {{.*}}' returns 'Point', which does not convert to the initial value's type 'float'
  // CHECK: parallel-reduce-result.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  return ferry::parallel_reduce(ferry::over(3), 0.f, std::plus<>(),
                                [](std::size_t) { return Point{1, 2}; });
}
// CHECK: 1 error generated.
