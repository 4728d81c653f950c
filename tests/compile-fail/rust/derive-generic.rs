// A generic struct is plain for plain parameters alone.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
struct Wrapper<T> {
    value: T,
}
fn take<T: Plain>(_: T) {}
fn main() {
    take(Wrapper { value: 1.0 });
    take(Wrapper { value: &1.0 });
}

// CHECK: error[E0277]: `&{float}` is not plain data
// CHECK: take(Wrapper { value: &1.0 });
// CHECK: required for `Wrapper<&{float}>` to implement `ferry::Plain`
// CHECK: 1 previous error
