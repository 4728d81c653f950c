// Interior mutability without atomics would race.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
use std::cell::Cell;
fn bump(counter: &Cell<u32>) {
    counter.set(counter.get() + 1);
}
fn main() {
    let counter = Cell::new(0);
    let _ = launch(bump, over(4), (&counter,));
}

// CHECK: `std::cell::Cell<u32>` is not plain data: it cannot be copied to a device as bytes
// CHECK: `Cell`, `RefCell`, `Mutex` would race: use the atomic types
