// Shared memory starts undefined, and a bool has two bit patterns.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn kernel() {
    let flags = gpu::shared::<[bool; 4]>();
    let _ = flags;
}
fn main() {
    let _ = launch(kernel, blocks(1).threads(4), ());
}

// CHECK: a `bool` cannot lie in shared memory: it starts undefined, and not every bit pattern is a value of it
// CHECK: gpu::shared::<[bool; 4]>()
// CHECK: cannot lie in shared memory
// CHECK: keep a `bool`, `char` or enum as an integer, such as `u8` or `u32`
