// A derivative may leave anything in the memory of an argument that is `DualOnly`.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s --implicit-check-not="{{^error}}"

use ferry::prelude::*;

#[autodiff_forward(d_scaled, DualOnly, Dual)]
fn scaled(x: f64) -> f64 {
    x
}
fn call() {
    let _ = d_scaled(1.0, 1.0);
    // CHECK: error[E0133]: call to unsafe function `d_scaled` is unsafe and requires unsafe
}
fn main() {}

// CHECK: error: aborting due to 1 previous error
