//! A stencil of radius 2 on tiles with a halo; some of the threads load it, clamped
//! at the grid's edge.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;

const W: usize = 16;
const H: usize = 8;
const R: usize = 2;

// The index `i` of an array with R more elements at each end.
fn clamped(i: usize, n: usize) -> usize {
    i.saturating_sub(R).min(n - 1)
}

fn stencil(a: &[f32], b: *mut f32, nx: usize, ny: usize) {
    let tile = gpu::shared::<[[f32; W + 2 * R]; H + 2 * R]>();
    let (tx, ty) = (gpu::thread_idx().x as usize, gpu::thread_idx().y as usize);
    let (left, top) = (gpu::block_idx().x as usize * W, gpu::block_idx().y as usize * H);
    for y in (ty..H + 2 * R).step_by(H) {
        for x in (tx..W + 2 * R).step_by(W) {
            tile[y][x].set(a[clamped(top + y, ny) * nx + clamped(left + x, nx)]);
        }
    }
    gpu::sync_threads();
    if left + tx >= nx || top + ty >= ny {
        return;
    }
    let mut sum = 0.0;
    for d in 0..=2 * R {
        sum += tile[ty + d][tx + R].get() + tile[ty + R][tx + d].get();
    }
    // SAFETY: an element for each thread.
    unsafe { *b.add((top + ty) * nx + left + tx) = sum };
}

fn main() -> ferry::Result<()> {
    let (nx, ny) = (75, 43);
    let a: Vec<f32> = (0..nx * ny).map(|i| (i * 37 % 101) as f32).collect();
    let mut b = vec![0.0; nx * ny];
    let grid = blocks((nx.div_ceil(W), ny.div_ceil(H))).threads((W, H));
    // SAFETY: threads write different elements of b.
    unsafe { ferry::launch_unchecked(stencil, grid, (&a, &mut b, nx, ny))? };
    for y in 0..ny {
        for x in 0..nx {
            let sum: f32 = (0..=2 * R)
                .map(|d| a[clamped(y + d, ny) * nx + x] + a[y * nx + clamped(x + d, nx)])
                .sum();
            assert_eq!(b[y * nx + x], sum);
        }
    }
    println!("smoothed"); // CHECK: smoothed
    Ok(())
}
