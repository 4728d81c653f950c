//! A histogram of bytes: each block counts in shared memory and adds its counts
//! to the result.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
#[path = "Inputs/port.rs"]
mod port;

fn histogram(bytes: &[u8], bins: &[AtomicU32]) {
    let mine = gpu::shared::<[AtomicU32; 256]>();
    let (t, n) = (gpu::thread_idx().x as usize, gpu::block_dim().x as usize);
    for bin in mine.iter().skip(t).step_by(n) {
        bin.store(0, Relaxed);
    }
    gpu::sync_threads();
    for &byte in bytes.iter().skip(gpu::global_id()).step_by(gpu::global_dim().x) {
        mine[byte as usize].fetch_add(1, Relaxed);
    }
    gpu::sync_threads();
    for i in (t..256).step_by(n) {
        bins[i].fetch_add(mine[i].load(Relaxed), Relaxed);
    }
}

fn main() -> ferry::Result<()> {
    let mut random = port::Random(5);
    let bytes: Vec<u8> = (0..50001).map(|_| (random.below(250) * random.below(3) / 2) as u8).collect();
    let mut wanted = vec![0; 256];
    for &byte in &bytes {
        wanted[byte as usize] += 1;
    }
    let bins: Vec<AtomicU32> = (0..256).map(|_| AtomicU32::new(0)).collect();
    launch(histogram, blocks(7).threads(96), (&bytes, &bins))?;
    assert_eq!(bins.into_iter().map(AtomicU32::into_inner).collect::<Vec<_>>(), wanted);
    println!("counted"); // CHECK: counted
    Ok(())
}
