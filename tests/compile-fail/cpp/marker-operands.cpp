// What the marker's contract calls constant is a literal in clang's raw IR, with
// no optimisation at all; the shim and the name are symbols.
//
// RUN: %clangxx -std=c++20 -O0 -S -emit-llvm -I%include -I%runtime-include %s -o - \
// RUN:   | FileCheck %s

#include <ferry/ferry.h>

#include <vector>

struct Twelve { int V[3]; };
void k(Twelve, std::span<const float>, float *, const Twelve &, std::span<int, 2>) {}

void run(std::vector<float> &v, Twelve t, std::array<int, 2> &a) {
  ferry::launch<k>(ferry::over(v.size()), t, v, ferry::out(v), t, a);
}

// CHECK: [[NAME:@_ZN5ferry6detail14FunctionKernel[^ ]*4NameE]] = {{.*}}c"k\00"

// CHECK: call i32 (i64, ...) @__ferry_launch(i64 noundef 1,
// CHECK-SAME: ptr noundef @{{[^ ]*}}ferry{{[^ ]*}}shim{{[^ ]*}}, ptr noundef [[NAME]], i64 noundef 1,
// The file and its length, line and column; the shape and its extent.
// CHECK-SAME: ptr noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}},
// CHECK-SAME: i64 noundef 0, i64 noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}}, i64 noundef 1, i64 noundef 1, i64 noundef 1,
// No shared memory; a device; six fields.
// CHECK-SAME: i64 noundef 0, i64 noundef %{{[0-9]+}}, i64 noundef 6,
// CHECK-SAME: i64 noundef 0, ptr noundef %{{[0-9]+}}, i64 noundef 12,
// CHECK-SAME: i64 noundef 17, ptr noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}}, i64 noundef 0, ptr noundef %{{[0-9]+}}, i64 noundef 8,
// CHECK-SAME: i64 noundef 33, ptr noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}},
// CHECK-SAME: i64 noundef 17, ptr noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}},
// CHECK-SAME: i64 noundef 49, ptr noundef %{{[0-9]+}}, i64 noundef %{{[0-9]+}})
