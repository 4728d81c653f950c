//! Data that stays on a device because the program says so: what is copied when,
//! from several threads and devices, and what becomes of a handle that is
//! forgotten.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
// CHECK: all right
use ferry::prelude::*;

fn add(by: i32, x: &mut i32) {
    *x = x.wrapping_add(by);
}

fn add_to(x: &[i32], y: &mut i32) {
    *y = y.wrapping_add(x[gpu::global_id()]);
}

fn sum_chunk(part: &mut [i32]) {
    let mut sum = 0i32;
    for x in part {
        sum = sum.wrapping_add(*x);
        *x = sum;
    }
}

fn fill(y: *mut i32) {
    // SAFETY: no two threads have one id.
    unsafe { *y.add(gpu::global_id()) = 9 };
}

/// Copies to devices, bytes, copies back, bytes, since the last time. On cpu there
/// are none.
struct Counter(ferry::Stats);

impl Counter {
    fn new() -> Counter {
        Counter(ferry::stats())
    }

    #[track_caller]
    fn expect(&mut self, wanted: (u64, u64, u64, u64)) {
        let now = ferry::stats();
        let copied = (
            now.copies_to_device - self.0.copies_to_device,
            now.bytes_to_device - self.0.bytes_to_device,
            now.copies_to_host - self.0.copies_to_host,
            now.bytes_to_host - self.0.bytes_to_host,
        );
        let on_cpu = ferry::current_device() == 0;
        assert_eq!(copied, if on_cpu { (0, 0, 0, 0) } else { wanted });
        self.0 = now;
    }
}

const N: usize = 1000;

fn many_launches() -> ferry::Result<()> {
    let mut v = vec![1; N];
    let mut copies = Counter::new();
    let mut r = resident_mut(&mut v);
    assert_eq!(r.len(), N);
    copies.expect((0, 0, 0, 0));
    for _ in 0..10 {
        launch(add, over(N), (1, each(&mut r)))?;
    }
    copies.expect((1, 4000, 0, 0));
    assert_eq!(r.to_host(..1), [11]);
    copies.expect((0, 0, 1, 4));
    r.to_host_mut(5..7)[1] = 100;
    copies.expect((0, 0, 1, 8));
    launch(add, over(N), (1, each(&mut r)))?;
    copies.expect((1, 8, 0, 0));
    r.to_device(N - 2, &[50, 60]);
    copies.expect((0, 0, 0, 0));
    launch(sum_chunk, over(N / 2), (chunks(&mut r, 2),))?;
    launch(sum_chunk, over(N / 2), (rows(&mut r, 2),))?;
    copies.expect((1, 8, 0, 0));
    drop(r);
    copies.expect((0, 0, 1, 4000));
    assert_eq!((v[0], v[1], v[5], v[6], v[7]), (12, 36, 36, 101, 214));
    assert_eq!((v[N - 2], v[N - 1]), (50, 160));
    Ok(())
}

fn read_only() -> ferry::Result<()> {
    let (x, mut y) = (vec![1; N], vec![0; N]);
    let mut copies = Counter::new();
    {
        // Two of the same, one of which ends before the other.
        let (a, b) = (resident(&x), resident(&x));
        let mut r = resident_mut(&mut y);
        for _ in 0..3 {
            launch(add_to, over(N), (&a, each(&mut r)))?;
            launch(add_to, over(N), (&b, each(&mut r)))?;
            launch(add_to, over(N), (&b, each(&mut r)))?;
        }
        // y's zeros are the device's own.
        copies.expect((1, 4000, 0, 0));
        drop(b);
        launch(add_to, over(N), (&a, each(&mut r)))?;
        launch(add_to, over(N), (&x, each(&mut r)))?;
        copies.expect((2, 8000, 0, 0));
    }
    copies.expect((0, 0, 1, 4000));
    assert!(y.iter().all(|&y| y == 11));
    Ok(())
}

fn unchecked_and_scans() -> ferry::Result<()> {
    let (x, mut y) = (vec![1; N], vec![0; N]);
    let mut r = resident_mut(&mut y);
    // SAFETY: `fill` writes each element on one thread.
    unsafe { ferry::launch_unchecked(fill, over(N), (&mut r,)) }?;
    assert_eq!(r.to_host(N - 1..), [9]);
    ferry::inclusive_scan(&x, &mut r, |a, b| a + b)?;
    launch(add, over(N), (1, each(&mut r)))?;
    assert_eq!(r.to_host(..=1), [2, 3]);
    drop(r);
    assert_eq!(y[N - 1], N as i32 + 1);
    Ok(())
}

fn threads_and_devices() -> ferry::Result<()> {
    let x = vec![1; N];
    let x = resident(&x);
    let mut parts: Vec<_> = (0..4).map(|_| vec![0; N]).collect();
    std::thread::scope(|scope| {
        for (number, part) in parts.iter_mut().enumerate() {
            let x = &x;
            scope.spawn(move || -> ferry::Result<()> {
                let mut r = resident_mut(part);
                for i in 0..20 {
                    let shape = over(N).device((number + i) % ferry::devices());
                    launch(add_to, shape, (x, each(&mut r)))?;
                }
                Ok(())
            });
        }
    });
    assert!(parts.iter().flatten().all(|&y| y == 20));
    Ok(())
}

/// The memory is then as it was, and used as any other.
fn forgotten() -> ferry::Result<()> {
    let on_cpu = ferry::current_device() == 0;
    let mut v = vec![1; N];
    let mut r = resident_mut(&mut v);
    launch(add, over(N), (1, each(&mut r)))?;
    std::mem::forget(r);
    if !on_cpu {
        assert!(v.iter().all(|&x| x == 1));
    }
    v.fill(5);
    launch(add, over(N), (1, each(&mut v)))?;
    assert!(v.iter().all(|&x| x == 6));

    let mut y = vec![0; N];
    let r = resident(&v);
    launch(add_to, over(N), (&r, each(&mut y)))?;
    std::mem::forget(r);
    v.fill(7);
    launch(add_to, over(N), (&v, each(&mut y)))?;
    launch(add_to, over(N), (&resident(&v), each(&mut y)))?;
    assert!(y.iter().all(|&y| y == 20));
    Ok(())
}

fn main() -> ferry::Result<()> {
    many_launches()?;
    read_only()?;
    unchecked_and_scans()?;
    threads_and_devices()?;
    forgotten()?;
    let mut none = [0i32; 0];
    let mut none = resident_mut(&mut none);
    assert!(none.is_empty());
    launch(add, over(0), (1, each(&mut none)))?;
    println!("all right");
    Ok(())
}
