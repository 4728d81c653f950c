//! Programs: a Gaussian mixture, an LSTM cell over a sequence, bodies under gravity,
//! Brusselator by Runge-Kutta, Newton's method on Kepler's equation, a Fourier
//! transform, a network that learns. Gradients are compared with differences.
//
// RUN: %run-rust-everywhere --devices cpu --output %t %s
use ferry::autodiff::Shadow;
use ferry::prelude::*;
use std::ops::{Add, Mul, Sub};

/// Numbers that are the same on every run.
fn numbers(count: usize, low: f64, high: f64) -> Vec<f64> {
    let mut state = 88172645463325252u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as f64 / u64::MAX as f64
    };
    (0..count).map(|_| low + (high - low) * next()).collect()
}

fn near(name: &str, got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * (1.0 + want.abs()), "{name}: {got}, but {want}");
}

type Reverse = fn(&[f64], &mut [f64], f64) -> f64;
type Forward = fn(&[f64], &[f64]) -> f64;
fn check(name: &str, function: fn(&[f64]) -> f64, reverse: Reverse, forward: Forward, x: &[f64]) {
    let mut gradient = vec![0.0; x.len()];
    near(name, reverse(x, &mut gradient, 1.0), function(x), 1e-13);
    for i in 0..x.len() {
        let mut direction = vec![0.0; x.len()];
        direction[i] = 1.0;
        near(name, gradient[i], forward(x, &direction), 1e-10);
        let moved = |by: f64| {
            let mut x = x.to_vec();
            x[i] += by;
            function(&x)
        };
        near(name, gradient[i], (moved(1e-5) - moved(-1e-5)) / 2e-5, 2e-6);
    }
}

#[autodiff_reverse(d_log_sum_exp, Duplicated, Active)]
fn log_sum_exp(x: &[f64]) -> f64 {
    let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + x.iter().map(|v| (v - most).exp()).sum::<f64>().ln()
}

const DIMENSION: usize = 2;
const CLUSTERS: usize = 3;

#[autodiff_reverse(d_mixture, Duplicated, Active)]
#[autodiff_forward(f_mixture, Dual, DualOnly)]
fn mixture(parameters: &[f64]) -> f64 {
    let points = numbers(DIMENSION * 6, -1.0, 1.0);
    let (weights, rest) = parameters.split_at(CLUSTERS);
    let (means, scales) = rest.split_at(CLUSTERS * DIMENSION);
    let mut total = 0.0;
    for point in points.chunks_exact(DIMENSION) {
        let terms: Vec<f64> = weights
            .iter()
            .zip(means.chunks_exact(DIMENSION).zip(scales.chunks_exact(DIMENSION)))
            .map(|(weight, (mean, scale))| {
                let distance: f64 = point
                    .iter()
                    .zip(mean)
                    .zip(scale)
                    .map(|((p, m), s)| ((p - m) * s.exp()).powi(2))
                    .sum();
                weight + scale.iter().sum::<f64>() - 0.5 * distance
            })
            .collect();
        total += log_sum_exp(&terms);
    }
    total - 6.0 * log_sum_exp(weights)
}

struct Cell<'a> {
    weights: &'a [f64],
    hidden: Vec<f64>,
    memory: Vec<f64>,
}

impl Cell<'_> {
    fn step(&mut self, input: &[f64]) {
        let n = self.hidden.len();
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        for i in 0..n {
            let gate = |k: usize, x: f64| x * self.weights[2 * k * n + i] + self.weights[(2 * k + 1) * n + i];
            let forget = sigmoid(gate(0, input[i]));
            let enter = sigmoid(gate(1, self.hidden[i]));
            let leave = sigmoid(gate(2, input[i]));
            let change = gate(3, self.hidden[i]).tanh();
            self.memory[i] = self.memory[i] * forget + enter * change;
            self.hidden[i] = leave * self.memory[i].tanh();
        }
    }
}

#[autodiff_reverse(d_lstm, Duplicated, Active)]
#[autodiff_forward(f_lstm, Dual, DualOnly)]
fn lstm(parameters: &[f64]) -> f64 {
    let n = 2;
    let (weights, state) = parameters.split_at(8 * n);
    let mut cell = Cell { weights, hidden: state[..n].to_vec(), memory: state[n..].to_vec() };
    let mut loss = 0.0;
    for pair in numbers(5 * n, 0.0, 1.0).chunks(n).collect::<Vec<_>>().windows(2) {
        cell.step(pair[0]);
        loss += cell.hidden.iter().zip(pair[1]).map(|(h, y)| (h - y).powi(2)).sum::<f64>();
    }
    loss
}

#[derive(Clone, Copy)]
struct V2(f64, f64);
impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2(self.0 + o.0, self.1 + o.1)
    }
}
impl Sub for V2 {
    type Output = V2;
    fn sub(self, o: V2) -> V2 {
        V2(self.0 - o.0, self.1 - o.1)
    }
}
impl Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2(self.0 * k, self.1 * k)
    }
}

#[derive(Clone)]
struct Body {
    place: V2,
    speed: V2,
    mass: f64,
}

fn forces(bodies: &[Body]) -> Vec<V2> {
    bodies
        .iter()
        .enumerate()
        .map(|(i, a)| {
            let mut sum = V2(0.0, 0.0);
            for (j, b) in bodies.iter().enumerate() {
                if i != j {
                    let d = b.place - a.place;
                    let r2 = d.0 * d.0 + d.1 * d.1 + 0.01;
                    sum = sum + d * (a.mass * b.mass / (r2 * r2.sqrt()));
                }
            }
            sum
        })
        .collect()
}

#[autodiff_reverse(d_trajectory, Duplicated, Active)]
#[autodiff_forward(f_trajectory, Dual, DualOnly)]
fn trajectory(x: &[f64]) -> f64 {
    let mut bodies: Vec<Body> = x
        .chunks_exact(5)
        .map(|c| Body { place: V2(c[0], c[1]), speed: V2(c[2], c[3]), mass: c[4] })
        .collect();
    for _ in 0..50 {
        let pulls = forces(&bodies);
        for (body, force) in bodies.iter_mut().zip(pulls) {
            body.speed = body.speed + force * (0.01 / body.mass);
            body.place = body.place + body.speed * 0.01;
        }
    }
    bodies[0].place.0.powi(2) + bodies[0].place.1
}

#[autodiff_reverse(d_brusselator, Duplicated, Active)]
#[autodiff_forward(f_brusselator, Dual, DualOnly)]
fn brusselator(x: &[f64]) -> f64 {
    let (parameters, start) = x.split_at(2);
    let n = start.len() / 2;
    let change = |s: &[f64]| -> Vec<f64> {
        let at = |base: usize, i: usize, edge: f64| if i == 0 || i > n { edge } else { s[base + i - 1] };
        let mut d = vec![0.0; s.len()];
        for i in 1..=n {
            let (u, v) = (s[i - 1], s[n + i - 1]);
            d[i - 1] = parameters[0] + u * u * v - (parameters[1] + 1.0) * u
                + 0.3 * (at(0, i - 1, 1.0) - 2.0 * u + at(0, i + 1, 1.0));
            d[n + i - 1] = parameters[1] * u - u * u * v
                + 0.3 * (at(n, i - 1, 3.0) - 2.0 * v + at(n, i + 1, 3.0));
        }
        d
    };
    let moved = |s: &[f64], by: f64, d: &[f64]| -> Vec<f64> {
        s.iter().zip(d).map(|(s, d)| s + by * d).collect()
    };
    let mut s = start.to_vec();
    for _ in 0..10 {
        let k1 = change(&s);
        let k2 = change(&moved(&s, 0.025, &k1));
        let k3 = change(&moved(&s, 0.025, &k2));
        let k4 = change(&moved(&s, 0.05, &k3));
        for i in 0..s.len() {
            s[i] += 0.05 / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    s.iter().map(|v| v * v).sum()
}

#[autodiff_forward(f_kepler, Dual, Const, Dual)]
#[autodiff_reverse(d_kepler, Active, Active, Active)]
fn kepler(mean: f64, eccentricity: f64) -> f64 {
    let mut e = mean;
    loop {
        let change = (e - eccentricity * e.sin() - mean) / (1.0 - eccentricity * e.cos());
        e -= change;
        if change.abs() < 1e-14 {
            return e;
        }
    }
}

#[autodiff_reverse(d_spectrum, Duplicated, Active)]
#[autodiff_forward(f_spectrum, Dual, DualOnly)]
fn spectrum(x: &[f64]) -> f64 {
    let n = x.len();
    let mut values: Vec<(f64, f64)> = vec![(0.0, 0.0); n];
    for (i, &v) in x.iter().enumerate() {
        values[i.reverse_bits() >> (usize::BITS - n.trailing_zeros())] = (v, 0.0);
    }
    let mut length = 2;
    while length <= n {
        for block in values.chunks_exact_mut(length) {
            let (left, right) = block.split_at_mut(length / 2);
            for (i, (a, b)) in left.iter_mut().zip(right).enumerate() {
                let (s, c) = (-2.0 * std::f64::consts::PI * i as f64 / length as f64).sin_cos();
                let turned = (b.0 * c - b.1 * s, b.0 * s + b.1 * c);
                (*a, *b) = ((a.0 + turned.0, a.1 + turned.1), (a.0 - turned.0, a.1 - turned.1));
            }
        }
        length *= 2;
    }
    values.iter().enumerate().map(|(i, v)| i as f64 * (v.0 * v.0 + v.1 * v.1)).sum()
}

#[derive(Shadow, Clone)]
struct Network {
    inner: Vec<[f64; 3]>,
    outer: Vec<f64>,
}

impl Network {
    fn score(&self, x: [f64; 2]) -> f64 {
        let hidden = self.inner.iter().map(|w| (w[0] * x[0] + w[1] * x[1] + w[2]).tanh());
        hidden.zip(&self.outer).map(|(h, w)| h * w).sum::<f64>() + self.outer[self.inner.len()]
    }

    #[autodiff_reverse(d_loss, Duplicated, Const, Active)]
    fn loss(&self, data: &[([f64; 2], bool)]) -> f64 {
        let of = |&(x, inside): &([f64; 2], bool)| {
            let margin = if inside { self.score(x) } else { -self.score(x) };
            (-margin).max(0.0) + (-margin.abs()).exp().ln_1p()
        };
        data.iter().map(of).sum::<f64>() / data.len() as f64
    }
}

fn learn() {
    let random = numbers(400 + 48, -1.0, 1.0);
    let data: Vec<([f64; 2], bool)> = random[..400]
        .chunks_exact(2)
        .map(|c| [2.0 * c[0], 2.0 * c[1]])
        .map(|x| (x, x[0].hypot(x[1]) < 1.2))
        .collect();
    let mut network = Network {
        inner: random[400..436].chunks_exact(3).map(|c| [2.0 * c[0], 2.0 * c[1], c[2]]).collect(),
        outer: random[436..].iter().copied().chain([0.0]).collect(),
    };
    let zero = Network { inner: vec![[0.0; 3]; 12], outer: vec![0.0; 13] };
    let mut speed = zero.clone();
    for _ in 0..400 {
        let mut slope = zero.clone();
        network.d_loss(&mut slope, &data, 1.0);
        let all = network.inner.iter_mut().flatten().chain(&mut network.outer);
        let speeds = speed.inner.iter_mut().flatten().chain(&mut speed.outer);
        for ((x, v), d) in all.zip(speeds).zip(slope.inner.iter().flatten().chain(&slope.outer)) {
            *v = 0.9 * *v - 0.2 * d;
            *x += *v;
        }
    }
    let right = data.iter().filter(|(x, inside)| (network.score(*x) > 0.0) == *inside).count();
    assert!(right > 190, "{right} of 200");
}

fn main() {
    let mut tie = [0.0; 2];
    d_log_sum_exp(&[1.5, 1.5], &mut tie, 1.0);
    assert_eq!(tie, [0.5, 0.5]);
    check("mixture", mixture, d_mixture, f_mixture, &numbers(3 + 12, -0.5, 0.5));
    check("lstm", lstm, d_lstm, f_lstm, &numbers(16 + 4, -1.0, 1.0));
    let bodies = [0.97, -0.24, 0.47, 0.43, 1.1, -0.97, 0.24, 0.47, 0.43, 0.9, 0.1, 0.05, -0.9, -0.8, 1.0];
    check("trajectory", trajectory, d_trajectory, f_trajectory, &bodies);
    let mut start = numbers(2 + 8, 0.5, 1.5);
    (start[0], start[1]) = (1.0, 3.0);
    check("Brusselator", brusselator, d_brusselator, f_brusselator, &start);
    check("spectrum", spectrum, d_spectrum, f_spectrum, &numbers(16, -1.0, 1.0));
    let (e, slope) = f_kepler(1.0, 1.0, 0.3);
    near("Kepler", slope, 1.0 / (1.0 - 0.3 * e.cos()), 1e-13);
    let (e, dm, de) = d_kepler(1.0, 0.3, 1.0);
    near("Kepler", dm, 1.0 / (1.0 - 0.3 * e.cos()), 1e-13);
    near("Kepler", de, e.sin() / (1.0 - 0.3 * e.cos()), 1e-13);
    learn();
}
