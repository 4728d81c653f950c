// A unique reference that would be shared by all threads.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn scale(a: f32, y: &mut f32) {
    *y *= a;
}
fn main() {
    let mut y = vec![1.0f32; 4];
    let _ = launch(scale, over(4), (2.0, &mut y));
}

// CHECK: error[E0277]: `&mut Vec<f32>` does not fit a kernel parameter of type `&mut f32`
// CHECK: launch(scale, over(4), (2.0, &mut y));
// CHECK: ^^^^^^ cannot be passed as `&mut f32`
// CHECK: for a parameter `&mut T` write `each(&mut v)`
