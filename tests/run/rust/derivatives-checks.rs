//! A shadow that is not as large as what it belongs to: a panic that names both
//! lengths, at the call, and before anything is written.
//
// RUN: %run-rust-everywhere --devices cpu --output %t %s
use ferry::autodiff::Shadow;
use ferry::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

#[autodiff_reverse(d_sum, Duplicated, Active)]
#[autodiff_reverse(d_sum_2, 2, Duplicated, Active)]
#[autodiff_forward(f_sum, Dual, Dual)]
#[autodiff_forward(f_sum_3, 3, Dualv, Dual)]
fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Layer<T, const N: usize> {
    weights: Vec<Vec<T>>,
    bias: Option<[T; N]>,
}

#[autodiff_reverse(d_norm, Duplicated, Active)]
fn norm(layer: &Layer<f64, 2>) -> f64 {
    let bias: f64 = layer.bias.map_or(1.0, |bias| bias[0] * bias[1]);
    layer.weights.iter().flatten().map(|weight| weight * weight).sum::<f64>() * bias
}

#[autodiff_forward(f_push, Dual, Const, Dual)]
fn push(x: &mut Vec<f64>, n: usize) -> f64 {
    for i in 0..n {
        let next = x[i] * x[i];
        x.push(next);
    }
    x[n]
}

#[autodiff_reverse(d_element, Duplicated, Const, Active)]
fn element(x: &[f64], i: usize) -> f64 {
    let copy: Vec<f64> = x.iter().map(|x| x * x).collect();
    copy[i]
}

static SAID: Mutex<(String, u32)> = Mutex::new((String::new(), 0));

fn expect(text: &str, line: u32, f: impl FnOnce()) {
    assert!(catch_unwind(AssertUnwindSafe(f)).is_err(), "no panic: {text}");
    let said = SAID.lock().unwrap().clone();
    assert_eq!(said, (text.to_string(), line));
}

fn main() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or_default().to_string();
        *SAID.lock().unwrap() = (text, info.location().unwrap().line());
    }));
    let x = [1.0; 4];
    let mut dx = vec![0.0; 3];
    expect("the shadow of `x` has length 3, but `x` has length 4", line!(), || { d_sum(&x, &mut dx, 1.0); });
    assert_eq!(dx, [0.0; 3]);
    let mut good = [0.0; 4];
    expect("the shadow of `x` has length 3, but `x` has length 4", line!(), || { d_sum_2(&x, &mut good, &mut dx, [1.0; 2]); });
    expect("the shadow of `x` has length 3, but `x` has length 4", line!(), || { f_sum(&x, &dx); });
    expect("the shadow of `x` has length 8, but `x` has length 4, and 3 tangents are wanted", line!(), || { f_sum_3(&x, &[1.0; 8]); });

    let layer = Layer { weights: vec![vec![1.0, 2.0], vec![3.0]], bias: Some([2.0, 1.0]) };
    let mut shadow = Layer { weights: vec![vec![0.0; 2], vec![0.0]], bias: Some([0.0; 2]) };
    assert_eq!(d_norm(&layer, &mut shadow, 1.0), 28.0);
    assert_eq!(shadow, Layer { weights: vec![vec![4.0, 8.0], vec![12.0]], bias: Some([14.0, 28.0]) });
    shadow.weights[1].push(0.0);
    expect("the shadow of `layer` has length 2, but `layer` has length 1", line!(), || { d_norm(&layer, &mut shadow, 1.0); });
    shadow.weights[1].pop();
    shadow.bias = None;
    expect("the shadow of `layer` is None where `layer` is Some", line!(), || { d_norm(&layer, &mut shadow, 1.0); });

    // The tangent of a vector grows with it.
    let (mut x, mut dx) = (vec![2.0, 3.0], vec![1.0, 0.0]);
    assert_eq!(f_push(&mut x, &mut dx, 2), (4.0, 4.0));
    assert_eq!((&x[..], &dx[..]), (&[2.0, 3.0, 4.0, 9.0][..], &[1.0, 0.0, 4.0, 0.0][..]));
    assert_eq!(dx.capacity(), x.capacity());

    // A panic of the function itself.
    let line = line!() - 42;
    expect("index out of bounds: the len is 2 but the index is 7", line, || {
        d_element(&[1.0; 2], &mut [0.0; 2], 7, 1.0);
    });
}
