// A bare pointer.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn read(x: *const f32, y: &mut f32) {
    *y = unsafe { *x };
}
fn main() {
    let (x, mut y) = ([1.0f32; 4], [0.0; 4]);
    let _ = launch(read, over(4), (x.as_ptr(), each(&mut y)));
}

// CHECK: `*const f32` does not fit a kernel parameter of type `*const f32`
// CHECK: for a parameter `&T`, `&[T]` or `&str` pass a reference, `&v`
