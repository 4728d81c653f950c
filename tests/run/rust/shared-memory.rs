//! Shared memory: several objects, matrices, structs with padding, 16-byte numbers,
//! atomics, dynamic memory; one object a call site and type, whoever calls.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

#[derive(Clone, Copy, Plain, PartialEq, Debug, Default)]
struct Mixed {
    tag: u8,
    value: f64,
    at: (u16, i32),
    more: [u8; 3],
}
#[derive(Clone, Copy, Plain)]
struct Generic<T: Copy, const N: usize>([T; N], u128)
where
    T: Default;

fn transpose(n: usize, a: &[f32], b: *mut f32) {
    let tile = gpu::shared::<[[f32; 17]; 16]>();
    let (t, block) = (gpu::thread_idx(), gpu::block_idx());
    let (tx, ty) = (t.x as usize, t.y as usize);
    let (x, y) = (block.x as usize * 16, block.y as usize * 16);
    if x + tx < n && y + ty < n {
        tile[ty][tx].set(a[(y + ty) * n + x + tx]);
    }
    gpu::sync_threads();
    if y + tx < n && x + ty < n {
        unsafe { *b.add((x + ty) * n + y + tx) = tile[tx][ty].get() };
    }
}

fn structs(out: &mut Mixed) {
    let cells = gpu::shared::<[[Mixed; 8]; 8]>();
    let generic = gpu::shared::<[Generic<u16, 5>; 64]>();
    let whole = gpu::shared::<gpu::Cell<[i8; 9]>>();
    let t = gpu::thread_idx().x;
    let i = t as usize;
    cells[i / 8][i % 8].set(Mixed { tag: t as u8, value: -(t as f64), at: (t as u16 * 3, -5), more: [t as u8; 3] });
    generic[i].set(Generic([t as u16; 5], 1 << 100 | t as u128));
    if t == 9 {
        whole.set([7; 9]);
    }
    gpu::sync_threads();
    *out = cells[i % 8][i / 8].get();
    let Generic(words, wide) = generic[63 - i].get();
    out.at.1 += words[4] as i32 + (wide >> 100) as i32 + (wide & 0xff) as i32 + whole.get()[8] as i32;
}

fn count(values: &[u8], counts: &[AtomicU32], total: &AtomicU64) {
    let local = gpu::shared::<[AtomicU32; 256]>();
    let sum = gpu::shared::<AtomicU64>();
    let t = gpu::thread_idx().x as usize;
    local[t].store(0, Relaxed);
    if t == 0 {
        sum.store(0, Relaxed);
    }
    gpu::sync_threads();
    let value = values[gpu::global_id()];
    local[value as usize].fetch_add(1, Relaxed);
    sum.fetch_add(value as u64, Relaxed);
    gpu::sync_threads();
    counts[t].fetch_add(local[t].load(Relaxed), Relaxed);
    if t == 0 {
        total.fetch_add(sum.load(Relaxed), Relaxed);
    }
}

fn dynamic(x: &[u64], out: &mut [u64]) {
    let tile = gpu::dynamic_shared::<u64>();
    let halves = gpu::dynamic_shared::<[u32; 2]>();
    let t = gpu::thread_idx().x as usize;
    let n = gpu::block_dim().x as usize;
    tile[t].set(x[gpu::global_id()]);
    gpu::sync_threads();
    let other = &halves[n - 1 - t];
    out[0] = (other[1].get() as u64) << 32 | other[0].get() as u64;
    out[1] = tile.len() as u64;
    out[2] = gpu::dynamic_shared::<u8>().len() as u64;
    out[3] = tile[(t + 1) % n].get();
}

// Two objects of one type in one kernel, each reached through a function that is
// called twice.
fn first() -> &'static [gpu::Cell<i32>; 32] {
    gpu::shared::<[i32; 32]>()
}
#[inline(never)]
fn second() -> &'static [gpu::Cell<i32>; 32] {
    gpu::shared::<[i32; 32]>()
}
// One site, two types.
fn by_type<T: gpu::AnyBits>() -> &'static [gpu::Cell<T>; 32] {
    gpu::shared::<[gpu::Cell<T>; 32]>()
}
// A generic function's object belongs to its instance.
fn by_instance<const N: usize>() -> &'static [gpu::Cell<i32>; 32] {
    gpu::shared::<[i32; 32]>()
}
#[track_caller]
fn by_caller() -> &'static [gpu::Cell<i32>; 32] {
    gpu::shared::<[i32; 32]>()
}
fn identities(out: &mut [i32]) {
    let t = gpu::thread_idx().x as usize;
    first()[t].set(1);
    second()[t].set(2);
    by_type::<i32>()[t].set(3);
    by_type::<u32>()[t].set(4);
    let (a, b) = (by_caller(), by_caller());
    a[t].set(5);
    b[t].set(6);
    by_instance::<1>()[t].set(7);
    by_instance::<2>()[t].set(8);
    gpu::sync_threads();
    let o = 31 - t;
    let found = [
        first()[o].get(),
        second()[o].get(),
        by_type::<i32>()[o].get(),
        by_type::<u32>()[o].get() as i32,
        a[o].get(),
        b[o].get(),
        by_instance::<1>()[o].get(),
        by_instance::<2>()[o].get(),
    ];
    out.copy_from_slice(&found);
}

fn main() -> ferry::Result<()> {
    let n = 50;
    let a: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
    let mut b = vec![0.0; n * n];
    // SAFETY: each element is written by one thread.
    unsafe { ferry::launch_unchecked(transpose, blocks((4, 4)).threads((16, 16)), (n, &a, &mut b)) }?;
    assert!((0..n * n).all(|i| b[i] == a[i % n * n + i / n]));

    let mut out = vec![Mixed::default(); 128];
    launch(structs, blocks(2).threads(64), (each(&mut out),))?;
    for (i, mixed) in out.iter().enumerate() {
        let (t, i) = (i as u32 % 64 % 8 * 8 + i as u32 % 64 / 8, i as i32 % 64);
        let at = (t as u16 * 3, -5 + (63 - i) + 1 + (63 - i) + 7);
        assert_eq!(*mixed, Mixed { tag: t as u8, value: -(t as f64), at, more: [t as u8; 3] });
    }

    let values: Vec<u8> = (0..256 * 9).map(|i: u32| (i.wrapping_mul(2654435761) >> 24) as u8).collect();
    let counts: Vec<_> = (0..256).map(|_| AtomicU32::new(0)).collect();
    let total = AtomicU64::new(0);
    launch(count, blocks(9).threads(256), (&values, &counts, &total))?;
    for (i, count) in counts.iter().enumerate() {
        assert_eq!(count.load(Relaxed), values.iter().filter(|v| **v as usize == i).count() as u32);
    }
    assert_eq!(total.into_inner(), values.iter().map(|v| *v as u64).sum());

    let x: Vec<u64> = (0..120).map(|i| i * 0x1_0000_0001).collect();
    let mut out = vec![0; 480];
    launch(dynamic, blocks(3).threads(40).shared(40 * 8 + 5), (&x, chunks(&mut out, 4)))?;
    for (i, out) in out.chunks(4).enumerate() {
        let block = i / 40 * 40;
        assert_eq!(out, [x[block + 39 - i % 40], 40, 325, x[block + (i + 1 - block) % 40]]);
    }
    let too_much = launch(dynamic, blocks(3).threads(40).shared(200 << 10), (&x, chunks(&mut out, 4)));
    let too_much = too_much.unwrap_err();
    assert_eq!(too_much.kind(), ferry::ErrorKind::InvalidShape);
    assert!(too_much.message().contains("204800 bytes of shared memory"), "{too_much}");

    let mut out = vec![0; 32 * 8];
    launch(identities, blocks(1).threads(32), (chunks(&mut out, 8),))?;
    assert!(out.chunks(8).all(|out| out == [1, 2, 3, 4, 5, 6, 7, 8]), "{:?}", &out[..8]);
    Ok(())
}
