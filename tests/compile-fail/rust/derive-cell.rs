// Interior mutability in a field.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Plain)]
struct Counter {
    hits: std::cell::Cell<u32>,
}
fn main() {}

// CHECK: error[E0277]: `std::cell::Cell<u32>` is not plain data
// CHECK: {{.*}}hits: std::cell::Cell<u32>,
// CHECK: ^^^^^^^^^^^^^^^^^^^^ not plain data
