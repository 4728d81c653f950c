//! FERRY_CHECK=race in a Rust program: the error's kind, and both lines.
//
// RUN: %run-rust-everywhere --output %t --profiles dev --devices cpu --env FERRY_CHECK=race %s | FileCheck %s
use ferry::prelude::*;
use ferry::{ErrorKind, launch_unchecked};

fn racy(x: *mut u32) {
    let i = gpu::global_id();
    unsafe {
        *x.add(i) = i as u32;
        if i > 0 {
            *x.add(i - 1) += 1;
        }
    }
}

fn tidy(x: &mut u32) {
    *x += 1;
}

fn main() {
    let mut x = vec![0; 64];
    let error = unsafe { launch_unchecked(racy, over(64), (&mut x,)) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CheckFailed);
    // CHECK: racy' launched at {{.*}}: data race on 'x'[0]: thread 0 writes at {{.*}}:10:9, thread 1 reads at {{.*}}:12:13
    println!("{error}");
    launch(tidy, over(64), (each(&mut x),)).unwrap();
}
