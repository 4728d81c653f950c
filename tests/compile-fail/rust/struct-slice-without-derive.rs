// A slice of structs that own host memory.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
struct Names {
    first: String,
}
fn count(names: &[Names], y: &mut usize) {
    *y = names[0].first.len();
}
fn main() {
    let (names, mut y) = (vec![Names { first: String::new() }], [0; 4]);
    let _ = launch(count, over(4), (&names, each(&mut y)));
}

// CHECK: `Names` is not plain data: it cannot be copied to a device as bytes
// CHECK: `#[derive(Clone, Copy, Plain)]` structs and enums
