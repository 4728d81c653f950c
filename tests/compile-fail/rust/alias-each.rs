// Two unique borrows of one vector.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn both(x: &mut f32, y: &mut f32) {
    *y = *x;
}
fn main() {
    let mut v = vec![1.0; 4];
    let _ = launch(both, over(4), (each(&mut v), each(&mut v)));
}

// CHECK: error[E0499]: cannot borrow `v` as mutable more than once at a time
