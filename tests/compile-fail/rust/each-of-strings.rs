// Elements that own host memory.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn clear(s: &mut String) {
    s.clear();
}
fn main() {
    let mut names = vec![String::new(); 4];
    let _ = launch(clear, over(4), (each(&mut names),));
}

// CHECK: error[E0277]: `String` is not plain data
// CHECK: each(&mut names)
// CHECK: ^^^^^^^^^^^^^^^^ not plain data
