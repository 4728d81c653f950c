//! The Mandelbrot set: neighbours take between one step and all of them.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;

fn steps(cr: f64, ci: f64, limit: u16) -> u16 {
    let (mut re, mut im) = (0.0, 0.0);
    let mut n = 0;
    while n < limit && re * re + im * im <= 4.0 {
        (re, im) = (re * re - im * im + cr, 2.0 * re * im + ci);
        n += 1;
    }
    n
}

fn pixel(x: usize, y: usize) -> (f64, f64) {
    (x as f64 * 3.0 / 128.0 - 2.25, y as f64 * 3.0 / 128.0 - 1.5)
}

fn mandelbrot(out: &mut u16, limit: u16) {
    let at = gpu::global_idx();
    let (cr, ci) = pixel(at.x, at.y);
    *out = steps(cr, ci, limit);
}

fn main() -> ferry::Result<()> {
    let (width, height, limit) = (131, 128, 500);
    let mut out = vec![0; width * height];
    launch(mandelbrot, over((width, height)), (each(&mut out), limit))?;
    for y in 0..height {
        for x in 0..width {
            let (cr, ci) = pixel(x, y);
            assert_eq!(out[y * width + x], steps(cr, ci, limit));
        }
    }
    println!("{} inside", out.iter().filter(|&&n| n == limit).count()); // CHECK: {{[0-9]+}} inside
    Ok(())
}
