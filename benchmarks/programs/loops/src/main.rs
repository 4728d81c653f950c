//! The benchmarks' kernels in safe Rust, every index checked. What the program
//! does as a whole stands in ../Serve.h.

use ferry::prelude::*;
use std::io::BufRead;
use std::time::Instant;

const SIDE: usize = 4096;
const COUNT: usize = SIDE * SIDE;
const SCALE: f32 = 0.5;
const TIMED: usize = 5;

fn saxpy(a: f32, x: &[f32], y: &mut f32) {
    *y += a * x[gpu::global_id()];
}

fn triad(s: f32, b: &[f32], c: &[f32], a: &mut f32) {
    let i = gpu::global_id();
    *a = b[i] + s * c[i];
}

/// One thread an element; those on the border keep their values.
fn stencil_each(width: usize, height: usize, input: &[f32], out: &mut f32) {
    let at = gpu::global_idx();
    if at.x == 0 || at.y == 0 || at.x == width - 1 || at.y == height - 1 {
        return;
    }
    let i = at.y * width + at.x;
    *out = 0.2 * (input[i] + input[i - 1] + input[i + 1] + input[i - width] + input[i + width]);
}

/// One thread a row.
fn stencil_rows(width: usize, height: usize, input: &[f32], row: &mut [f32]) {
    let y = gpu::global_id();
    if y == 0 || y == height - 1 {
        return;
    }
    for x in 1..width - 1 {
        let i = y * width + x;
        row[x] =
            0.2 * (input[i] + input[i - 1] + input[i + 1] + input[i - width] + input[i + width]);
    }
}

fn time_of(mut run: impl FnMut() -> ferry::Result<()>) -> ferry::Result<f64> {
    run()?;
    let mut times = [0.0; TIMED];
    for time in &mut times {
        let start = Instant::now();
        run()?;
        *time = start.elapsed().as_secs_f64();
    }
    times.sort_by(f64::total_cmp);
    Ok(times[TIMED / 2])
}

fn sample(v: &[f32]) -> f64 {
    v.iter().step_by(v.len() / 64 - 1).map(|&x| x as f64).sum()
}

fn run(name: &str) -> ferry::Result<(f64, f64)> {
    let mut out = vec![0.0; COUNT];
    let seconds = match name {
        "saxpy" => {
            let x = vec![2.0; COUNT];
            out.fill(1.0);
            time_of(|| launch(saxpy, over(COUNT), (SCALE, &x, each(&mut out))))?
        }
        "triad" => {
            let (b, c) = (vec![1.0; COUNT], vec![3.0; COUNT]);
            time_of(|| launch(triad, over(COUNT), (SCALE, &b, &c, each(&mut out))))?
        }
        "stencil each" | "stencil rows" => {
            let input: Vec<f32> = (0..COUNT).map(|i| (i % 17) as f32).collect();
            if name == "stencil each" {
                let all = over((SIDE, SIDE));
                time_of(|| launch(stencil_each, all, (SIDE, SIDE, &input, each(&mut out))))?
            } else {
                let all = over(SIDE);
                time_of(|| launch(stencil_rows, all, (SIDE, SIDE, &input, rows(&mut out, SIDE))))?
            }
        }
        _ => panic!("no benchmark {name}"),
    };
    Ok((seconds, sample(&out)))
}

fn main() -> ferry::Result<()> {
    for name in std::io::stdin().lock().lines().map_while(Result::ok) {
        let (seconds, result) = run(&name)?;
        println!("{seconds:e} {result}");
    }
    Ok(())
}
