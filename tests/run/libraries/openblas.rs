//! A dot product by OpenBLAS after a launch, on data that stays on the device.
//
// REQUIRES: openblas, cargo
// RUN: %run-rust-everywhere --output %t --profiles=release %s | FileCheck %s
// CHECK: 2 * 1000 = 2000
use ferry::prelude::*;
use ferry::{inp, with_device};
use std::ffi::c_int;

#[link(name = "openblas")]
unsafe extern "C" {
    fn cblas_ddot(n: c_int, x: *const f64, inc_x: c_int, y: *const f64, inc_y: c_int) -> f64;
}

fn double(x: &mut f64) {
    *x *= 2.0;
}

fn main() -> ferry::Result<()> {
    let (mut x, y) = (vec![1.0; 1000], vec![1.0; 1000]);
    let (mut x, y) = (resident_mut(&mut x), resident(&y));
    launch(double, over(1000), (each(&mut x),))?;
    let before = ferry::stats().bytes_to_host;
    let dot = with_device((inp(&x), inp(&y)), |dx, dy| {
        // SAFETY: both have 1000 elements.
        unsafe { cblas_ddot(1000, dx, 1, dy, 1) }
    })?;
    assert_eq!(ferry::stats().bytes_to_host, before);
    println!("2 * 1000 = {dot}");
    Ok(())
}
