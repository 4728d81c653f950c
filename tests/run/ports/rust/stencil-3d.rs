//! A 7-point stencil that marches through planes: the current plane's tile with
//! its halo lies in shared memory, the ones above and below in variables that live
//! across the loop's two barriers.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;

const W: usize = 16;
const H: usize = 4;

fn stencil(a: &[f32], b: *mut f32, nx: usize, ny: usize, nz: usize) {
    let plane = gpu::shared::<[[f32; W + 2]; H + 2]>();
    let (tx, ty) = (gpu::thread_idx().x as usize + 1, gpu::thread_idx().y as usize + 1);
    let (x, y) = (gpu::block_idx().x as usize * W + tx, gpu::block_idx().y as usize * H + ty);
    let at = |x: usize, y: usize, z: usize| if x < nx && y < ny { a[(z * ny + y) * nx + x] } else { 0.0 };
    let (mut below, mut current) = (at(x, y, 0), at(x, y, 1));
    for z in 1..nz - 1 {
        let above = at(x, y, z + 1);
        plane[ty][tx].set(current);
        if tx == 1 {
            plane[ty][0].set(at(x - 1, y, z));
        }
        if tx == W {
            plane[ty][W + 1].set(at(x + 1, y, z));
        }
        if ty == 1 {
            plane[0][tx].set(at(x, y - 1, z));
        }
        if ty == H {
            plane[H + 1][tx].set(at(x, y + 1, z));
        }
        gpu::sync_threads();
        if x < nx - 1 && y < ny - 1 {
            let sum = below
                + above
                + plane[ty][tx - 1].get()
                + plane[ty][tx + 1].get()
                + plane[ty - 1][tx].get()
                + plane[ty + 1][tx].get();
            // SAFETY: elements for each thread.
            unsafe { *b.add((z * ny + y) * nx + x) = sum - 6.0 * current };
        }
        gpu::sync_threads();
        below = current;
        current = above;
    }
}

fn main() -> ferry::Result<()> {
    let (nx, ny, nz): (usize, usize, usize) = (45, 19, 12);
    let a: Vec<f32> = (0..nx * ny * nz).map(|i| (i * 31 % 97) as f32).collect();
    let mut b = vec![-1.0; a.len()];
    let grid = blocks(((nx - 2).div_ceil(W), (ny - 2).div_ceil(H))).threads((W, H));
    // SAFETY: threads write different elements of b.
    unsafe { ferry::launch_unchecked(stencil, grid, (&a, &mut b, nx, ny, nz))? };
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                let i = (z * ny + y) * nx + x;
                let inside = (1..nx - 1).contains(&x) && (1..ny - 1).contains(&y) && (1..nz - 1).contains(&z);
                let wanted = if inside {
                    let sum = a[i - nx * ny] + a[i + nx * ny] + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
                    sum - 6.0 * a[i]
                } else {
                    -1.0
                };
                assert_eq!(b[i], wanted);
            }
        }
    }
    println!("marched"); // CHECK: marched
    Ok(())
}
