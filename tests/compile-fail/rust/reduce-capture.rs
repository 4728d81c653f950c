// A reduction's functions capture nothing: what they need are arguments.
//
// RUN: not %{rustc} -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn main() {
    let scale = std::env::args().count() as f32;
    let x = [1.0; 4];
    let _ = ferry::parallel_reduce(over(4), 0.0, |a, b| a + b, |i: usize, x: &[f32]| scale * x[i], (&x,));
}

// CHECK: a kernel captures nothing: pass what the closure captures as an argument of the launch
