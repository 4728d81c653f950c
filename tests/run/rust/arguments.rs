//! Every form of argument; none and twenty-four; two parameters named dyn_ptr;
//! empty slices; literals that infer from the kernel.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use std::sync::atomic::*;

static RUNS: AtomicU32 = AtomicU32::new(0);

fn none() {
    RUNS.fetch_add(1, Ordering::Relaxed);
}
fn saxpy(a: f32, x: &[f32], y: &mut f32) {
    *y += a * x[gpu::global_id()];
}
fn lengths(a: &[u64], b: &str, c: &[u8], out: &mut [usize]) {
    out[0] = a.len();
    out[1] = b.len();
    out[2] = c.len();
}
fn fixed(a: &[i32; 4], b: [i32; 2], out: &mut i32) {
    *out = a.iter().sum::<i32>() + b[0] * b[1];
}
fn upper(text: &str, out: &mut u8) {
    *out = text.as_bytes()[gpu::global_id()].to_ascii_uppercase();
}
fn same_names(dyn_ptr: &[i32], dyn_ptr_: i32, out: &mut i32) {
    fn inner(dyn_ptr: &[i32], dyn_ptr_: i32) -> i32 {
        dyn_ptr[0] + dyn_ptr_
    }
    *out = inner(dyn_ptr, dyn_ptr_);
}
#[allow(clippy::too_many_arguments)]
fn many(
    a: i8, b: u16, c: f32, d: f64, e: &[i32], f: (i32, f64), g: bool, h: char, i: &i64, j: &mut [f64], k: i128,
    l: u64, m: [u8; 3], n: &(i32, f64), o: i32, p: &str, q: u32, r: i64, s: f32, t: f64, u: i16,
    v: &[(i32, f64)], w: usize, x: &mut f64,
) {
    j[0] = a as f64;
    j[1] = b as f64;
    j[2] = c as f64;
    j[3] = d;
    j[4] = (e[1] + e.len() as i32) as f64;
    j[5] = f.0 as f64 + f.1;
    j[6] = g as u8 as f64;
    j[7] = h as u32 as f64;
    j[8] = *i as f64;
    j[9] = j.len() as f64;
    j[10] = (k >> 64) as f64;
    j[11] = l as f64;
    j[12] = m[2] as f64;
    j[13] = n.0 as f64 * n.1;
    j[14] = o as f64;
    j[15] = p.len() as f64;
    j[16] = q as f64;
    j[17] = r as f64;
    j[18] = s as f64;
    j[19] = t;
    j[20] = u as f64;
    j[21] = v[1].1;
    j[22] = w as f64;
    *x += 1.0;
}
fn count(values: &[u8], bins: &[AtomicU32], total: &AtomicU64) {
    bins[values[gpu::global_id()] as usize].fetch_add(1, Ordering::Relaxed);
    total.fetch_add(2, Ordering::Relaxed);
}
fn whole(y: &mut [i32], z: *mut i32) {
    let i = gpu::global_id();
    y[i] += 1;
    unsafe { *z.add(i) = y[i] * 10 };
}
fn one(v: &mut i32) {
    *v = 99;
}

fn main() -> ferry::Result<()> {
    launch(none, over(1), ())?;
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);

    let (x, mut y) = (vec![1.0; 1000], vec![2.0; 1000]);
    launch(saxpy, over(1000), (2.0, &x, each(&mut y)))?;
    launch(saxpy, over(10), (2.0, &x[..10], each(&mut y[990..])))?;
    launch(saxpy, over(10), (2.0, &x.clone().into_boxed_slice(), each(&mut y)))?;
    assert!(y.iter().enumerate().all(|(i, y)| *y == if (10..990).contains(&i) { 4.0 } else { 6.0 }));

    let mut out = [9; 3];
    launch(lengths, over(1), (&[], "", &Vec::new(), chunks(&mut out, 3)))?;
    assert_eq!(out, [0, 0, 0]);
    launch(lengths, over(1), (&[1; 7], &String::from("ferry"), b"ab", chunks(&mut out, 3)))?;
    assert_eq!(out, [7, 5, 2]);

    let mut out = [0; 2];
    launch(fixed, over(2), (&[1, 2, 3, 4], [5, 6], each(&mut out)))?;
    assert_eq!(out, [40; 2]);
    let mut loud = vec![0; 5];
    launch(upper, over(5), ("ferry", each(&mut loud)))?;
    assert_eq!(loud, b"FERRY");
    launch(same_names, over(2), (&[3], 4, each(&mut out)))?;
    assert_eq!(out, [7; 2]);

    let (mut j, mut last) = ([-1.0; 23], [0.5]);
    launch(
        many,
        over(1),
        (
            -8, 60000, 1.5, 2.5, &[5, 6], (7, 0.25), true, 'ß', &(1 << 40), chunks(&mut j, 23), 9 << 64, 1 << 50,
            [1, 2, 3], &(1, 2.0), -14, "abc", 4000000000, -(1 << 45), 18.5, 19.5, -20, &[(1, 2.0), (3, 4.5)], 22,
            each(&mut last),
        ),
    )?;
    assert_eq!(
        j,
        [
            -8.0, 60000.0, 1.5, 2.5, 8.0, 7.25, 1.0, 223.0, (1u64 << 40) as f64, 23.0, 9.0, (1u64 << 50) as f64, 3.0, 2.0,
            -14.0, 3.0, 4e9, -((1u64 << 45) as f64), 18.5, 19.5, -20.0, 4.5, 22.0
        ]
    );
    assert_eq!(last, [1.5]);

    let values: Vec<u8> = (0..10000).map(|i| (i * i % 7) as u8).collect();
    let bins: Vec<AtomicU32> = (0..7).map(AtomicU32::new).collect();
    let total = AtomicU64::new(5);
    launch(count, over(values.len()), (&values, &bins, &total))?;
    for (b, bin) in bins.iter().enumerate() {
        let expected = values.iter().filter(|v| **v as usize == b).count() as u32 + b as u32;
        assert_eq!(bin.load(Ordering::Relaxed), expected);
    }
    assert_eq!(total.into_inner(), 20005);

    let (mut y, mut z) = (vec![1, 2, 3], vec![0, 0, 0, 7]);
    // SAFETY: every thread writes its own elements.
    unsafe { ferry::launch_unchecked(whole, over(3), (&mut y, &mut z)) }?;
    assert_eq!((y, z), (vec![2, 3, 4], vec![20, 30, 40, 7]));
    let mut v = 1;
    // SAFETY: there is one thread.
    unsafe { ferry::launch_unchecked(one, over(1), (&mut v,)) }?;
    assert_eq!(v, 99);

    // Nothing to give to no threads.
    let mut empty: Vec<f32> = Vec::new();
    launch(saxpy, over(0), (1.0, &[], each(&mut empty)))?;
    Ok(())
}
