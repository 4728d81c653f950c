//! Bitonic sort: blocks sort 512 elements in shared memory; longer steps go over
//! global memory, a launch each, and end in shared memory again.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

const BLOCK: usize = 512;
const THREADS: usize = BLOCK / 2;

fn merge(part: &[gpu::Cell<u32>; BLOCK], first: usize, t: usize, size: usize, stride: usize) {
    let i = 2 * t - (t & (stride - 1));
    let (a, b) = (part[i].get(), part[i + stride].get());
    if (a > b) == ((first + i) & size == 0) {
        part[i].set(b);
        part[i + stride].set(a);
    }
}

// Each thread has two neighbours.
fn sort_blocks(v: &mut [u32], from: usize, to: usize) {
    let part = gpu::shared::<[u32; BLOCK]>();
    let (t, first) = (gpu::thread_idx().x as usize, gpu::block_idx().x as usize * BLOCK);
    part[2 * t].set(v[0]);
    part[2 * t + 1].set(v[1]);
    let mut size = from;
    while size <= to {
        let mut stride = (size / 2).min(BLOCK / 2);
        while stride > 0 {
            gpu::sync_threads();
            merge(part, first, t, size, stride);
            stride /= 2;
        }
        size *= 2;
    }
    gpu::sync_threads();
    v[0] = part[2 * t].get();
    v[1] = part[2 * t + 1].get();
}

fn merge_global(v: *mut u32, size: usize, stride: usize) {
    let t = gpu::global_id();
    let i = 2 * t - (t & (stride - 1));
    // SAFETY: each thread has a pair of its own.
    unsafe {
        if (*v.add(i) > *v.add(i + stride)) == (i & size == 0) {
            v.add(i).swap(v.add(i + stride));
        }
    }
}

fn main() -> ferry::Result<()> {
    let n = 8192;
    let mut random = port::Random(11);
    let mut v: Vec<u32> = (0..n).map(|_| random.below(5000)).collect();
    let mut wanted = v.clone();
    wanted.sort();
    let grid = || blocks(n / BLOCK).threads(THREADS);
    launch(sort_blocks, grid(), (chunks(&mut v, 2), 2, BLOCK))?;
    let mut size = 2 * BLOCK;
    while size <= n {
        let mut stride = size / 2;
        while stride >= BLOCK {
            // SAFETY: threads exchange different pairs.
            unsafe { ferry::launch_unchecked(merge_global, over(n / 2), (&mut v, size, stride))? };
            stride /= 2;
        }
        launch(sort_blocks, grid(), (chunks(&mut v, 2), size, size))?;
        size *= 2;
    }
    assert_eq!(v, wanted);
    println!("sorted"); // CHECK: sorted
    Ok(())
}
