// A grid whose blocks have no shape.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn nothing() {}
fn main() {
    let _ = launch(nothing, blocks(4), ());
}

// CHECK: error[E0277]: `Blocks` is not a launch shape
// CHECK: write `over(n)` for n threads, or `blocks(b).threads(t)` for b blocks of t threads
