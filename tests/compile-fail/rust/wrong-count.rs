// Fewer arguments than parameters.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn scale(a: f32, y: &mut f32) {
    *y *= a;
}
fn main() {
    let mut y = [1.0; 4];
    let _ = launch(scale, over(4), (each(&mut y),));
}

// CHECK: the arguments `(Each<'_, {float}>,)` do not fit the kernel's parameters `(f32, &mut f32)`
// CHECK: expected a tuple with one argument for each of `(f32, &mut f32)`
