// A container is passed by reference.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn first(x: &[f32], y: &mut f32) {
    *y = x[0];
}
fn main() {
    let (x, mut y) = (vec![1.0f32; 4], [1.0; 4]);
    let _ = launch(first, over(4), (x, each(&mut y)));
}

// CHECK: `Vec<f32>` does not fit a kernel parameter of type `&[f32]`
// CHECK: pass a reference, `&v`
