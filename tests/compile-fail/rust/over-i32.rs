// Extents are usize.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn nothing() {}
fn main() {
    let n: i32 = 4;
    let _ = launch(nothing, over(n), ());
}

// CHECK: `i32` is not a launch extent
// CHECK: write `n`, `(nx, ny)` or `(nx, ny, nz)` with `usize` numbers
