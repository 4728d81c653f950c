//! A sparse matrix in CSR times a vector: a thread a row, and a warp a row.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

fn scalar(start: &[u32], column: &[u32], value: &[f32], x: &[f32], y: &mut f32) {
    let row = gpu::global_id();
    *y = 0.0;
    for k in start[row] as usize..start[row + 1] as usize {
        *y += value[k] * x[column[k] as usize];
    }
}

fn vector(start: &[u32], column: &[u32], value: &[f32], x: &[f32], y: *mut f32) {
    let (width, lane) = (gpu::warp::size() as usize, gpu::warp::lane() as usize);
    let row = gpu::global_id() / width;
    if row + 1 >= start.len() {
        return; // the whole warp
    }
    let mut sum = 0.0;
    for k in (start[row] as usize + lane..start[row + 1] as usize).step_by(width) {
        sum += value[k] * x[column[k] as usize];
    }
    sum = gpu::warp::reduce_add(sum);
    if lane == 0 {
        // SAFETY: an element for each warp.
        unsafe { *y.add(row) = sum };
    }
}

fn main() -> ferry::Result<()> {
    let rows = 517;
    let mut random = port::Random(77);
    let (mut start, mut column, mut value) = (vec![0], vec![], vec![]);
    for row in 0..rows {
        let most = if row % 9 == 0 { 200 } else { 12 };
        let count = if row % 50 == 0 { 0 } else { random.below(most) };
        for _ in 0..count {
            column.push(random.below(rows));
            value.push(random.below(16) as f32);
        }
        start.push(column.len() as u32);
    }
    let rows = rows as usize;
    let x: Vec<f32> = (0..rows).map(|_| random.below(16) as f32).collect();
    let wanted: Vec<f32> = (0..rows)
        .map(|r| (start[r] as usize..start[r + 1] as usize).map(|k| value[k] * x[column[k] as usize]).sum())
        .collect();
    let (mut y, mut z) = (vec![-1.0; rows], vec![-1.0; rows]);
    launch(scalar, over(rows), (&start, &column, &value, &x, each(&mut y)))?;
    assert_eq!(y, wanted);
    // 64 threads a row are enough where a warp has fewer.
    let grid = blocks((rows * 64).div_ceil(128)).threads(128);
    // SAFETY: warps write different elements of z.
    unsafe { ferry::launch_unchecked(vector, grid, (&start, &column, &value, &x, &mut z))? };
    assert_eq!(z, wanted);
    println!("multiplied"); // CHECK: multiplied
    Ok(())
}
