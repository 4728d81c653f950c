// Sums of a warp are those of 32 and 64 bits.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn kernel(out: &mut u8) {
    *out = gpu::warp::reduce_add(*out);
}
fn main() {
    let _ = launch(kernel, blocks(1).threads(4), (each(&mut [0; 4]),));
}

// CHECK: a warp has no sum, minimum or maximum of `u8`
// CHECK: others can be made of `shuffle`
