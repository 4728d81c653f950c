//! What the engine refuses in Rust stands at the user's line and names his function.
//
// REQUIRES: cargo
// RUN: %run-rust-everywhere --refused --output %t %s | FileCheck %s
use ferry::prelude::*;

#[autodiff_reverse(d_push, Duplicated, Active)]
fn push(x: &mut Vec<f64>) -> f64 {
    x.push(1.0);
    x[0]
}

// CHECK: error: {{.*}}rust-refusals.rs:9:7: cannot differentiate 'autodiff_rust_refusals::push': frees or grows memory that it was given, {{.*}}, whose gradient would be lost
// CHECK-SAME: give it a slice, or let it copy to memory of its own

fn recursive(x: f64, n: u32) -> f64 {
    if n == 0 { x } else { x * recursive(x, n - 1) }
}
#[autodiff_reverse(d_callback, Const, Active, Active)]
fn callback(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}
// CHECK: error: {{.*}}rust-refusals.rs:21:5: cannot differentiate 'autodiff_rust_refusals::callback': calls a function through a pointer with {{.*}}

fn main() {
    let (mut x, mut dx) = (vec![1.0], vec![0.0]);
    println!("{}", d_push(&mut x, &mut dx, 1.0));
    let k = x[0];
    println!("{:?}", d_callback(&|x| recursive(x * k, 3), 2.0, 1.0));
}
