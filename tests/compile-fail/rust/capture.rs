// A closure with a captured value.
//
// RUN: not %{rustc} --emit=obj -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn main() {
    let mut y = vec![1.0f32; 4];
    let a = std::hint::black_box(2.0);
    let _ = launch(move |y: &mut f32| *y *= a, over(4), (each(&mut y),));
}

// CHECK: a kernel captures nothing: pass what the closure captures as an argument of the launch
// CHECK: instantiating `fn {{.*}}launch::<{closure@
// CHECK: {{.*}}.rs:9:13
