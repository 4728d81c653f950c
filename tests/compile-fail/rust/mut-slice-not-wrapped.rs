// A slice that all threads could write.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn scale(a: f32, y: &mut [f32]) {
    y[0] *= a;
}
fn main() {
    let mut y = vec![1.0f32; 4];
    let _ = launch(scale, over(4), (2.0, &mut y));
}

// CHECK: `&mut Vec<f32>` does not fit a kernel parameter of type `&mut [f32]`
// CHECK: ^^^^^^ cannot be passed as `&mut [f32]`
// CHECK: write `chunks(&mut v, k)` or `rows(&mut m, ncols)`; to give all of `&mut v` to every thread use `unsafe { ferry::launch_unchecked(..) }`
