//! Kernels that no device can run, each with the user's line and the calls that
//! lead there; nothing is linked.
//
// RUN: %run-rust-everywhere --refused --profiles=dev --output %t %s | FileCheck %s
// RUN: %run-rust-everywhere --refused --profiles=release --output %t %s | FileCheck %s
use ferry::prelude::*;
use std::arch::x86_64::*;
use std::arch::asm;
use std::cell::Cell;

fn prints(v: &mut i32) {
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}prints' cannot run on a device: calls {{.*}}which does input or output{{.*}}; move the input or output out of the kernel
    println!("{}", *v);
}
fn opens(v: &mut i32) {
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}opens' cannot run on a device: calls {{.*}}which does input or output
    *v = std::fs::File::open("data").is_ok() as i32;
}
fn g(x: u32) -> u32 {
    let mut low: u32;
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}assembles' cannot run on a device: contains inline assembly ({{.*}}assembles → {{.*}}f → {{.*}}g); write the operation in the source language
    unsafe { asm!("rdtsc", out("eax") low, out("edx") _) };
    low + x
}
fn f(x: u32) -> u32 {
    g(x) * 2
}
fn assembles(v: &mut u32) {
    *v = f(*v);
}
thread_local! {
    static LOCAL: Cell<i32> = const { Cell::new(3) };
}
fn thread_local(v: &mut i32) {
    // CHECK-DAG: host-services.rs:{{[0-9]+}}:{{[0-9]+}}: {{.*}}kernel '{{.*}}thread_local' cannot run on a device: uses the thread-local variable {{.*}}; pass its value as an argument
    LOCAL.set(LOCAL.get() + *v);
}
unsafe extern "C" {
    fn logged(format: *const u8, ...) -> i32;
    fn elsewhere(x: i32) -> i32;
}
fn varargs(v: &mut i32) {
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}varargs' cannot run on a device: calls the variadic function logged
    *v = unsafe { logged(b"%d\0".as_ptr(), 1) };
}
fn intrinsic(v: &mut [f32]) {
    // CHECK-DAG: host-services.rs:{{[0-9]+}}:{{[0-9]+}}: {{.*}}kernel '{{.*}}intrinsic' cannot run on a device: uses the processor-specific intrinsic {{.*}}rcp
    unsafe { _mm_storeu_ps(v.as_mut_ptr(), _mm_rcp_ps(_mm_loadu_ps(v.as_ptr()))) };
}
#[inline(never)]
fn inner(x: i32) -> i32 {
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}bodyless' cannot run on a device: calls elsewhere, whose body is not in this program's bitcode ({{.*}}bodyless → {{.*}}inner)
    unsafe { elsewhere(x) }
}
fn bodyless(v: &mut i32) {
    *v = inner(*v);
}
fn boxes(v: &mut i32) {
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}boxes' cannot run on a device: calls {{.*}}which allocates memory{{.*}}; use fixed-size arrays, or pass memory in as an argument
    let b: Box<[i32]> = (0..*v).collect();
    *v = b[b.len() / 2];
}
fn collects(v: &mut i32) {
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}collects' cannot run on a device: calls {{.*}}which allocates memory
    let all: Vec<i32> = (0..*v).collect();
    *v = all.iter().sum();
}
fn locks(v: &mut i32) {
    static MUTEX: std::sync::Mutex<i32> = std::sync::Mutex::new(1);
    // CHECK-DAG: host-services.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}kernel '{{.*}}locks' cannot run on a device:
    *v = *MUTEX.lock().unwrap();
}
// CHECK-DAG: could not compile

fn main() {
    let mut v = [1];
    launch(prints, over(1), (each(&mut v),)).unwrap();
    launch(opens, over(1), (each(&mut v),)).unwrap();
    launch(assembles, over(1), (each(&mut [1u32]),)).unwrap();
    launch(thread_local, over(1), (each(&mut v),)).unwrap();
    launch(varargs, over(1), (each(&mut v),)).unwrap();
    launch(intrinsic, over(1), (chunks(&mut [1.0; 4], 4),)).unwrap();
    launch(bodyless, over(1), (each(&mut v),)).unwrap();
    launch(boxes, over(1), (each(&mut v),)).unwrap();
    launch(collects, over(1), (each(&mut v),)).unwrap();
    launch(locks, over(1), (each(&mut v),)).unwrap();
}
