//! Gradients through the standard library: iterators, slices, Vec, Box, Option, enums,
//! closures, structs with operators. Both modes agree with central differences.
//
// RUN: %run-rust-everywhere --devices cpu --output %t %s
use ferry::prelude::*;
use std::ops::Add;

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}
impl Point {
    fn norm(self) -> f64 {
        self.x.hypot(self.y)
    }
}
impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}
enum Shape {
    Nothing,
    Circle { r: f64 },
    Square(f64),
}

#[autodiff_reverse(d_pairs, Duplicated, Active)]
#[autodiff_forward(f_pairs, Dual, DualOnly)]
fn pairs(x: &[f64]) -> f64 {
    x.iter().zip(x.iter().skip(1)).map(|(a, b)| a * b).sum()
}
#[autodiff_reverse(d_chunks, Duplicated, Active)]
#[autodiff_forward(f_chunks, Dual, DualOnly)]
fn chunks(x: &[f64]) -> f64 {
    let products = x.chunks(2).map(|c| c.iter().product::<f64>()).sum::<f64>();
    products + x.chunks_exact(3).map(|c| c[0] * c[2]).fold(1.0, |a, b| a * b)
}
#[autodiff_reverse(d_triangle, Duplicated, Active)]
#[autodiff_forward(f_triangle, Dual, DualOnly)]
fn triangle(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        for j in 0..=i {
            sum += x[i] * x[j].sin();
        }
    }
    sum
}
#[autodiff_reverse(d_collected, Duplicated, Active)]
#[autodiff_forward(f_collected, Dual, DualOnly)]
fn collected(x: &[f64]) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v.exp()).collect();
    y.iter().rev().enumerate().map(|(i, v)| v * i as f64).sum()
}
#[autodiff_reverse(d_stack, Duplicated, Active)]
#[autodiff_forward(f_stack, Dual, DualOnly)]
fn stack(x: &[f64]) -> f64 {
    let mut y = Vec::new();
    for v in x {
        y.push(v * v);
    }
    let mut sum = 1.0;
    while let Some(v) = y.pop() {
        sum = sum * 0.5 + v.cos();
    }
    sum
}
#[autodiff_reverse(d_arrays, Duplicated, Active)]
#[autodiff_forward(f_arrays, Dual, DualOnly)]
fn arrays(x: &[f64]) -> f64 {
    let mut m = [[0.0; 3]; 2];
    for (r, row) in m.iter_mut().enumerate() {
        for (c, e) in row.iter_mut().enumerate() {
            *e = x[r * 3 + c] * x[c];
        }
    }
    m.iter().flatten().map(|e| e.powi(3)).sum::<f64>().abs().sqrt()
}
#[autodiff_reverse(d_structs, Duplicated, Active)]
#[autodiff_forward(f_structs, Dual, DualOnly)]
fn structs(x: &[f64]) -> f64 {
    let points: Vec<Point> = x.chunks_exact(2).map(|c| Point { x: c[0], y: c[1] }).collect();
    let sum = points.iter().fold(Point { x: 0.0, y: 0.0 }, |a, b| a + *b);
    sum.norm() + points.iter().map(|p| p.norm()).fold(0.0, f64::max)
}
#[autodiff_reverse(d_closures, Duplicated, Active)]
#[autodiff_forward(f_closures, Dual, DualOnly)]
fn closures(x: &[f64]) -> f64 {
    let k = x[0];
    let f = |a: f64| a * k + x[1];
    let g: Box<[f64]> = x[2..].iter().map(|a| f(f(*a))).collect();
    g.iter().sum()
}
#[autodiff_reverse(d_extrema, Duplicated, Active)]
#[autodiff_forward(f_extrema, Dual, DualOnly)]
fn extrema(x: &[f64]) -> f64 {
    let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    m + x.iter().map(|v| (v - m).exp()).sum::<f64>().ln() + x[0].min(x[1]).clamp(-0.9, 5.0)
}
#[autodiff_reverse(d_options, Duplicated, Active)]
#[autodiff_forward(f_options, Dual, DualOnly)]
fn options(x: &[f64]) -> f64 {
    let a = x.iter().find(|v| **v > 1.0).map(|v| v * 3.0).unwrap_or(0.0);
    let b: Option<f64> = x.get(100).copied();
    let product = x.iter().copied().reduce(|a, b| a * b).unwrap();
    a + b.unwrap_or(x[3]) + x.first().unwrap() * x.last().unwrap() + product
}
#[autodiff_reverse(d_rows, Duplicated, Active)]
#[autodiff_forward(f_rows, Dual, DualOnly)]
fn rows(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| x[i] * x[j + 3]).collect()).collect();
    let mut sum = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            sum += rows[i][j] * rows[j][i];
        }
    }
    sum
}
#[autodiff_reverse(d_boxes, Duplicated, Active)]
#[autodiff_forward(f_boxes, Dual, DualOnly)]
fn boxes(x: &[f64]) -> f64 {
    let (b, c) = (Box::new(x[0] * x[1]), Box::new([x[2], x[3]]));
    *b * c[0] / c[1]
}
#[autodiff_reverse(d_grown, Duplicated, Active)]
#[autodiff_forward(f_grown, Dual, DualOnly)]
fn grown(x: &[f64]) -> f64 {
    let mut v = vec![x[0]; 5];
    v[2] = x[1];
    v.extend(x.iter().map(|a| a * 2.0));
    v.extend_from_slice(x);
    v.swap(0, 2);
    v.iter().enumerate().map(|(i, a)| a * a * (i + 1) as f64).sum()
}
#[autodiff_reverse(d_sorted, Duplicated, Active)]
#[autodiff_forward(f_sorted, Dual, DualOnly)]
fn sorted(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for i in 1..v.len() {
        let mut j = i;
        while j > 0 && v[j - 1] > v[j] {
            v.swap(j - 1, j);
            j -= 1;
        }
    }
    v.iter().enumerate().map(|(i, a)| a * (i as f64)).sum()
}
#[autodiff_reverse(d_matched, Duplicated, Active)]
#[autodiff_forward(f_matched, Dual, DualOnly)]
fn matched(x: &[f64]) -> f64 {
    x.iter()
        .map(|&v| match v {
            v if v < -1.0 => Shape::Square(v),
            v if v < 1.0 => Shape::Circle { r: v },
            _ => Shape::Nothing,
        })
        .map(|shape| match shape {
            Shape::Nothing => 1.0,
            Shape::Circle { r } => 3.0 * r * r,
            Shape::Square(side) => side.powi(3),
        })
        .sum()
}
#[autodiff_reverse(d_in_place, Duplicated, Active)]
#[autodiff_forward(f_in_place, Dual, DualOnly)]
fn in_place(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for t in 0..4 {
        let (left, right) = v.split_at_mut(3);
        for (l, r) in left.iter_mut().zip(right) {
            (*l, *r) = (l.sin() + *r, *l * r.cos() + t as f64);
        }
        v.rotate_left(1);
        v.iter_mut().for_each(|a| *a *= 0.7);
    }
    v.iter().sum()
}
#[autodiff_reverse(d_scanned, Duplicated, Active)]
#[autodiff_forward(f_scanned, Dual, DualOnly)]
fn scanned(x: &[f64]) -> f64 {
    x.iter()
        .scan(1.0, |product, v| {
            *product *= v;
            Some(*product)
        })
        .take_while(|p| p.abs() < 100.0)
        .step_by(2)
        .sum()
}
#[autodiff_reverse(d_split, Duplicated, Active)]
#[autodiff_forward(f_split, Dual, DualOnly)]
fn split(x: &[f64]) -> f64 {
    let (small, large): (Vec<f64>, Vec<f64>) = x.iter().partition(|v| v.abs() < 1.0);
    small.iter().chain(&large).zip(1..).map(|(v, i)| v.powf(2.0) * i as f64).sum()
}
#[autodiff_reverse(d_fallible, Duplicated, Active)]
#[autodiff_forward(f_fallible, Dual, DualOnly)]
fn fallible(x: &[f64]) -> f64 {
    fn root(v: f64) -> Result<f64, &'static str> {
        if v < 0.0 { Err("it is negative") } else { Ok(v.sqrt()) }
    }
    x.iter().map(|&v| root(v).unwrap_or(0.25 * v)).sum()
}

fn near(name: &str, got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * (1.0 + want.abs()), "{name}: {got}, but {want}");
}

fn check(
    name: &str,
    function: fn(&[f64]) -> f64,
    reverse: fn(&[f64], &mut [f64], f64) -> f64,
    forward: fn(&[f64], &[f64]) -> f64,
) {
    let x = [0.3, -0.7, 1.1, 0.9, 2.0, -1.5];
    let mut gradient = [0.0; 6];
    for _ in 0..2 {
        assert_eq!(reverse(&x, &mut gradient, 0.5), function(&x), "{name}");
    }
    for i in 0..x.len() {
        let mut direction = [0.0; 6];
        direction[i] = 1.0;
        near(name, gradient[i], forward(&x, &direction), 1e-13);
        let moved = |by: f64| {
            let mut x = x;
            x[i] += by;
            function(&x)
        };
        near(name, gradient[i], (moved(1e-5) - moved(-1e-5)) / 2e-5, 1e-7);
    }
}

fn main() {
    check("pairs", pairs, d_pairs, f_pairs);
    check("chunks", chunks, d_chunks, f_chunks);
    check("triangle", triangle, d_triangle, f_triangle);
    check("collected", collected, d_collected, f_collected);
    check("stack", stack, d_stack, f_stack);
    check("arrays", arrays, d_arrays, f_arrays);
    check("structs", structs, d_structs, f_structs);
    check("closures", closures, d_closures, f_closures);
    check("extrema", extrema, d_extrema, f_extrema);
    check("options", options, d_options, f_options);
    check("rows", rows, d_rows, f_rows);
    check("boxes", boxes, d_boxes, f_boxes);
    check("grown", grown, d_grown, f_grown);
    check("sorted", sorted, d_sorted, f_sorted);
    check("matched", matched, d_matched, f_matched);
    check("in_place", in_place, d_in_place, f_in_place);
    check("scanned", scanned, d_scanned, f_scanned);
    check("split", split, d_split, f_split);
    check("fallible", fallible, d_fallible, f_fallible);
}
