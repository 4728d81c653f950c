//! All pairs of bodies: a block loads a tile of them into shared memory, and each
//! of its threads adds up their pull. The last tile and block are partial.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

#[derive(Clone, Copy, Plain, Default)]
struct Body {
    at: [f32; 3],
    mass: f32,
}

macro_rules! pull {
    ($name:ident, $float:ty) => {
        fn $name(sum: &mut [$float; 3], from: &Body, to: &Body) {
            let d: [$float; 3] = core::array::from_fn(|k| to.at[k] as $float - from.at[k] as $float);
            let inverse = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01).sqrt();
            for k in 0..3 {
                sum[k] += to.mass as $float * inverse * inverse * inverse * d[k];
            }
        }
    };
}
pull!(pull, f32);
pull!(exact_pull, f64);

fn gravity(bodies: &[Body], out: *mut [f32; 3]) {
    let tile = gpu::shared::<[Body; 64]>();
    let (i, t) = (gpu::global_id(), gpu::thread_idx().x as usize);
    let mine = bodies.get(i).copied().unwrap_or_default();
    let mut sum = [0.0; 3];
    let mut first = 0;
    while first < bodies.len() {
        if first + t < bodies.len() {
            tile[t].set(bodies[first + t]);
        }
        gpu::sync_threads();
        for j in 0..(bodies.len() - first).min(64) {
            pull(&mut sum, &mine, &tile[j].get());
        }
        gpu::sync_threads();
        first += 64;
    }
    if i < bodies.len() {
        // SAFETY: an element for each thread.
        unsafe { *out.add(i) = sum };
    }
}

fn main() -> ferry::Result<()> {
    let n = 413;
    let random = port::floats(4 * n, 9);
    let bodies: Vec<Body> =
        random.chunks(4).map(|r| Body { at: [r[0], r[1], r[2]], mass: 1.0 + r[3] }).collect();
    let mut out = vec![[0.0; 3]; n];
    // SAFETY: threads write different elements of out.
    unsafe { ferry::launch_unchecked(gravity, blocks(n.div_ceil(64)).threads(64), (&bodies, &mut out))? };
    for i in 0..n {
        let mut sum = [0.0; 3];
        for body in &bodies {
            exact_pull(&mut sum, &bodies[i], body);
        }
        for k in 0..3 {
            port::near(out[i][k] as f64, sum[k], 1e-3);
        }
    }
    println!("pulled"); // CHECK: pulled
    Ok(())
}
