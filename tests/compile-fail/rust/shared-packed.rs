// Cells are used piece by piece, and a piece must be aligned.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: u32,
}
fn kernel() {
    let _ = gpu::shared::<Packed>();
}
fn main() {
    let _ = launch(kernel, blocks(1).threads(4), ());
}

// CHECK: a `Packed` cannot lie in shared memory
