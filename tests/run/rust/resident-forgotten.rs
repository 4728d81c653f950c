//! Results in a handle that is forgotten are lost with a message, and nothing is
//! copied to memory that may be another's by then.
//
// RUN: %run-rust-everywhere --output %t --profiles=release %s | FileCheck %s
// RUN: env FERRY_DEVICE=virtual %build/tests/rust/release/rust-resident-forgotten 2>&1 | FileCheck %s --check-prefix=LOST
// CHECK: all right
// LOST: ferry: 4000 bytes that kernels have written are lost on device virtual:0: the resident made at {{.*}}resident-forgotten.rs:[[#FIRST:]] never ended
// LOST: all right
// LOST: ferry: 4000 bytes that kernels have written are lost on device virtual:0: the resident made at {{.*}}resident-forgotten.rs:[[#FIRST]] never ended
use ferry::prelude::*;

fn add(x: &mut i32) {
    *x += 1;
}

fn lose(v: &mut [i32]) -> ferry::Result<()> {
    let mut r = resident_mut(v);
    launch(add, over(r.len()), (each(&mut r),))?;
    std::mem::forget(r);
    Ok(())
}

fn main() -> ferry::Result<()> {
    let mut v = vec![1; 1000];
    lose(&mut v)?;
    v.fill(10);
    launch(add, over(1000), (each(&mut v),))?;
    assert!(v.iter().all(|&x| x == 11));
    lose(&mut v)?;
    println!("all right");
    Ok(())
}
