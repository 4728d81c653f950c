// A union.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
union Bits {
    f: f32,
    u: u32,
}
fn main() {}

// CHECK: error: a union cannot be Plain: nothing says which field is valid
// CHECK: union Bits {
