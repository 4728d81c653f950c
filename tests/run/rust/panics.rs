//! What panics in a kernel comes back as an error with the user's line, block,
//! thread and values; the next launch works.
//
// RUN: %run-rust-everywhere --output %t --profiles=dev %s | FileCheck %s --check-prefixes=CHECK,DEV
// RUN: %run-rust-everywhere --output %t --profiles=release %s | FileCheck %s
use ferry::ErrorKind::Panic;
use ferry::prelude::*;

fn index(x: &[u32], y: &mut u32) {
    *y = x[gpu::global_id() + 1];
}
fn slice(x: &[u32], from: usize, y: &mut u32) {
    *y = x[from..][0];
}
fn divide(a: u32, b: u32, y: &mut u32) {
    *y = a / b;
}
fn asserts(limit: usize, y: &mut u32) {
    assert!(gpu::global_id() < limit, "thread is past the limit");
    *y = 1;
}
fn asserts_plain(limit: usize, y: &mut u32) {
    assert!(gpu::global_id() < limit);
    *y = 1;
}
fn equal(a: i32, b: i32, y: &mut u32) {
    assert_eq!(a, b);
    *y = 1;
}
fn panics(y: &mut u32) {
    if gpu::global_id() == 300 {
        panic!("no way");
    }
    *y = 1;
}
fn formats(n: u32, y: &mut u32) {
    if gpu::global_id() == 5 {
        panic!("bad number {n}");
    }
    *y = 1;
}
fn unwraps(o: Option<u32>, y: &mut u32) {
    *y = o.unwrap();
}
fn expects(o: Option<u32>, y: &mut u32) {
    *y = o.expect("a number");
}
fn unreachable_code(n: u32, y: &mut u32) {
    *y = match n {
        0 => 1,
        _ => unreachable!(),
    };
}
fn overflow(a: i32, y: &mut u32) {
    *y = (a + 1) as u32;
}
fn shift(a: u32, y: &mut u32) {
    *y = 1 << a;
}
fn deep(x: &[u32], y: &mut u32) {
    #[inline(never)]
    fn inner(x: &[u32], i: usize) -> u32 {
        x[i * 2]
    }
    *y = inner(x, gpu::global_id());
}
fn in_2d(y: &mut u32) {
    let at = gpu::global_idx();
    assert!(at.x != 5 || at.y != 9);
    *y = 1;
}
fn works(y: &mut u32) {
    *y += 1;
}

fn expect_panic(result: ferry::Result<()>) {
    let error = result.unwrap_err();
    println!("{error}");
    assert_eq!(error.kind(), Panic);
    let mut v = vec![1; 500];
    launch(works, over(500), (each(&mut v),)).unwrap();
    assert!(v.iter().all(|v| *v == 2));
}

fn main() {
    let x = vec![1; 1000];
    let mut y = vec![0; 1000];
    let y = &mut y[..];
    // CHECK: kernel '{{.*}}index' panicked at {{.*}}panics.rs:10:10: index 1000 out of bounds (len 1000), block 3, thread 231
    expect_panic(launch(index, over(1000), (&x, each(y))));
    // CHECK: kernel '{{.*}}index' panicked at {{.*}}panics.rs:10:10: {{.*}}, block 9, thread 99
    expect_panic(launch(index, blocks(10).threads(100), (&x, each(y))));
    // CHECK: kernel '{{.*}}slice' panicked at {{.*}}panics.rs:13:{{[0-9]+}}: {{.*}}1001{{.*}}1000{{.*}}, block 0, thread 0
    expect_panic(launch(slice, over(1), (&x, 1001, each(y))));
    // CHECK: kernel '{{.*}}divide' panicked at {{.*}}panics.rs:16:10: attempt to divide by zero, block 0, thread 0
    expect_panic(launch(divide, over(1), (5, 0, each(y))));
    // CHECK: kernel '{{.*}}asserts' panicked at {{.*}}panics.rs:19:5: thread is past the limit, block 1, thread 44
    expect_panic(launch(asserts, over(301), (300, each(y))));
    // CHECK: kernel '{{.*}}asserts_plain' panicked at {{.*}}panics.rs:23:5: assertion failed: gpu::global_id() < limit, block 1, thread 44
    expect_panic(launch(asserts_plain, over(301), (300, each(y))));
    // CHECK: kernel '{{.*}}equal' panicked at {{.*}}panics.rs:27:5: assertion {{.*}}3{{.*}}-4{{.*}}, block 0, thread 0
    expect_panic(launch(equal, over(1), (3, -4, each(y))));
    // CHECK: kernel '{{.*}}panics' panicked at {{.*}}panics.rs:32:9: no way, block 1, thread 44
    expect_panic(launch(panics, over(301), (each(y),)));
    // CHECK: kernel '{{.*}}formats' panicked at {{.*}}panics.rs:38:9: bad number 77, block 0, thread 5
    expect_panic(launch(formats, over(6), (77, each(y))));
    // CHECK: kernel '{{.*}}unwraps' panicked at {{.*}}panics.rs:43:12: called `Option::unwrap()` on a `None` value, block 0, thread 0
    expect_panic(launch(unwraps, over(1), (None, each(y))));
    // CHECK: kernel '{{.*}}expects' panicked at {{.*}}panics.rs:46:12: a number, block 0, thread 0
    expect_panic(launch(expects, over(1), (None, each(y))));
    // CHECK: kernel '{{.*}}unreachable_code' panicked at {{.*}}panics.rs:51:14: {{.*}}unreachable code, block 0, thread 0
    expect_panic(launch(unreachable_code, over(1), (1, each(y))));
    if cfg!(debug_assertions) {
        // DEV: kernel '{{.*}}overflow' panicked at {{.*}}panics.rs:55:{{[0-9]+}}: attempt to add with overflow, block 0, thread 0
        expect_panic(launch(overflow, over(1), (i32::MAX, each(y))));
        // DEV: kernel '{{.*}}shift' panicked at {{.*}}panics.rs:58:10: attempt to shift left with overflow, block 0, thread 0
        expect_panic(launch(shift, over(1), (40, each(y))));
    }
    // CHECK: kernel '{{.*}}deep' panicked at {{.*}}panics.rs:63:9: index 1000 out of bounds (len 1000), block 1, thread 244
    expect_panic(launch(deep, over(501), (&x, each(y))));
    // CHECK: kernel '{{.*}}in_2d' panicked at {{.*}}panics.rs:69:5: assertion failed: {{.*}}, block (0, 1, 0), thread (5, 1, 0)
    expect_panic(launch(in_2d, over((20, 10)), (each(y),)));
    // CHECK: done
    println!("done");
}
