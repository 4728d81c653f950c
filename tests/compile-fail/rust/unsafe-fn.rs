// An unsafe fn has laws that a launch cannot keep.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
unsafe fn zero(y: &mut f32) {
    *y = 0.0;
}
fn main() {
    let mut y = [1.0; 4];
    let _ = launch(zero, over(4), (each(&mut y),));
}

// CHECK: `for<'a> unsafe fn(&'a mut f32) {zero}` cannot be a kernel
// CHECK: a kernel is a safe `fn`
