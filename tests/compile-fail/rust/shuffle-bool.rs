// A lane that takes no part gives an unspecified value.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn kernel(out: &mut u32) {
    *out = gpu::warp::shuffle(*out > 0, 0) as u32;
}
fn main() {
    let _ = launch(kernel, blocks(1).threads(4), (each(&mut [0; 4]),));
}

// CHECK: a `bool` cannot come from another thread: not every bit pattern is a value of it
// CHECK: holds something else than numbers
