// References and fn pointers in an enum.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
enum Label {
    None,
    Text { text: &'static str },
    Code(u32, fn(f32) -> f32),
}
fn main() {}

// CHECK: error[E0277]: `&'static str` is not plain data
// CHECK: Text { text: &'static str },
// CHECK: ^^^^^^^^^^^^ not plain data
// CHECK: error[E0277]: `fn(f32) -> f32` is not plain data
// CHECK: Code(u32, fn(f32) -> f32),
// CHECK: ^^^^^^^^^^^^^^ not plain data
// CHECK: 2 previous errors
