// A shuffle moves up to 32 bytes.
//
// RUN: not %{rustc} -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn kernel(out: &mut u32) {
    *out = gpu::warp::shuffle([*out; 9], 0)[8];
}
fn main() {
    let _ = launch(kernel, blocks(1).threads(4), (each(&mut [0; 4]),));
}

// CHECK: a shuffle moves up to 32 bytes: larger values go through shared memory
