//! Host code that is given device addresses. What it does on a virtual device it
//! does here by itself.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
// CHECK: all right
use ferry::prelude::*;
use ferry::{ErrorKind, inout, inp, out, with_device};

fn add(by: i32, x: &mut i32) {
    *x = x.wrapping_add(by);
}

const N: usize = 1000;

unsafe fn add_and_double(x: *const i32, y: *mut i32, z: *mut i32) -> i32 {
    for i in 0..N {
        // SAFETY: the caller's promise.
        unsafe {
            *y.add(i) = *x.add(i) + *z.add(i);
            *z.add(i) *= 2;
        }
    }
    // SAFETY: as above.
    unsafe { *y }
}

fn main() -> ferry::Result<()> {
    let on_cpu = ferry::current_device() == 0;
    let copies = || {
        let now = ferry::stats();
        (now.bytes_to_device, now.bytes_to_host)
    };
    let (x, mut y, mut z) = (vec![1; N], vec![2; N], [3; N]);
    let host = x.as_ptr();
    let before = copies();
    let first = with_device((inp(&x), out(&mut y), inout(&mut z)), |dx, dy, dz| {
        assert_eq!(dx == host, on_cpu);
        // SAFETY: all have N elements that the host can reach.
        unsafe { add_and_double(dx, dy, dz) }
    })?;
    let after = copies();
    assert_eq!((first, x[7], y[7], z[7]), (4, 1, 4, 6));
    if !on_cpu {
        assert_eq!((after.0 - before.0, after.1 - before.1), (8000, 8000));
    }

    let shared = resident(&x);
    let mut r = resident_mut(&mut y);
    launch(add, over(N), (1, each(&mut r)))?;
    let before = copies();
    for _ in 0..3 {
        with_device((inp(&shared), inout(&mut r)), |dx: *const i32, dy: *mut i32| {
            // SAFETY: as above.
            unsafe { *dy += *dx }
        })?;
    }
    let after = copies();
    if !on_cpu {
        assert_eq!((after.0 - before.0, after.1 - before.1), (4000, 0));
    }
    launch(add, over(N), (1, each(&mut r)))?;
    assert_eq!(r.to_host(..2), [9, 6]);
    drop(r);
    assert_eq!(y[..2], [9, 6]);

    // A panic passes through, and the host has what it had.
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        with_device((inout(&mut z),), |dz: *mut i32| {
            if !on_cpu {
                // SAFETY: as above.
                unsafe { *dz = 99 };
            }
            std::panic::resume_unwind(Box::new(42));
        })
    }));
    assert_eq!(*panicked.unwrap_err().downcast::<i32>().unwrap(), 42);
    assert_eq!(z, [6; N]);

    ferry::set_device(ferry::devices()).unwrap_err();
    let error = with_device((inp(&[0u8; 0]),), |_| ()).map_err(|e| e.kind());
    assert_eq!(error, Ok::<(), ErrorKind>(()));
    println!("all right");
    Ok(())
}
