// No silent narrowing.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn scale(a: f32, y: &mut f32) {
    *y *= a;
}
fn main() {
    let mut y = [1.0; 4];
    let a = 2.0f64;
    let _ = launch(scale, over(4), (a, each(&mut y)));
}

// CHECK: `f64` does not fit a kernel parameter of type `f32`
// CHECK: ^ cannot be passed as `f32`
