//! Gradients through data structures and the less common parts of the standard
//! library: lists, queues, cells, reference counts, moves, sorted insertion, arrays of
//! arrays with operators, dyn traits that are known, bits, panics with messages.
//
// RUN: %run-rust-everywhere --devices cpu --output %t %s
// Where all of std is visible, panics are programs of their own.
// RUN: %run-rust-everywhere --devices cpu --profiles release --cargo-flag=--config --cargo-flag='profile.release.lto="fat"' --output %t.fat --cache %t.fat %s
use ferry::prelude::*;
use std::ops::{Index, IndexMut};

struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn from(x: &[f64]) -> Self {
        let mut m = Matrix([[0.0; C]; R]);
        for (row, values) in m.0.iter_mut().zip(x.chunks(C)) {
            row.copy_from_slice(values);
        }
        m
    }
    fn transposed(&self) -> Matrix<C, R> {
        let mut m = Matrix([[0.0; R]; C]);
        for r in 0..R {
            for c in 0..C {
                m[(c, r)] = self[(r, c)];
            }
        }
        m
    }
    fn times<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        let mut m = Matrix([[0.0; K]; R]);
        for r in 0..R {
            for k in 0..K {
                m[(r, k)] = (0..C).map(|c| self[(r, c)] * other[(c, k)]).sum();
            }
        }
        m
    }
}
impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
    type Output = f64;
    fn index(&self, (r, c): (usize, usize)) -> &f64 {
        &self.0[r][c]
    }
}
impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f64 {
        &mut self.0[r][c]
    }
}
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}
trait Area {
    fn area(&self) -> f64;
}
struct Round(f64);
impl Area for Round {
    fn area(&self) -> f64 {
        3.0 * self.0 * self.0
    }
}
fn patterns_of(rest: &[f64]) -> f64 {
    let Some((last, others)) = rest.split_last() else { return 1.0 };
    others.iter().fold(*last, |a, b| a * b)
}

#[autodiff_reverse(d_matrices, Duplicated, Active)]
#[autodiff_forward(f_matrices, Dual, DualOnly)]
fn matrices(x: &[f64]) -> f64 {
    let a = Matrix::<2, 3>::from(x);
    let b = a.transposed();
    let c = a.times(&b);
    c[(0, 0)] * c[(1, 1)] - c[(0, 1)] * c[(1, 0)]
}
#[autodiff_reverse(d_moved, Duplicated, Active)]
#[autodiff_forward(f_moved, Dual, DualOnly)]
fn moved(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut b = std::mem::take(&mut a);
    a.resize(3, 0.5);
    std::mem::swap(&mut a, &mut b);
    let first = std::mem::replace(&mut a[0], 2.0);
    b[1..].copy_from_slice(&a[2..4]);
    first * a[1] + b.iter().sum::<f64>() * a[0]
}
#[autodiff_reverse(d_patterns, Duplicated, Active)]
#[autodiff_forward(f_patterns, Dual, DualOnly)]
fn patterns(x: &[f64]) -> f64 {
    match x {
        [a, b, rest @ ..] if *a > -10.0 => a * b + patterns_of(rest),
        _ => 0.0,
    }
}
#[autodiff_reverse(d_from_fn, Duplicated, Active)]
#[autodiff_forward(f_from_fn, Dual, DualOnly)]
fn from_fn(x: &[f64]) -> f64 {
    let a: [f64; 6] = std::array::from_fn(|i| x[5 - i] * x[i]);
    a.map(|v| v.sin()).iter().rev().step_by(2).fold((0.0, 1.0), |(s, p), v| (s + v * p, p * v)).0
}
#[autodiff_reverse(d_successors, Duplicated, Active)]
#[autodiff_forward(f_successors, Dual, DualOnly)]
fn successors(x: &[f64]) -> f64 {
    std::iter::successors(Some(x[2]), |v| (v.abs() > 0.01).then(|| v * 0.5 * x[0].cos()))
        .take(8)
        .sum()
}
#[autodiff_reverse(d_shared, Duplicated, Active)]
#[autodiff_forward(f_shared, Dual, DualOnly)]
fn shared(x: &[f64]) -> f64 {
    let cell = std::cell::RefCell::new(x[0]);
    let count = std::cell::Cell::new(0);
    let add = |v: f64| {
        *cell.borrow_mut() += v * v;
        count.set(count.get() + 1);
    };
    x.iter().for_each(|v| add(*v));
    let total = *cell.borrow();
    total / f64::from(count.get())
}
#[autodiff_reverse(d_counted, Duplicated, Active)]
#[autodiff_forward(f_counted, Dual, DualOnly)]
fn counted(x: &[f64]) -> f64 {
    let a = std::rc::Rc::new(x[0] * x[1]);
    let b = a.clone();
    *a * *b + std::rc::Rc::strong_count(&a) as f64 * x[2]
}
#[autodiff_reverse(d_list, Duplicated, Active)]
#[autodiff_forward(f_list, Dual, DualOnly)]
fn list(x: &[f64]) -> f64 {
    let mut head: Option<Box<Node>> = None;
    for &value in x {
        head = Some(Box::new(Node { value: value * value, next: head }));
    }
    let (mut sum, mut weight) = (0.0, 1.0);
    while let Some(mut node) = head {
        sum += node.value * weight;
        weight *= 0.5;
        head = node.next.take();
    }
    sum
}
#[autodiff_reverse(d_extreme, Duplicated, Active)]
#[autodiff_forward(f_extreme, Dual, DualOnly)]
fn extreme(x: &[f64]) -> f64 {
    let most = x.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap();
    let least = x.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    most * 3.0 - least.powi(2)
}
#[autodiff_reverse(d_mathematics, Duplicated, Active)]
#[autodiff_forward(f_mathematics, Dual, DualOnly)]
fn mathematics(x: &[f64]) -> f64 {
    x[0].mul_add(x[1], x[2]).tanh()
        + x[3].sqrt().ln_1p()
        + x[4].powf(x[3])
        + x[5].abs().cbrt()
        + x[0].atan2(x[1])
        + x[2].exp_m1()
        + x[1].sinh() * x[0].asin()
        + x[3].recip()
        + x[4].log2().to_radians()
        + x[4].rem_euclid(0.75)
        + x[2].copysign(x[1])
        + x[5].signum() * x[0]
        + (x[4] + 0.3).floor() * x[1]
        + x[3].fract()
}
#[autodiff_reverse(d_early, Duplicated, Active)]
#[autodiff_forward(f_early, Dual, DualOnly)]
fn early(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    'rows: for (i, a) in x.iter().enumerate() {
        for b in &x[i..] {
            if a * b < -1.0 {
                continue 'rows;
            }
            sum += a * b;
            if sum > 5.0 {
                break 'rows;
            }
        }
        if i == 4 {
            return sum * x[0];
        }
    }
    sum
}
#[autodiff_reverse(d_blocks, Duplicated, Active)]
#[autodiff_forward(f_blocks, Dual, DualOnly)]
fn blocks(x: &[f64]) -> f64 {
    let mut grid = vec![0.0; 12];
    for (r, row) in grid.chunks_exact_mut(4).enumerate() {
        for (cell, v) in row.iter_mut().zip(&x[r..]) {
            *cell = v * (r as f64 + 1.0);
        }
    }
    let mut next = grid.clone();
    for _ in 0..3 {
        for i in 1..11 {
            next[i] = 0.25 * (grid[i - 1] + 2.0 * grid[i] + grid[i + 1]).sin();
        }
        std::mem::swap(&mut grid, &mut next);
    }
    grid.iter().zip(&next).map(|(a, b)| a * b).sum()
}
#[autodiff_reverse(d_known_dyn, Duplicated, Active)]
#[autodiff_forward(f_known_dyn, Dual, DualOnly)]
fn known_dyn(x: &[f64]) -> f64 {
    let shape: &dyn Area = &Round(x[0]);
    shape.area() * x[1]
}
#[autodiff_reverse(d_callbacks, Duplicated, Active)]
#[autodiff_forward(f_callbacks, Dual, DualOnly)]
fn callbacks(x: &[f64]) -> f64 {
    fn twice(f: &dyn Fn(f64) -> f64, v: f64) -> f64 {
        f(f(v))
    }
    let k = x[1];
    twice(&|v| v * k + x[2], x[0])
}
#[autodiff_reverse(d_checked, Duplicated, Active)]
#[autodiff_forward(f_checked, Dual, DualOnly)]
fn checked(x: &[f64]) -> f64 {
    assert!(x.len() == 6, "{} numbers, the first {:?}", x.len(), x.first());
    let mut product = 1.0;
    for v in x {
        debug_assert!(v.is_finite(), "{v}");
        product *= v;
    }
    if product.is_nan() {
        panic!("{product} of {x:?}");
    }
    product
}
#[autodiff_reverse(d_bits, Duplicated, Active)]
#[autodiff_forward(f_bits, Dual, DualOnly)]
fn bits(x: &[f64]) -> f64 {
    let kept: Vec<u64> = x.iter().map(|v| v.to_bits()).collect();
    kept.iter().map(|&b| f64::from_bits(b)).map(|v| v * v).sum()
}
#[autodiff_reverse(d_zipped, Duplicated, Active)]
#[autodiff_forward(f_zipped, Dual, DualOnly)]
fn zipped(x: &[f64]) -> f64 {
    let (left, right): (Vec<f64>, Vec<f64>) =
        x.iter().zip(x.iter().rev()).map(|(a, b)| (a * b, a - b)).unzip();
    let flat: Vec<f64> = left.iter().flat_map(|a| right.iter().map(move |b| a * b)).collect();
    flat.iter().skip_while(|v| v.abs() < 0.1).filter(|v| **v > 0.0).sum::<f64>()
        + flat.iter().rposition(|v| *v > 0.0).map_or(0.0, |i| flat[i])
}
#[autodiff_reverse(d_deque, Duplicated, Active)]
#[autodiff_forward(f_deque, Dual, DualOnly)]
fn deque(x: &[f64]) -> f64 {
    let mut q: std::collections::VecDeque<f64> = x.iter().copied().collect();
    let mut sum = 0.0;
    while let Some(v) = q.pop_front() {
        sum += v * v;
        if v > 1.05 {
            q.push_back(v * 0.5);
        }
    }
    sum
}
#[autodiff_reverse(d_inserted, Duplicated, Active)]
#[autodiff_forward(f_inserted, Dual, DualOnly)]
fn inserted(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = Vec::with_capacity(4);
    for a in x {
        let at = v.iter().position(|b| b > a).unwrap_or(v.len());
        v.insert(at, *a);
    }
    v.remove(1);
    v.truncate(4);
    v.dedup();
    v.retain(|a| *a < 1.5);
    v.reverse();
    v.iter().enumerate().map(|(i, a)| a * (i + 1) as f64).sum()
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
    check("matrices", matrices, d_matrices, f_matrices);
    check("moved", moved, d_moved, f_moved);
    check("patterns", patterns, d_patterns, f_patterns);
    check("from_fn", from_fn, d_from_fn, f_from_fn);
    check("successors", successors, d_successors, f_successors);
    check("shared", shared, d_shared, f_shared);
    check("counted", counted, d_counted, f_counted);
    check("list", list, d_list, f_list);
    check("extreme", extreme, d_extreme, f_extreme);
    check("mathematics", mathematics, d_mathematics, f_mathematics);
    check("early", early, d_early, f_early);
    check("blocks", blocks, d_blocks, f_blocks);
    check("known_dyn", known_dyn, d_known_dyn, f_known_dyn);
    check("callbacks", callbacks, d_callbacks, f_callbacks);
    check("checked", checked, d_checked, f_checked);
    check("bits", bits, d_bits, f_bits);
    check("zipped", zipped, d_zipped, f_zipped);
    check("deque", deque, d_deque, f_deque);
    check("inserted", inserted, d_inserted, f_inserted);
}
