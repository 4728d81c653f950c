//! What the programs of this folder share: kernels whose results are easy to tell.
#![allow(dead_code)]
use ferry::prelude::*;

pub const N: usize = 1000;

pub fn set_kernel(y: &mut i32, a: i32) {
    *y = a + gpu::global_id() as i32;
}
pub fn add_kernel(y: &mut i32, a: i32) {
    *y += a;
}
fn copy_kernel(x: &[i32], y: &mut i32) {
    *y = x[gpu::global_id()];
}
fn sum_kernel(x: &[i32], sum: &mut i64) {
    *sum = 0;
    for v in x {
        *sum += *v as i64;
    }
}
/// Overwrites all elements: a, a + 1 …
pub fn fill(y: &mut [i32], a: i32) {
    launch(set_kernel, over(y.len()), (each(y), a)).unwrap();
}
pub fn add(y: &mut [i32], a: i32) {
    launch(add_kernel, over(y.len()), (each(y), a)).unwrap();
}
pub fn copy(x: &[i32], y: &mut [i32]) {
    launch(copy_kernel, over(y.len()), (x, each(y))).unwrap();
}
pub fn device_total(x: &[i32]) -> i64 {
    let mut sum = [-1i64];
    launch(sum_kernel, over(1), (x, each(&mut sum))).unwrap();
    sum[0]
}
pub fn host_total(x: &[i32]) -> i64 {
    x.iter().map(|v| *v as i64).sum()
}
/// The sum of what fill(y, a) leaves in N elements.
pub fn filled(a: i64) -> i64 {
    let n = N as i64;
    a * n + n * (n - 1) / 2
}
