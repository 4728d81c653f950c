// What threads get by value is copied.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Plain)]
struct Count(u32);
fn main() {}

// CHECK: error[E0277]: the trait bound `Count: Copy` is not satisfied
// CHECK: consider annotating `Count` with `#[derive(Copy)]`
