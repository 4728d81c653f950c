//! Warp operations against what they mean, in whole and partial warps, in branches,
//! in loops, and after some threads have left.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use gpu::warp;

#[derive(Clone, Copy, Plain, Default, PartialEq, Debug)]
struct Mixed(u8, f64, [i16; 3], u32);

fn place(out: &mut [u32]) {
    out[0] = warp::size();
    out[1] = warp::lane();
}
fn shuffles(x: &[f32], out: &mut [f32]) {
    let t = gpu::thread_idx().x;
    let x = x[t as usize];
    out[0] = warp::shuffle(x, 3);
    out[1] = warp::shuffle(x, warp::lane() + 5);
    out[2] = warp::shuffle_up(x, 2);
    out[3] = warp::shuffle_down(x, 4);
    out[4] = warp::shuffle_xor(x, 1);
    out[5] = warp::shuffle_down(x, u32::MAX);
}
fn wide(out: &mut Mixed, large: &mut [u64]) {
    let t = gpu::thread_idx().x;
    let mine = Mixed(t as u8, t as f64 / 4.0, [t as i16, -(t as i16), 7], t << 16);
    *out = warp::shuffle_xor(mine, 31);
    large.copy_from_slice(&warp::shuffle([t as u64 * 0x1_0000_0001, !(t as u64), 1, 1 << 63], 7));
}
fn votes(out: &mut [u64]) {
    let t = gpu::thread_idx().x;
    out[0] = warp::ballot(t % 3 == 0);
    out[1] = warp::any(t == 40) as u64;
    out[2] = warp::all(t < 40) as u64;
    out[3] = 0;
    if t % 2 == 1 {
        out[3] = warp::ballot(true);
    }
}
fn reductions(x: &[f64], out: &mut [f64]) {
    let t = gpu::thread_idx().x;
    let x = x[t as usize];
    out[0] = warp::reduce_add(x);
    out[1] = warp::reduce_min(x);
    out[2] = warp::reduce_max(x);
    out[3] = warp::reduce_add(t) as f64;
    out[4] = warp::reduce_max(-(t as i64)) as f64;
    out[5] = warp::inclusive_scan_add(t as u64) as f64;
    out[6] = warp::exclusive_scan_add(x);
    out[7] = if t % 5 == 2 { warp::reduce_add(1u32) as f64 } else { -1.0 };
}
fn leave(n: u32, out: &mut u32) {
    let t = gpu::thread_idx().x;
    if t >= n {
        *out = 1000;
        return;
    }
    *out = warp::reduce_add(1u32) * 100 + warp::exclusive_scan_add(1u32);
}
fn in_loop(n: u32, out: &mut u32) {
    let t = gpu::thread_idx().x;
    let mut value = t;
    for i in 0..n {
        value = warp::shuffle(value, warp::lane() + 1) + i;
        if t == 0 {
            value += 1;
        }
    }
    *out = value;
}

fn main() -> ferry::Result<()> {
    const N: usize = 80;
    let shape = blocks(1).threads(N);
    let mut place_of = vec![0; 2 * N];
    launch(place, shape, (chunks(&mut place_of, 2),))?;
    let size = place_of[0] as usize;
    assert!(size.is_power_of_two() && (32..=64).contains(&size));
    assert!((0..N).all(|t| place_of[2 * t..][..2] == [size as u32, (t % size) as u32]));
    // The threads of a thread's warp.
    let warp_of = |t: usize| t / size * size..(t / size * size + size).min(N);

    let x: Vec<f32> = (0..N).map(|t| t as f32 + 0.5).collect();
    let mut out = vec![0.0; 6 * N];
    launch(shuffles, shape, (&x, chunks(&mut out, 6)))?;
    for (t, out) in out.chunks(6).enumerate() {
        let (warp, lane) = (warp_of(t), t % size);
        let at = |other: isize| {
            let other = warp.start as isize + other;
            if warp.contains(&(other as usize)) { x[other as usize] } else { x[t] }
        };
        assert_eq!(out[0], x[warp.start + 3]);
        let rotated = warp.start + (lane + 5) % size;
        assert!(!warp.contains(&rotated) || out[1] == x[rotated]);
        let lane = lane as isize;
        assert_eq!(out[2..], [at(lane - 2), at(lane + 4), at(lane ^ 1), x[t]], "{t}");
    }

    let mut mixed = vec![Mixed::default(); 64];
    let mut large = vec![0; 4 * 64];
    launch(wide, blocks(1).threads(64), (each(&mut mixed), chunks(&mut large, 4)))?;
    for t in 0..64 {
        let o = t as u32 ^ 31;
        assert_eq!(mixed[t], Mixed(o as u8, o as f64 / 4.0, [o as i16, -(o as i16), 7], o << 16));
        let source = (t / size * size + 7) as u64;
        assert_eq!(large[4 * t..][..4], [source * 0x1_0000_0001, !source, 1, 1 << 63]);
    }

    let mut out = vec![0; 4 * N];
    launch(votes, shape, (chunks(&mut out, 4),))?;
    for (t, out) in out.chunks(4).enumerate() {
        let warp = warp_of(t);
        let ballot = |f: &dyn Fn(usize) -> bool| {
            warp.clone().enumerate().map(|(lane, t)| (f(t) as u64) << lane).sum::<u64>()
        };
        assert_eq!(out[0], ballot(&|t| t % 3 == 0));
        assert_eq!(out[1], warp.contains(&40) as u64);
        assert_eq!(out[2], (warp.end <= 40) as u64);
        assert_eq!(out[3], if t % 2 == 1 { ballot(&|t| t % 2 == 1) } else { 0 });
    }

    let x: Vec<f64> = (0..N).map(|t| ((t * 29) % 31) as f64 - 8.0).collect();
    let mut out = vec![0.0; 8 * N];
    launch(reductions, shape, (&x, chunks(&mut out, 8)))?;
    for (t, out) in out.chunks(8).enumerate() {
        let warp = warp_of(t);
        let values = &x[warp.clone()];
        let expected = [
            values.iter().sum(),
            values.iter().copied().fold(f64::INFINITY, f64::min),
            values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            warp.clone().sum::<usize>() as f64,
            -(warp.start as f64),
            (warp.start..=t).sum::<usize>() as f64,
            x[warp.start..t].iter().sum(),
            if t % 5 == 2 { warp.clone().filter(|t| t % 5 == 2).count() as f64 } else { -1.0 },
        ];
        assert_eq!(out, expected, "{t}");
    }

    for n in [0, 1, 31, 33, 79, 80] {
        let mut out = vec![0; N];
        launch(leave, shape, (n as u32, each(&mut out)))?;
        for (t, out) in out.into_iter().enumerate() {
            let there = warp_of(t).filter(|t| *t < n).count() as u32;
            assert_eq!(out, if t < n { there * 100 + (t % size) as u32 } else { 1000 }, "{n} {t}");
        }
    }

    let mut out = vec![0; 64];
    launch(in_loop, blocks(1).threads(64), (5, each(&mut out)))?;
    let mut value: Vec<u32> = (0..64).collect();
    for i in 0..5 {
        value = (0..64).map(|t| value[t / size * size + (t + 1) % size] + i + (t == 0) as u32).collect();
    }
    assert_eq!(out, value);
    Ok(())
}
