// Two residents of one vector that can both be written.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn both(x: &mut f32, y: &mut f32) {
    *y = *x;
}
fn main() {
    let mut v = vec![1.0; 4];
    let (mut a, mut b) = (resident_mut(&mut v), resident_mut(&mut v));
    let _ = launch(both, over(4), (each(&mut a), each(&mut b)));
}

// CHECK: error[E0499]: cannot borrow `v` as mutable more than once at a time
