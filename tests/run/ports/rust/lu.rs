//! LU factors of many small matrices, with row exchanges: a block a matrix in
//! shared memory, and a thread a matrix in an array of its own.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

const N: usize = 12;
type Matrix = [[f32; N]; N];

fn factor_in_block(matrices: *mut f32, pivots: *mut usize) {
    let a = gpu::shared::<[[f32; N + 1]; N]>();
    let pivot = gpu::shared::<usize>();
    let (x, y) = (gpu::thread_idx().x as usize, gpu::thread_idx().y as usize);
    // SAFETY: an element for each thread.
    let mine = unsafe { &mut *matrices.add((gpu::block_idx().x as usize * N + y) * N + x) };
    a[y][x].set(*mine);
    gpu::sync_threads();
    for k in 0..N {
        if x == 0 && y == 0 {
            let mut best = k;
            for i in k + 1..N {
                if a[i][k].get().abs() > a[best][k].get().abs() {
                    best = i;
                }
            }
            pivot.set(best);
            // SAFETY: one thread of the block.
            unsafe { *pivots.add(gpu::block_idx().x as usize * N + k) = best };
        }
        gpu::sync_threads();
        if y == 0 && pivot.get() != k {
            let row = a[k][x].get();
            a[k][x].set(a[pivot.get()][x].get());
            a[pivot.get()][x].set(row);
        }
        gpu::sync_threads();
        if x == k && y > k {
            a[y][k].set(a[y][k].get() / a[k][k].get());
        }
        gpu::sync_threads();
        if x > k && y > k {
            a[y][x].set(a[y][x].get() - a[y][k].get() * a[k][x].get());
        }
        gpu::sync_threads();
    }
    *mine = a[y][x].get();
}

fn factor(a: &mut Matrix, pivots: &mut [usize; N]) {
    for k in 0..N {
        let mut best = k;
        for i in k + 1..N {
            if a[i][k].abs() > a[best][k].abs() {
                best = i;
            }
        }
        pivots[k] = best;
        a.swap(k, best);
        for i in k + 1..N {
            a[i][k] /= a[k][k];
            for j in k + 1..N {
                a[i][j] -= a[i][k] * a[k][j];
            }
        }
    }
}

fn factor_in_thread(matrix: &mut Matrix, pivots: &mut [usize; N]) {
    let mut a = *matrix;
    factor(&mut a, pivots);
    *matrix = a;
}

fn main() -> ferry::Result<()> {
    let count = 50;
    let given = port::floats(count * N * N, 4);
    let mut by_block = given.clone();
    let mut block_pivots = vec![0; count * N];
    let grid = blocks(count).threads((N, N));
    // SAFETY: threads write different elements, and one of a block its pivots.
    unsafe { ferry::launch_unchecked(factor_in_block, grid, (&mut by_block, &mut block_pivots))? };

    let mut by_thread: Vec<Matrix> =
        (0..count).map(|m| core::array::from_fn(|i| core::array::from_fn(|j| given[(m * N + i) * N + j]))).collect();
    let mut thread_pivots = vec![[0; N]; count];
    let mut wanted = by_thread.clone();
    launch(factor_in_thread, over(count), (each(&mut by_thread), each(&mut thread_pivots)))?;
    for m in 0..count {
        let mut pivots = [0; N];
        factor(&mut wanted[m], &mut pivots);
        assert_eq!(block_pivots[m * N..(m + 1) * N], pivots);
        assert_eq!(thread_pivots[m], pivots);
        for i in 0..N {
            for j in 0..N {
                port::near(by_block[(m * N + i) * N + j] as f64, wanted[m][i][j] as f64, 1e-3);
                port::near(by_thread[m][i][j] as f64, wanted[m][i][j] as f64, 1e-3);
            }
        }
    }
    println!("factored"); // CHECK: factored
    Ok(())
}
