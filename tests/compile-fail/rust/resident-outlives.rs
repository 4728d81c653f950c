// A handle that would outlive its data.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn main() {
    let r = {
        let v = vec![1.0f32; 4];
        resident(&v)
    };
    println!("{}", r.len());
}

// CHECK: error[E0597]: `v` does not live long enough
