//! Softmax of rows: a warp a row, with reductions in the warp.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

fn softmax(input: &[f32], out: *mut f32, columns: usize) {
    let (width, lane) = (gpu::warp::size() as usize, gpu::warp::lane() as usize);
    let row = gpu::global_id() / width;
    if row >= input.len() / columns {
        return; // the whole warp
    }
    let x = &input[row * columns..(row + 1) * columns];
    let mut most = f32::NEG_INFINITY;
    for c in (lane..columns).step_by(width) {
        most = most.max(x[c]);
    }
    let mut mask = gpu::warp::size() / 2;
    while mask > 0 {
        most = most.max(gpu::warp::shuffle_xor(most, mask));
        mask /= 2;
    }
    let mut sum = 0.0;
    for c in (lane..columns).step_by(width) {
        sum += (x[c] - most).exp();
    }
    let sum = gpu::warp::reduce_add(sum);
    for c in (lane..columns).step_by(width) {
        // SAFETY: elements for each lane.
        unsafe { *out.add(row * columns + c) = (x[c] - most).exp() / sum };
    }
}

fn main() -> ferry::Result<()> {
    let (rows, columns) = (37, 301);
    let input: Vec<f32> = port::floats(rows * columns, 1).into_iter().map(|x| 20.0 * x).collect();
    let mut out = vec![0.0; input.len()];
    // 64 threads a row are enough where a warp has fewer.
    // SAFETY: lanes write different elements of out.
    unsafe { ferry::launch_unchecked(softmax, blocks(rows).threads(64), (&input, &mut out, columns))? };
    for (x, y) in input.chunks(columns).zip(out.chunks(columns)) {
        let most = x.iter().fold(f64::NEG_INFINITY, |m, &x| m.max(x as f64));
        let sum: f64 = x.iter().map(|&x| (x as f64 - most).exp()).sum();
        for (&x, &y) in x.iter().zip(y) {
            port::near(y as f64, (x as f64 - most).exp() / sum, 1e-5);
        }
    }
    println!("normalised"); // CHECK: normalised
    Ok(())
}
