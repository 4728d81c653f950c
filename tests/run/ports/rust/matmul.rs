//! A matrix product by tiles in shared memory; the matrices are no multiple of
//! the tile, so threads outside of them load zeros and still reach the barriers.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

const TILE: usize = 16;

fn multiply(a: &[f32], b: &[f32], c: *mut f32, m: usize, n: usize, k: usize) {
    let tile_a = gpu::shared::<[[f32; TILE]; TILE]>();
    let tile_b = gpu::shared::<[[f32; TILE]; TILE]>();
    let (tx, ty) = (gpu::thread_idx().x as usize, gpu::thread_idx().y as usize);
    let (col, row) = (gpu::global_idx().x, gpu::global_idx().y);
    let mut sum = 0.0;
    let mut first = 0;
    while first < k {
        tile_a[ty][tx].set(if row < m && first + tx < k { a[row * k + first + tx] } else { 0.0 });
        tile_b[ty][tx].set(if col < n && first + ty < k { b[(first + ty) * n + col] } else { 0.0 });
        gpu::sync_threads();
        for i in 0..TILE {
            sum += tile_a[ty][i].get() * tile_b[i][tx].get();
        }
        gpu::sync_threads();
        first += TILE;
    }
    if row < m && col < n {
        // SAFETY: an element for each thread.
        unsafe { *c.add(row * n + col) = sum };
    }
}

fn main() -> ferry::Result<()> {
    let (m, n, k) = (70, 53, 41);
    let (a, b, mut c) = (port::floats(m * k, 1), port::floats(k * n, 2), vec![-1.0; m * n]);
    let grid = blocks((n.div_ceil(TILE), m.div_ceil(TILE))).threads((TILE, TILE));
    // SAFETY: threads write different elements of c.
    unsafe { ferry::launch_unchecked(multiply, grid, (&a, &b, &mut c, m, n, k))? };
    for i in 0..m {
        for j in 0..n {
            let sum: f64 = (0..k).map(|l| a[i * k + l] as f64 * b[l * n + j] as f64).sum();
            port::near(c[i * n + j] as f64, sum, 1e-5);
        }
    }
    println!("multiplied"); // CHECK: multiplied
    Ok(())
}
