// What a kernel cannot print, and what does not fit the field that shows it.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain, Debug)]
struct Point {
    x: f32,
    y: f32,
}
fn kernel(p: &Point, name: &str) {
    gpu::print!("{:?}", *p);
    // CHECK: a kernel cannot print a `Point`
    // CHECK: print-values.rs:[[@LINE-2]]:25
    // CHECK: neither a number nor a `bool` or `char`
    gpu::print!("{name}");
    // CHECK: a kernel cannot print a `str`
    // CHECK: print-values.rs:[[@LINE-2]]:17
    gpu::print!("{:x}", p.x);
    // CHECK: a kernel cannot print a `f32` by `{:x}`, `{:o}` or `{:b}`
    // CHECK: print-values.rs:[[@LINE-2]]:25
    gpu::print!("{:e}", true);
    // CHECK: a kernel cannot print a `bool` by `{:e}`
    gpu::print!("{:1$}", p.x, 5i32);
    // CHECK: mismatched types
    // CHECK: expected `&usize`, found `&i32`
}
fn main() {
    let _ = launch(kernel, over(1), (&Point { x: 0.0, y: 0.0 }, "ferry"));
}
