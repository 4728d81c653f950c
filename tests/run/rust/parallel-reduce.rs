//! parallel_reduce: sums, extrema, structs, large values; exact in every run; one
//! launch, and nothing copied but the arguments and the result.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Clone, Copy, Plain, PartialEq, Debug)]
struct Extrema {
    least: f32,
    most: f32,
    at: u64,
}

fn square(i: usize, x: &[f32]) -> f64 {
    x[i] as f64 * x[i] as f64
}

fn main() -> ferry::Result<()> {
    for n in [0, 1, 2, 63, 64, 65, 1000, 4096, 100_001] {
        let x: Vec<f32> = (0..n).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
        let scale = 2.0;
        let sum = ferry::parallel_reduce(over(n), 1.0, |a, b| a + b, |i: usize, k: f64, x: &[f32]| k * x[i] as f64, (scale, &x))?;
        assert_eq!(sum, 1.0 + x.iter().map(|x| 2.0 * *x as f64).sum::<f64>());
        let squares = ferry::parallel_reduce(over(n), 0.0, |a, b| a + b, square, (&x,))?;
        assert_eq!(squares, x.iter().map(|x| *x as f64 * *x as f64).sum::<f64>());

        let none = Extrema { least: f32::MAX, most: f32::MIN, at: u64::MAX };
        let both = |a: Extrema, b: Extrema| Extrema {
            least: a.least.min(b.least),
            most: a.most.max(b.most),
            at: if a.most > b.most || (a.most == b.most && a.at < b.at) { a.at } else { b.at },
        };
        let one = |i: usize, x: &[f32]| Extrema { least: x[i], most: x[i], at: i as u64 };
        let found = ferry::parallel_reduce(over(n), none, both, one, (&x,))?;
        assert_eq!(found, (0..n).fold(none, |a, i| both(a, one(i, &x))));

        // Values that do not go through a warp's exchanges.
        let histogram = ferry::parallel_reduce(
            over(n),
            [0u64; 20],
            |mut a, b| {
                for (a, b) in a.iter_mut().zip(b) {
                    *a += b;
                }
                a
            },
            |i: usize| {
                let mut a = [0; 20];
                a[i * i % 20] = 1;
                a
            },
            (),
        )?;
        for (k, count) in histogram.into_iter().enumerate() {
            assert_eq!(count, (0..n).filter(|i| i * i % 20 == k).count() as u64);
        }
    }

    // The shape only says how many.
    let sum = |shape| ferry::parallel_reduce(shape, 0u64, |a, b| a + b, |i: usize| i as u64, ());
    assert_eq!(sum(blocks((3, 2)).threads((10, 5)))?, 299 * 300 / 2);
    assert_eq!(ferry::parallel_reduce(over((7, 8, 9)), 0u64, |a, b| a + b, |i: usize| i as u64, ())?, 503 * 504 / 2);

    // The same to the bit in every run, also from several host threads.
    let x: Vec<f32> = (0..1_000_003u64).map(|i| 1.0 / (1 + i * 7919 % 10007) as f32).collect();
    let sum = || ferry::parallel_reduce(over(x.len()), 0.0, |a, b| a + b, |i: usize, x: &[f32]| x[i], (&x,)).unwrap();
    let first = sum();
    assert!((first as f64 - x.iter().map(|x| *x as f64).sum::<f64>()).abs() < 1.0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5).for_each(|_| assert_eq!(sum(), first)));
        }
    });

    // Atomics are arguments as ever.
    let calls = AtomicU32::new(0);
    let count = |i: usize, calls: &AtomicU32| {
        calls.fetch_add(1, Relaxed);
        i as u32
    };
    let most = ferry::parallel_reduce(over(500), 0, |a: u32, b| a.max(b), count, (&calls,))?;
    assert_eq!((most, calls.into_inner()), (499, 500));

    let before = ferry::stats();
    sum();
    let after = ferry::stats();
    assert_eq!(after.launches - before.launches, 1);
    let copied = (after.bytes_to_device - before.bytes_to_device, after.bytes_to_host - before.bytes_to_host);
    // The bounds check may report, by 64 bytes.
    assert!([(0, 0), (4 * x.len() as u64, 4), (4 * x.len() as u64, 68)].contains(&copied), "{copied:?}");

    // A panic in the function is the launch's.
    let short = [1.0; 10];
    let error = ferry::parallel_reduce(over(11), 0.0, |a, b| a + b, square, (&short,)).unwrap_err();
    assert_eq!(error.kind(), ferry::ErrorKind::Panic);
    assert!(error.message().contains("index 10 out of bounds (len 10)"), "{error}");
    let error = ferry::parallel_reduce(over((1 << 40, 1 << 40)), 0.0, |a, b| a + b, |_: usize| 1.0, ()).unwrap_err();
    assert_eq!(error.kind(), ferry::ErrorKind::InvalidShape);
    assert!(error.message().contains("has too many to count"), "{error}");
    Ok(())
}
