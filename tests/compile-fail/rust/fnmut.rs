// A closure that changes what it captures.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn main() {
    let mut y = [1.0f32; 4];
    let mut n = 0;
    let _ = launch(|y: &mut f32| { n += 1; *y = n as f32 }, over(4), (each(&mut y),));
}

// CHECK: expected a closure that implements the `Fn` trait, but this closure only implements `FnMut`
