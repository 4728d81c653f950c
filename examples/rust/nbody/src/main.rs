//! Two star clusters fall through each other: gravity between all pairs of
//! bodies, with the leapfrog scheme, which conserves energy.
//!
//! `physics` is ordinary Rust that knows nothing of Ferry. The kernels call it
//! for one body each; a serial run calls it in loops, and the two are compared.

use ferry::prelude::*;
use std::time::{Duration, Instant};

const BODIES: usize = 2048;
const STEPS: usize = 50;
const TIME_STEP: f64 = 1.0 / 256.0;

mod physics {
    use ferry::Plain;

    pub type Vector = [f64; 3];

    #[derive(Clone, Copy, Plain)]
    pub struct Body {
        pub position: Vector,
        pub velocity: Vector,
        pub mass: f64,
    }

    /// Keeps bodies that nearly meet from flinging each other away.
    const SOFTENING: f64 = 0.05;

    /// What one body at `from` feels of one at `to`: the way there, and one over
    /// the softened distance.
    fn reach(from: &Vector, to: &Vector) -> (Vector, f64) {
        let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        (way, 1.0 / (square + SOFTENING * SOFTENING).sqrt())
    }

    /// The acceleration that all bodies together give body `i`.
    pub fn acceleration(bodies: &[Body], i: usize) -> Vector {
        let here = bodies[i].position;
        let mut sum = [0.0; 3];
        for other in bodies {
            let (way, inverse) = reach(&here, &other.position);
            let pull = other.mass * inverse * inverse * inverse;
            for axis in 0..3 {
                sum[axis] += pull * way[axis];
            }
        }
        sum
    }

    pub fn kick(body: &mut Body, acceleration: &Vector, time: f64) {
        for axis in 0..3 {
            body.velocity[axis] += acceleration[axis] * time;
        }
    }

    pub fn drift(body: &mut Body, time: f64) {
        for axis in 0..3 {
            body.position[axis] += body.velocity[axis] * time;
        }
    }

    /// Kinetic and potential energy of all bodies.
    pub fn energy(bodies: &[Body]) -> f64 {
        let mut sum = 0.0;
        for (i, body) in bodies.iter().enumerate() {
            let v = body.velocity;
            sum += 0.5 * body.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            for other in &bodies[..i] {
                let (_, inverse) = reach(&body.position, &other.position);
                sum -= body.mass * other.mass * inverse;
            }
        }
        sum
    }
}

use physics::{Body, Vector};

// The kernels: one thread a body.

fn accelerate(bodies: &[Body], acceleration: &mut Vector) {
    *acceleration = physics::acceleration(bodies, gpu::global_id());
}

fn kick_and_drift(time: f64, accelerations: &[Vector], body: &mut Body) {
    physics::kick(body, &accelerations[gpu::global_id()], time / 2.0);
    physics::drift(body, time);
}

fn kick(time: f64, accelerations: &[Vector], body: &mut Body) {
    physics::kick(body, &accelerations[gpu::global_id()], time / 2.0);
}

/// Returns how long the steps took.
fn run_on_device(bodies: &mut [Body]) -> ferry::Result<(Duration, ferry::Stats)> {
    let all = over(bodies.len());
    let mut accelerations = vec![[0.0; 3]; bodies.len()];
    launch(accelerate, all, (&*bodies, each(&mut accelerations)))?;

    let before = ferry::stats();
    let start = Instant::now();
    for _ in 0..STEPS {
        launch(kick_and_drift, all, (TIME_STEP, &accelerations, each(bodies)))?;
        launch(accelerate, all, (&*bodies, each(&mut accelerations)))?;
        launch(kick, all, (TIME_STEP, &accelerations, each(bodies)))?;
    }
    Ok((start.elapsed(), before))
}

fn run_serially(bodies: &mut [Body]) -> Duration {
    let accelerate = |bodies: &[Body], accelerations: &mut [Vector]| {
        for (i, a) in accelerations.iter_mut().enumerate() {
            *a = physics::acceleration(bodies, i);
        }
    };
    let mut accelerations = vec![[0.0; 3]; bodies.len()];
    accelerate(bodies, &mut accelerations);

    let start = Instant::now();
    for _ in 0..STEPS {
        for (body, a) in bodies.iter_mut().zip(&accelerations) {
            physics::kick(body, a, TIME_STEP / 2.0);
            physics::drift(body, TIME_STEP);
        }
        accelerate(bodies, &mut accelerations);
        for (body, a) in bodies.iter_mut().zip(&accelerations) {
            physics::kick(body, a, TIME_STEP / 2.0);
        }
    }
    start.elapsed()
}

/// Two balls of bodies on their way to each other, the same every time.
fn two_clusters() -> Vec<Body> {
    let mut state = 22_u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let mut bodies = Vec::with_capacity(BODIES);
    while bodies.len() < BODIES {
        let place = [random(), random(), random()];
        if place[0] * place[0] + place[1] * place[1] + place[2] * place[2] > 1.0 {
            continue;
        }
        let side = if bodies.len() % 2 == 0 { 1.0 } else { -1.0 };
        bodies.push(Body {
            position: [place[0] + 1.5 * side, place[1] + 0.3 * side, place[2]],
            velocity: [-0.6 * side + 0.3 * place[1], -0.3 * place[0], 0.0],
            mass: 1.0 / BODIES as f64,
        });
    }
    bodies
}

/// The largest distance between where two runs have put the same body.
fn largest_difference(a: &[Body], b: &[Body]) -> f64 {
    let mut most = 0.0_f64;
    for (a, b) in a.iter().zip(b) {
        for axis in 0..3 {
            most = most.max((a.position[axis] - b.position[axis]).abs());
        }
    }
    most
}

fn main() -> ferry::Result<()> {
    let device = ferry::device_name(ferry::current_device()).unwrap_or_default();
    println!("nbody: {BODIES} bodies, {STEPS} steps, on {device}");

    let mut bodies = two_clusters();
    let energy_before = physics::energy(&bodies);
    let (time, before) = run_on_device(&mut bodies)?;
    let after = ferry::stats();
    let energy_after = physics::energy(&bodies);

    let mut serial = two_clusters();
    let serial_time = run_serially(&mut serial);

    println!("  {} launches", after.launches - before.launches);
    println!(
        "  copies in {} ({:.1} MB), copies back {} ({:.1} MB)",
        after.copies_to_device - before.copies_to_device,
        (after.bytes_to_device - before.bytes_to_device) as f64 / 1e6,
        after.copies_to_host - before.copies_to_host,
        (after.bytes_to_host - before.bytes_to_host) as f64 / 1e6,
    );
    println!(
        "  time {:.0} ms, serial {:.0} ms, speed-up {:.2} x",
        time.as_secs_f64() * 1e3,
        serial_time.as_secs_f64() * 1e3,
        serial_time.as_secs_f64() / time.as_secs_f64(),
    );

    let drift = ((energy_after - energy_before) / energy_before).abs();
    let difference = largest_difference(&bodies, &serial);
    println!("  energy {energy_before:.6} -> {energy_after:.6}, changed by {drift:.1e} of itself");
    println!("  positions differ from the serial run's by at most {difference:.1e}");
    // Devices with fused multiply-add round differently.
    if !(drift < 1e-4 && difference < 1e-9) {
        println!("  WRONG");
        std::process::exit(1);
    }
    println!("  verified");
    Ok(())
}
