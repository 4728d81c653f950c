// A pointer in a field.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
struct View {
    length: usize,
    data: *const f32,
}
fn main() {}

// CHECK: error[E0277]: `*const f32` is not plain data: it cannot be copied to a device as bytes
// CHECK: data: *const f32,
// CHECK: ^^^^^^^^^^ not plain data
// CHECK: references, pointers, `fn` pointers, `Box`, `Vec`, `String` hold addresses
// CHECK: 1 previous error
