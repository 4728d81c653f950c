// A function known at run time alone.
//
// RUN: not %{rustc} --emit=obj -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn zero(y: &mut f32) {
    *y = 0.0;
}
fn main() {
    let mut y = vec![1.0f32; 4];
    let kernel: fn(&'static mut f32) = zero;
    let _ = launch(kernel, over(4), (each(y.leak()),));
}

// CHECK: a `fn` pointer is no kernel either: name the function itself
