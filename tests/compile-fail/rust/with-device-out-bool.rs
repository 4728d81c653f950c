// What a function leaves unwritten of an `out` need not be a value.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

fn main() {
    let mut v = vec![true; 4];
    let _ = ferry::with_device((ferry::out(&mut v),), |_| ());
}

// CHECK: error[E0277]: {{.*}}not every bit pattern is a value of it
