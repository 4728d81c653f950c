//! A child process has what its parent's residents had computed when it was forked,
//! but only in those that it has: where one was forgotten, nothing is written.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
// CHECK: parent: all right
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
    let (mut v, mut w, mut lost) = (vec![1; 1000], vec![1; 1000], vec![1; 1000]);
    let on_cpu = ferry::current_device() == 0;
    let (mut r, mut s, mut t) =
        (resident_mut(&mut v), resident_mut(&mut w), resident_mut(&mut lost));
    launch(add, over(1000), (each(&mut r),))?;
    launch(add, over(1000), (each(&mut s),))?;
    launch(add, over(1000), (each(&mut t),))?;
    std::mem::forget(t);
    // SAFETY: the child does nothing but look, and ends.
    let child = unsafe { fork() };
    if child == 0 {
        let mut right = r.to_host(..1) == [2];
        drop(r);
        right &= v[999] == 2;
        right &= launch(add, over(1000).device(0), (each(&mut s),)).is_ok();
        drop(s);
        right &= w[0] == 3 && lost[5] == if on_cpu { 2 } else { 1 };
        // SAFETY: it may end so.
        unsafe { _exit(if right { 0 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: `status` may be written.
    unsafe { waitpid(child, &mut status, 0) };
    assert_eq!(status, 0);
    launch(add, over(1000), (each(&mut r),))?;
    drop((r, s));
    assert_eq!((v[999], w[0]), (3, 2));
    println!("parent: all right");
    Ok(())
}
