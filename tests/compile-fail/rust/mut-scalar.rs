// A reduction by racing.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn sum(x: &[f32], total: &mut f32) {
    *total += x[0];
}
fn main() {
    let (x, mut total) = ([1.0; 4], 0.0);
    let _ = launch(sum, over(4), (&x, &mut total));
}

// CHECK: `&mut {float}` does not fit a kernel parameter of type `&mut f32`
// CHECK: ^^^^^^^^^^ cannot be passed as `&mut f32`
