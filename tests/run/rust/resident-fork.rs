//! A child that uses a handle whose data is on its parent's device ends with a
//! message, rather than with data that is out of date.
//
// RUN: %run-rust-everywhere --output %t --profiles=release %s | FileCheck %s
// CHECK: parent: all right
// RUN: env FERRY_DEVICE=virtual %build/tests/rust/release/rust-resident-fork 2>&1 | FileCheck %s --check-prefix=CHILD
// CHILD: ferry: this process was forked while what kernels had written was on a device: the resident made at {{.*}}resident-fork.rs:[[#]] is its parent's
use ferry::prelude::*;
use std::ffi::c_int;

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(process: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn _exit(status: c_int) -> !;
}

fn add(x: &mut i32) {
    *x = x.wrapping_add(1);
}

fn main() -> ferry::Result<()> {
    let mut v = vec![1; 1000];
    let mut r = resident_mut(&mut v);
    launch(add, over(1000), (each(&mut r),))?;
    // SAFETY: the child does nothing but look, and ends.
    let child = unsafe { fork() };
    if child == 0 {
        let right = r.to_host(..1) == [2];
        // SAFETY: it may end so.
        unsafe { _exit(if right { 0 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: `status` may be written.
    unsafe { waitpid(child, &mut status, 0) };
    let aborted = status & 0x7f == 6;
    assert_eq!(aborted, ferry::current_device() != 0, "{status}");
    assert!(aborted || status == 0);
    launch(add, over(1000), (each(&mut r),))?;
    drop(r);
    assert_eq!(v[999], 3);
    println!("parent: all right");
    Ok(())
}
