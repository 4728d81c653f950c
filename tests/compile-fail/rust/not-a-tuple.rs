// One argument without its tuple.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn zero(y: &mut f32) {
    *y = 0.0;
}
fn main() {
    let mut y = [1.0; 4];
    let _ = launch(zero, over(4), each(&mut y));
}

// CHECK: the arguments `Each<'_, {float}>` do not fit the kernel's parameters `(&mut f32,)`
// CHECK: one argument is a tuple too: `(x,)`
