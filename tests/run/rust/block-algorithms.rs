//! Reductions and scans over a block: any block size and shape, operators that do
//! not commute, structs, several calls after each other and in loops.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use gpu::block;

#[derive(Clone, Copy, Plain, Default, PartialEq, Debug)]
struct Largest {
    value: f64,
    at: u32,
}

fn sums(x: &[u64], out: &mut [u64]) {
    let x = x[gpu::global_id()];
    let total = block::reduce(x, |a, b| a + b);
    out[0] = total;
    out[1] = block::inclusive_scan(x, |a, b| a + b);
    out[2] = block::exclusive_scan(x, 1000, |a, b| a + b);
    out[3] = block::reduce(x + total, |a, b| if a > b { a } else { b });
}
// Functions x -> ax + b, one after the other: associative, not commutative.
fn chain(f: [u32; 2], g: [u32; 2]) -> [u32; 2] {
    [f[0].wrapping_mul(g[0]), g[0].wrapping_mul(f[1]).wrapping_add(g[1])]
}
fn chains(x: &[[u32; 2]], out: &mut [[u32; 2]]) {
    let x = x[gpu::global_id()];
    out[0] = block::reduce(x, chain);
    out[1] = block::inclusive_scan(x, chain);
    out[2] = block::exclusive_scan(x, [1, 5], chain);
}
fn largest(x: &[f64], out: &mut Largest) {
    let at = gpu::global_id() as u32;
    let mine = Largest { value: x[at as usize], at };
    *out = block::reduce(mine, |a, b| if b.value > a.value { b } else { a });
}
fn in_loop(n: u32, out: &mut u32) {
    let mut value = gpu::thread_idx().x;
    for i in 0..n {
        let sum = block::reduce(value, u32::wrapping_add);
        value = block::exclusive_scan(value ^ i, sum, u32::wrapping_add);
    }
    *out = value;
}

fn main() -> ferry::Result<()> {
    for (grid, shape) in [(3, (1, 1, 1)), (2, (31, 1, 1)), (2, (32, 1, 1)), (1, (100, 1, 1)), (1, (8, 4, 3)), (1, (16, 64, 1)), (1, (1024, 1, 1)), (1, (7, 9, 5))] {
        let threads = shape.0 * shape.1 * shape.2;
        let n = grid * threads;
        let x: Vec<u64> = (0..n as u64).map(|i| i * i % 1009).collect();
        let mut out = vec![0; 4 * n];
        launch(sums, blocks(grid).threads(shape), (&x, chunks(&mut out, 4)))?;
        let pairs: Vec<[u32; 2]> = (0..n as u32).map(|i| [i * 7 + 1, i ^ 55]).collect();
        let mut chained = vec![[0; 2]; 3 * n];
        launch(chains, blocks(grid).threads(shape), (&pairs, chunks(&mut chained, 3)))?;
        let floats: Vec<f64> = x.iter().map(|x| *x as f64 / 7.0).collect();
        let mut most = vec![Largest::default(); n];
        launch(largest, blocks(grid).threads(shape), (&floats, each(&mut most)))?;
        for i in 0..n {
            let block = i / threads * threads..(i / threads + 1) * threads;
            let total: u64 = x[block.clone()].iter().sum();
            let most_x = x[block.clone()].iter().max().unwrap();
            let before: u64 = x[block.start..i].iter().sum();
            assert_eq!(out[4 * i..][..4], [total, before + x[i], 1000 + before, most_x + total], "{shape:?} {i}");
            let fold = |pairs: &[[u32; 2]], first| pairs.iter().fold(first, |f, g| chain(f, *g));
            assert_eq!(
                chained[3 * i..][..3],
                [fold(&pairs[block.clone()], [1, 0]), fold(&pairs[block.start..=i], [1, 0]), fold(&pairs[block.start..i], [1, 5])],
                "{shape:?} {i}"
            );
            let at = block.clone().find(|k| x[*k] == *most_x).unwrap();
            assert_eq!(most[i], Largest { value: floats[at], at: at as u32 });
        }
    }
    let mut out = vec![0; 96];
    launch(in_loop, blocks(1).threads(96), (4, each(&mut out)))?;
    let mut value: Vec<u32> = (0..96).collect();
    for i in 0..4 {
        let mut before = value.iter().copied().fold(0, u32::wrapping_add);
        for value in &mut value {
            let sum = before.wrapping_add(*value ^ i);
            *value = std::mem::replace(&mut before, sum);
        }
    }
    assert_eq!(out, value);
    Ok(())
}
