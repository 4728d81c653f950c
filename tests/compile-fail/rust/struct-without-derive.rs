// A struct that nobody called plain.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}
fn shift(by: Point, y: &mut f32) {
    *y += by.x;
}
fn main() {
    let mut y = [0.0; 4];
    let _ = launch(shift, over(4), (Point { x: 1.0 }, each(&mut y)));
}

// CHECK: `Point` does not fit a kernel parameter of type `Point`
// CHECK: a `#[derive(Clone, Copy, Plain)]` struct without references or pointers
