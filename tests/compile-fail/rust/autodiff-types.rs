// Types that have no gradient, and shadows that cannot be checked.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s --implicit-check-not="{{^error}}"

use ferry::prelude::*;

#[autodiff_reverse(d_count, Active, Active)]
fn count(n: usize) -> f64 {
    // CHECK: error[E0277]: `usize` cannot be `Active`
    // CHECK-NEXT: autodiff-types.rs:[[@LINE-2]]:13
    // CHECK: arguments behind references are `Duplicated`; others are `Const`
    n as f64
}

#[autodiff_reverse(d_truth, Active, Active)]
fn truth(x: f64) -> bool {
    // CHECK: error[E0277]: `bool` cannot be `Active`
    // CHECK-NEXT: autodiff-types.rs:[[@LINE-2]]:21
    x > 0.0
}

#[derive(ferry::autodiff::Shadow)]
struct Layer {
    weights: Vec<f64>,
    names: std::collections::HashMap<u8, f64>,
    // CHECK: error[E0277]: the trait bound `HashMap<u8, f64>: Shadow` is not satisfied
    // CHECK-NEXT: autodiff-types.rs:[[@LINE-2]]:12
}

fn main() {}

// CHECK: error: aborting due to 3 previous errors
