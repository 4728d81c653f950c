//! A transpose through a tile of shared memory, padded by a column.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

const TILE: usize = 16;

fn transpose(a: &[f32], b: *mut f32, width: usize, height: usize) {
    let tile = gpu::shared::<[[f32; TILE + 1]; TILE]>();
    let (tx, ty) = (gpu::thread_idx().x as usize, gpu::thread_idx().y as usize);
    let (bx, by) = (gpu::block_idx().x as usize, gpu::block_idx().y as usize);
    let (x, y) = (bx * TILE + tx, by * TILE + ty);
    if x < width && y < height {
        tile[ty][tx].set(a[y * width + x]);
    }
    gpu::sync_threads();
    let (x, y) = (by * TILE + tx, bx * TILE + ty);
    if x < height && y < width {
        // SAFETY: an element for each thread.
        unsafe { *b.add(y * height + x) = tile[tx][ty].get() };
    }
}

fn main() -> ferry::Result<()> {
    let (width, height) = (100, 77);
    let (a, mut b) = (port::floats(width * height, 1), vec![0.0; width * height]);
    let grid = blocks((width.div_ceil(TILE), height.div_ceil(TILE))).threads((TILE, TILE));
    // SAFETY: threads write different elements of b.
    unsafe { ferry::launch_unchecked(transpose, grid, (&a, &mut b, width, height))? };
    for y in 0..height {
        for x in 0..width {
            assert_eq!(b[x * height + y], a[y * width + x]);
        }
    }
    println!("transposed"); // CHECK: transposed
    Ok(())
}
