//! The sum of 1,024 elements a block by a tree in shared memory, whose last part
//! a warp does.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
#[path = "Inputs/port.rs"]
mod port;

const THREADS: usize = 1024;

fn tree(x: &[i32], sums: &[AtomicI32]) {
    let part = gpu::shared::<[i32; THREADS]>();
    let t = gpu::thread_idx().x as usize;
    part[t].set(x.get(gpu::global_id()).copied().unwrap_or(0));
    gpu::sync_threads();
    let mut stride = THREADS / 2;
    while stride > 0 {
        if t < stride {
            part[t].set(part[t].get() + part[t + stride].get());
        }
        gpu::sync_threads();
        stride /= 2;
    }
    if t == 0 {
        sums[gpu::block_idx().x as usize].store(part[0].get(), Relaxed);
    }
}

fn warps(x: &[i32], sums: &[AtomicI32]) {
    let part = gpu::shared::<[i32; 64]>();
    let (t, width) = (gpu::thread_idx().x as usize, gpu::warp::size() as usize);
    let sum = gpu::warp::reduce_add(x.get(gpu::global_id()).copied().unwrap_or(0));
    if gpu::warp::lane() == 0 {
        part[t / width].set(sum);
    }
    gpu::sync_threads();
    if t < width {
        let mut sum = if t < THREADS / width { part[t].get() } else { 0 };
        let mut delta = gpu::warp::size() / 2;
        while delta > 0 {
            sum += gpu::warp::shuffle_down(sum, delta);
            delta /= 2;
        }
        if t == 0 {
            sums[gpu::block_idx().x as usize].store(sum, Relaxed);
        }
    }
}

fn main() -> ferry::Result<()> {
    for n in [1024usize, 10000, 1] {
        let mut random = port::Random(7);
        let x: Vec<i32> = (0..n).map(|_| random.below(2000) as i32 - 1000).collect();
        let count = n.div_ceil(THREADS);
        let wanted: Vec<i32> = x.chunks(THREADS).map(|part| part.iter().sum()).collect();
        let new = || (0..count).map(|_| AtomicI32::new(-1)).collect::<Vec<_>>();
        let (a, b) = (new(), new());
        launch(tree, blocks(count).threads(THREADS), (&x, &a))?;
        launch(warps, blocks(count).threads(THREADS), (&x, &b))?;
        for sums in [a, b] {
            assert_eq!(sums.into_iter().map(AtomicI32::into_inner).collect::<Vec<_>>(), wanted);
        }
    }
    println!("summed"); // CHECK: summed
    Ok(())
}
