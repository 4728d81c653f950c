// The shadow of a type that owns memory cannot be checked unless the type says how.
//
// RUN: not %{rustc} --emit=obj -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
struct Layer {
    weights: Vec<f64>,
}
#[autodiff_reverse(d_sum, Duplicated, Active)]
fn sum(layer: &Layer) -> f64 {
    layer.weights.iter().sum()
}
fn main() {
    let (layer, mut shadow) = (Layer { weights: vec![1.0] }, Layer { weights: vec![0.0; 3] });
    d_sum(&layer, &mut shadow, 1.0);
}

// CHECK: error[E0080]: evaluation panicked: the shadow of a type that owns memory cannot be checked: derive(ferry::autodiff::Shadow) for it
// CHECK: d_sum
