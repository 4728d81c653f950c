// Dynamic shared memory is aligned to 16 bytes.
//
// RUN: not %{rustc} -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
#[repr(align(32))]
struct Line([u32; 8]);
fn kernel() {
    let _ = gpu::dynamic_shared::<Line>();
}
fn main() {
    let _ = launch(kernel, blocks(1).threads(4), ());
}

// CHECK: dynamic shared memory is aligned to 16 bytes: types that want more have no place in it
