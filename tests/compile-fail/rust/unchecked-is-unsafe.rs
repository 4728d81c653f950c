// launch_unchecked makes the caller promise.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn zero(y: &mut [f32]) {
    y[0] = 0.0;
}
fn main() {
    let mut y = [1.0; 4];
    let _ = ferry::launch_unchecked(zero, over(4), (&mut y,));
}

// CHECK: error[E0133]: call to unsafe function `launch_unchecked` is unsafe
