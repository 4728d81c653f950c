//! Scans of whole arrays: any length, operators that do not commute, structs, large
//! values, floats to the same bit in every run.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;

// Functions x -> ax + b, one after the other: associative, not commutative.
fn chain(f: [u32; 2], g: [u32; 2]) -> [u32; 2] {
    [f[0].wrapping_mul(g[0]), g[0].wrapping_mul(f[1]).wrapping_add(g[1])]
}

#[derive(Clone, Copy, Plain, PartialEq, Debug)]
struct Wide([u64; 20]);

fn main() -> ferry::Result<()> {
    for n in [0, 1, 2, 7, 64, 1000, 8192, 16384, 16385, 100_003] {
        let x: Vec<u64> = (0..n as u64).map(|i| i * i % 1009).collect();
        let mut y = vec![7; n + 2];
        ferry::inclusive_scan(&x, &mut y, |a, b| a + b)?;
        let mut sum = 0;
        assert!(x.iter().zip(&y).all(|(x, y)| {
            sum += x;
            sum == *y
        }));
        assert_eq!(y[n..], [7, 7]);
        ferry::exclusive_scan(&x, &mut y, 100, |a, b| a + b)?;
        let mut sum = 100;
        assert!(x.iter().zip(&y).all(|(x, y)| {
            sum += x;
            sum - x == *y
        }));

        let f: Vec<[u32; 2]> = (0..n as u32).map(|i| [i * 7 + 1, i ^ 55]).collect();
        let mut g = vec![[0; 2]; n];
        ferry::inclusive_scan(&f, &mut g, chain)?;
        let mut all = [1, 0];
        assert!(f.iter().zip(&g).all(|(f, g)| {
            all = chain(all, *f);
            all == *g
        }));
        ferry::exclusive_scan(&f, &mut g[..], [3, 4], chain)?;
        let mut all = [3, 4];
        assert!(f.iter().zip(&g).all(|(f, g)| {
            let before = all;
            all = chain(all, *f);
            before == *g
        }));
    }

    let wide: Vec<Wide> = (0..2000).map(|i| Wide(std::array::from_fn(|k| i + k as u64))).collect();
    let mut sums = vec![Wide([0; 20]); 2000];
    ferry::inclusive_scan(&wide, &mut sums, |a, b| Wide(std::array::from_fn(|k| a.0[k] + b.0[k])))?;
    assert!((0..2000).all(|i| sums[i].0[3] == (0..=i as u64).map(|i| i + 3).sum()));

    let x: Vec<f32> = (0..300_000u64).map(|i| 1.0 / (1 + i * 7919 % 10007) as f32).collect();
    let scan = || {
        let mut y = vec![0.0; x.len()];
        ferry::inclusive_scan(&x, &mut y, |a, b| a + b).unwrap();
        y
    };
    let first = scan();
    let exact: f64 = x.iter().map(|x| *x as f64).sum();
    assert!((*first.last().unwrap() as f64 - exact).abs() < 1.0);
    for _ in 0..4 {
        assert!(scan() == first);
    }

    let error = ferry::inclusive_scan(&x, &mut [0.0; 5], |a, b| a + b).unwrap_err();
    assert_eq!(error.kind(), ferry::ErrorKind::InvalidArgument);
    assert!(error.message().contains("the output has 5 elements, and the input 300000"), "{error}");
    Ok(())
}
