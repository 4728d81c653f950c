// The host looks at data while a device may have newer.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn scale(x: &mut f32) {
    *x *= 2.0;
}
fn main() {
    let mut v = vec![1.0; 4];
    let mut r = resident_mut(&mut v);
    let _ = launch(scale, over(4), (each(&mut r),));
    println!("{}", v[0]);
    let first = &r.to_host(..1)[0];
    let _ = launch(scale, over(4), (each(&mut r),));
    println!("{first}");
}

// CHECK: error[E0502]: cannot borrow `v` as immutable because it is also borrowed as mutable
// CHECK: error[E0502]: cannot borrow `r` as mutable because it is also borrowed as immutable
