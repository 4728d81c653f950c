// Shared memory of a type whose constructor would have to run.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <string>

void k(std::span<int> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: shared<T>() gives memory that no constructor runs on; T must be trivially copyable and trivially default constructible
  // CHECK: shared-with-constructor.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  auto &names = ferry::shared<std::string[4]>();
  y[0] = static_cast<int>(names[0].size());
}
// CHECK: 1 error generated.
