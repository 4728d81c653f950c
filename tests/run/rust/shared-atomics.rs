//! Atomics that arguments share are one object on the device: a slice and one of
//! its elements, the same slice twice, all widths.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use std::sync::atomic::{Ordering::*, *};

fn twice(a: &[AtomicU32], b: &[AtomicU32], one: &AtomicU32) {
    let i = gpu::global_id() % a.len();
    a[i].fetch_add(1, Relaxed);
    b[i].fetch_add(10, Relaxed);
    one.fetch_add(100, Relaxed);
}
fn widths(a: &AtomicU8, b: &AtomicI16, c: &AtomicI64, d: &AtomicBool, e: &AtomicUsize, f: &AtomicI32) {
    let i = gpu::global_id();
    a.fetch_add(1, Relaxed);
    b.fetch_sub(2, SeqCst);
    c.fetch_max(i as i64 * 1_000_000_007, AcqRel);
    d.fetch_or(i == 700, Relaxed);
    e.fetch_xor(i, Relaxed);
    let mut seen = f.load(Acquire);
    while let Err(now) = f.compare_exchange_weak(seen, seen + 3, AcqRel, Relaxed) {
        seen = now;
    }
}

fn main() -> ferry::Result<()> {
    let v: Vec<AtomicU32> = (0..8).map(AtomicU32::new).collect();
    launch(twice, over(800), (&v, &v, &v[3]))?;
    let v: Vec<u32> = v.into_iter().map(AtomicU32::into_inner).collect();
    assert_eq!(v, [1100, 1101, 1102, 81103, 1104, 1105, 1106, 1107]);

    let (a, b, c, d) = (AtomicU8::new(5), AtomicI16::new(7), AtomicI64::new(-1), AtomicBool::new(false));
    let (e, f) = (AtomicUsize::new(0), AtomicI32::new(1));
    launch(widths, over(1000), (&a, &b, &c, &d, &e, &f))?;
    assert_eq!((a.into_inner(), b.into_inner(), c.into_inner()), ((1005 % 256) as u8, 7 - 2000, 999 * 1_000_000_007));
    assert_eq!((d.into_inner(), e.into_inner(), f.into_inner()), (true, (0..1000).fold(0, |x, i| x ^ i), 3001));
    Ok(())
}
