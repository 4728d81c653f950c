//! Blelloch's scan: a tree up and down in dynamic shared memory, for every block;
//! then the same over the blocks' sums, which are added.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
#[path = "Inputs/port.rs"]
mod port;

// The stride over banks of the classic code, to spread elements.
fn padded(i: usize) -> usize {
    i + i / 32
}

fn scan_blocks(input: &[i32], out: &[AtomicI32], sums: &[AtomicI32]) {
    let part = gpu::dynamic_shared::<i32>();
    let (t, n) = (gpu::thread_idx().x as usize, 2 * gpu::block_dim().x as usize);
    let first = gpu::block_idx().x as usize * n;
    for i in [2 * t, 2 * t + 1] {
        part[padded(i)].set(input.get(first + i).copied().unwrap_or(0));
    }
    let mut offset = 1;
    let mut d = n / 2;
    while d > 0 {
        gpu::sync_threads();
        if t < d {
            let (a, b) = (padded(offset * (2 * t + 1) - 1), padded(offset * (2 * t + 2) - 1));
            part[b].set(part[b].get() + part[a].get());
        }
        offset *= 2;
        d /= 2;
    }
    if t == 0 {
        sums[gpu::block_idx().x as usize].store(part[padded(n - 1)].get(), Relaxed);
        part[padded(n - 1)].set(0);
    }
    d = 1;
    while d < n {
        offset /= 2;
        gpu::sync_threads();
        if t < d {
            let (a, b) = (padded(offset * (2 * t + 1) - 1), padded(offset * (2 * t + 2) - 1));
            let left = part[a].get();
            part[a].set(part[b].get());
            part[b].set(part[b].get() + left);
        }
        d *= 2;
    }
    gpu::sync_threads();
    for i in [2 * t, 2 * t + 1] {
        if first + i < out.len() {
            out[first + i].store(part[padded(i)].get(), Relaxed);
        }
    }
}

fn add_sums(out: &mut i32, sums: &[i32], per_block: usize) {
    *out += sums[gpu::global_id() / per_block];
}

fn values(atomics: &[AtomicI32]) -> Vec<i32> {
    atomics.iter().map(|a| a.load(Relaxed)).collect()
}

fn main() -> ferry::Result<()> {
    let (threads, n) = (128, 10007usize);
    let per_block = 2 * threads;
    let count = n.div_ceil(per_block);
    let mut random = port::Random(3);
    let input: Vec<i32> = (0..n).map(|_| random.below(100) as i32 - 50).collect();
    let new = |n| (0..n).map(|_| AtomicI32::new(-1)).collect::<Vec<_>>();
    let (out, sums, before, total) = (new(n), new(count), new(count), new(1));
    let bytes = (padded(per_block - 1) + 1) * size_of::<i32>();
    launch(scan_blocks, blocks(count).threads(threads).shared(bytes), (&input, &out, &sums))?;
    let sums = values(&sums);
    launch(scan_blocks, blocks(1).threads(threads).shared(bytes), (&sums, &before, &total))?;
    let mut out = values(&out);
    launch(add_sums, over(n), (each(&mut out), &values(&before), per_block))?;
    let mut sum = 0;
    for i in 0..n {
        assert_eq!(out[i], sum, "{i}");
        sum += input[i];
    }
    assert_eq!(total[0].load(Relaxed), sum);
    println!("scanned"); // CHECK: scanned
    Ok(())
}
