// An enum has as many bit patterns as variants.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
enum Colour {
    Red,
    Green,
}
fn kernel() {
    let _ = gpu::dynamic_shared::<Colour>();
}
fn main() {
    let _ = launch(kernel, blocks(1).threads(4), ());
}

// CHECK: a `Colour` cannot lie in shared memory: it starts undefined, and not every bit pattern is a value of it
// CHECK: gpu::dynamic_shared::<Colour>()
