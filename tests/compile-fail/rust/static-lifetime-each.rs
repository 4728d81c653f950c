// As static-lifetime, for an element.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn keep(y: &'static mut f32) {
    *y = 0.0;
}
fn main() {
    let mut y = [0.0; 4];
    let _ = launch(keep, over(4), (each(&mut y),));
}

// CHECK: error[E0597]: `y` does not live long enough
// CHECK: argument requires that `y` is borrowed for `'static`
