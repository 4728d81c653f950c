//! The smallest Ferry program: y = a x + y on whatever device there is.
//!
//! `cargo ferry run --release`, and `FERRY_DEVICE=virtual` to see data move.

use ferry::prelude::*;

fn saxpy(a: f32, x: &[f32], y: &mut f32) {
    *y += a * x[gpu::global_id()];
}

fn main() -> ferry::Result<()> {
    let n = 1 << 20;
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let mut y = vec![1.0; n];

    launch(saxpy, over(n), (2.0, &x, each(&mut y)))?;

    for (i, &y) in y.iter().enumerate() {
        assert_eq!(y, 1.0 + 2.0 * i as f32);
    }
    let device = ferry::device_name(ferry::current_device()).unwrap_or_default();
    println!("saxpy of {n} elements on {device}: verified");
    Ok(())
}
