// A borrowing struct.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
struct View<'a> {
    data: &'a [f32],
}
fn main() {}

// CHECK: error: a Plain type holds no references: what it borrows is an argument of its own
// CHECK: struct View<'a> {
// CHECK: ^^
