// A kernel that keeps what it borrows: it asks for 'static.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn keep(x: &'static [f32], y: &mut f32) {
    *y = x[0];
}
fn main() {
    let (x, mut y) = (vec![1.0; 4], [0.0; 4]);
    let _ = launch(keep, over(4), (&x, each(&mut y)));
}

// CHECK: error[E0597]: `x` does not live long enough
// CHECK: argument requires that `x` is borrowed for `'static`
