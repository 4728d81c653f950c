// A kernel with a result.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn twice(x: &[f32]) -> f32 {
    2.0 * x[0]
}
fn main() {
    let x = [1.0; 4];
    let _ = launch(twice, over(4), (&x,));
}

// CHECK: `for<'a> fn(&'a [f32]) -> f32 {twice}` cannot be a kernel
// CHECK: it returns nothing: results go to a parameter, such as a `&mut T` launched with `each(&mut v)`
