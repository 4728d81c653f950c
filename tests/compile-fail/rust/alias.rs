// A vector that is read and written by one launch.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn copy(x: &[f32], y: &mut f32) {
    *y = x[0];
}
fn main() {
    let mut v = vec![1.0; 4];
    let _ = launch(copy, over(4), (&v, each(&mut v)));
}

// CHECK: error[E0502]: cannot borrow `v` as mutable because it is also borrowed as immutable
