// Cells belong to a block: they come from gpu::shared, and go nowhere.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
use std::sync::OnceLock;
static KEPT: OnceLock<&'static gpu::Cell<u32>> = OnceLock::new();
fn takes(cell: &gpu::Cell<u32>) {
    cell.set(1);
}
fn passes(cell: &gpu::Cell<u32>) {
    let _ = launch(takes, over(1), (cell,));
}
fn main() {}

// CHECK-DAG: `UnsafeCell<MaybeUninit<u32>>` cannot be shared between threads safely
// CHECK-DAG: `{{.*}}Cell<u32>` is not plain data: it cannot be copied to a device as bytes
