//! Host threads launch at once: the same kernel and others, shared inputs, ranges
//! that overlap, neighbouring parts of one allocation, errors on one of them.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use std::thread;

fn scale(x: &[i32], a: i32, y: &mut i32) {
    *y = x[gpu::global_id()] * a;
}
fn increment(y: &mut i32) {
    *y += 1;
}
fn limit(x: &[i32], limit: i32, y: &mut i32) {
    assert!(x[gpu::global_id()] < limit);
    *y = 1;
}

fn main() {
    const N: usize = 5000;
    const ROUNDS: i32 = 100;
    let x: Vec<i32> = (0..N as i32).collect();
    let x = &x[..];
    let mut ys = vec![vec![0; N]; 4];
    thread::scope(|s| {
        for (t, y) in ys.iter_mut().enumerate() {
            s.spawn(move || {
                for r in 0..ROUNDS {
                    match t {
                        0 | 1 => launch(scale, over(N), (x, t as i32 + r, each(&mut *y))).unwrap(),
                        2 => launch(scale, over(3000), (&x[2000..], r, each(&mut *y))).unwrap(),
                        _ => launch(increment, over(N), (each(&mut *y),)).unwrap(),
                    }
                }
            });
        }
    });
    for (i, v) in x.iter().enumerate() {
        assert_eq!((ys[0][i], ys[1][i], ys[3][i]), (v * (ROUNDS - 1), v * ROUNDS, ROUNDS));
        assert_eq!(ys[2][i], if i < 3000 { (v + 2000) * (ROUNDS - 1) } else { 0 });
    }

    let mut whole = vec![0; 3001];
    let (a, rest) = whole.split_at_mut(1001);
    let (b, c) = rest.split_at_mut(1000);
    thread::scope(|s| {
        s.spawn(|| (0..ROUNDS).for_each(|_| launch(increment, over(a.len()), (each(&mut *a),)).unwrap()));
        s.spawn(|| (0..ROUNDS).for_each(|_| launch(increment, over(b.len()), (each(&mut *b),)).unwrap()));
        s.spawn(|| (0..ROUNDS).for_each(|_| c.iter_mut().for_each(|v| *v += 1)));
    });
    assert_eq!(whole, [ROUNDS; 3001]);

    thread::scope(|s| {
        for t in 0..2 {
            s.spawn(move || {
                let mut y = vec![0; N];
                for _ in 0..ROUNDS {
                    let result = launch(limit, over(N), (x, if t == 0 { 17 } else { N as i32 }, each(&mut y)));
                    assert_eq!(result.is_err(), t == 0);
                }
            });
        }
    });
}
