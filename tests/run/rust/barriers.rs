//! Barriers where rustc's and LLVM's passes would like to copy or move them: each
//! shape of control flow ends as it is written. Values live across barriers.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;

const N: usize = 64;

fn guards(y: &mut u32) {
    let (s, t) = (gpu::shared::<[u32; N]>(), gpu::thread_idx().x as usize);
    if t == 5 {
        s[0].set(100);
    }
    gpu::sync_threads();
    *y = s[0].get() + t as u32;
    gpu::sync_threads();
    if t == 6 {
        s[0].set(1000);
    }
    gpu::sync_threads();
    if t == 6 {
        *y += 1;
    }
    *y += s[0].get();
}

fn option(y: &mut u32) {
    let (s, t) = (gpu::shared::<[u32; N]>(), gpu::thread_idx().x as usize);
    let mine = if t % 3 == 0 { Some(t) } else { None };
    s[t].set(t as u32 * 2);
    gpu::sync_threads();
    *y = match mine {
        Some(t) => s[N - 1 - t].get(),
        None => 1,
    };
}

fn loops(n: u32, y: &mut u32) {
    let (s, t) = (gpu::shared::<[u32; N]>(), gpu::thread_idx().x as usize);
    let mut sum = 0;
    for i in 0..n {
        if t == i as usize % N {
            s[0].set(i * 10);
        }
        gpu::sync_threads();
        if t as u32 > i {
            sum += s[0].get();
        }
        gpu::sync_threads();
    }
    *y = sum;
}

fn unswitch(n: u32, flag: u32, y: &mut u32) {
    let (s, t) = (gpu::shared::<[u32; N]>(), gpu::thread_idx().x as usize);
    let odd = t as u32 % 2 == flag;
    s[t].set(t as u32);
    let mut i = 0;
    while i < n {
        gpu::sync_threads();
        let value = s[(t + 1) % N].get();
        gpu::sync_threads();
        if odd {
            s[t].set(value + 1);
        } else {
            s[t].set(value + 2);
        }
        i += 1;
    }
    *y = s[t].get();
}

fn tree(x: &[u32], y: &mut u32) {
    let (s, t) = (gpu::shared::<[u32; N]>(), gpu::thread_idx().x as usize);
    s[t].set(x[t]);
    let mut half = N / 2;
    while half > 0 {
        gpu::sync_threads();
        if t < half {
            s[t].set(s[t].get() + s[t + half].get());
        }
        half /= 2;
    }
    gpu::sync_threads();
    *y = s[0].get();
}

// How often the loop turns is in shared memory.
fn data_dependent(y: &mut u32) {
    let (s, t) = (gpu::shared::<[u32; 2]>(), gpu::thread_idx().x as usize);
    if t == 0 {
        s[0].set(7);
        s[1].set(0);
    }
    gpu::sync_threads();
    let mut turns = 0;
    while s[0].get() > 0 {
        gpu::sync_threads();
        if t == turns as usize {
            s[0].set(s[0].get() - 1);
            s[1].set(s[1].get() + t as u32);
        }
        turns += 1;
        gpu::sync_threads();
    }
    *y = turns * 100 + s[1].get();
}

#[inline(never)]
fn hand_on(s: &[gpu::Cell<u32>; N], t: usize, value: u32) -> u32 {
    s[t].set(value);
    gpu::sync_threads();
    let value = s[(t + 1) % N].get();
    gpu::sync_threads();
    value
}

fn called(y: &mut u32) {
    let (s, t) = (gpu::shared::<[u32; N]>(), gpu::thread_idx().x as usize);
    let mut value = t as u32;
    if t == 3 {
        value += 1000;
    }
    value = hand_on(s, t, value);
    if t == 3 {
        value += 5;
    }
    let twice = |value| hand_on(s, t, hand_on(s, t, value));
    *y = twice(value);
}

// Whole blocks leave early.
fn leave(n: u32, y: &mut u32) {
    let block = gpu::block_idx().x;
    if block >= n {
        *y = 9;
        return;
    }
    let (s, t) = (gpu::shared::<[u32; N]>(), gpu::thread_idx().x as usize);
    s[t].set(block);
    gpu::sync_threads();
    *y = s[(t + 7) % N].get();
}

// Arrays and floats live across barriers, and bounds are checked on the way.
fn live(x: &[f64], index: &[usize], y: &mut f64) {
    let s = gpu::shared::<[f64; N]>();
    let t = gpu::thread_idx().x as usize;
    let mut mine = [0.0; 4];
    for (k, value) in mine.iter_mut().enumerate() {
        *value = x[t * 4 + k];
    }
    s[index[t]].set(mine[t % 4]);
    gpu::sync_threads();
    mine[1] += s[index[N - 1 - t]].get();
    gpu::sync_threads();
    s[t].set(mine[1] * mine[index[t] % 4]);
    gpu::sync_threads();
    *y = mine.iter().sum::<f64>() + s[index[t]].get();
}

fn main() -> ferry::Result<()> {
    let one = blocks(1).threads(N);
    let mut y = vec![0; N];
    launch(guards, one, (each(&mut y),))?;
    assert!((0..N).all(|t| y[t] == 1100 + t as u32 + (t == 6) as u32), "{y:?}");
    launch(option, one, (each(&mut y),))?;
    assert!((0..N).all(|t| y[t] as usize == if t % 3 == 0 { (N - 1 - t) * 2 } else { 1 }), "{y:?}");
    for n in [0, 1, 5, 70] {
        launch(loops, one, (n, each(&mut y)))?;
        assert!((0..N as u32).all(|t| y[t as usize] == (0..n.min(t)).map(|i| i * 10).sum()), "{y:?}");
    }
    for n in [0, 1, 4, 9] {
        launch(unswitch, one, (n, 1, each(&mut y)))?;
        let mut s: Vec<u32> = (0..N as u32).collect();
        for _ in 0..n {
            s = (0..N).map(|t| s[(t + 1) % N] + if t % 2 == 1 { 1 } else { 2 }).collect();
        }
        assert_eq!(y, s);
    }
    let x: Vec<u32> = (0..N as u32).map(|i| i * i).collect();
    launch(tree, one, (&x, each(&mut y)))?;
    assert!(y.iter().all(|y| *y == x.iter().sum()));
    launch(data_dependent, one, (each(&mut y),))?;
    assert!(y.iter().all(|y| *y == 700 + 21));
    launch(called, one, (each(&mut y),))?;
    let mut s: Vec<u32> = (0..N as u32).map(|t| t + if t == 3 { 1000 } else { 0 }).collect();
    s.rotate_left(1);
    s[3] += 5;
    s.rotate_left(2);
    assert_eq!(y, s);
    let mut y = vec![0; 5 * N];
    launch(leave, blocks(5).threads(N), (3, each(&mut y)))?;
    assert!((0..5 * N).all(|i| y[i] as usize == if i / N < 3 { i / N } else { 9 }));

    let x: Vec<f64> = (0..4 * N).map(|i| i as f64 / 8.0).collect();
    let index: Vec<usize> = (0..N).map(|t| t * 5 % N).collect();
    let mut y = vec![0.0; N];
    launch(live, one, (&x, &index, each(&mut y)))?;
    let mut mine: Vec<[f64; 4]> = x.chunks(4).map(|x| x.try_into().unwrap()).collect();
    let mut s = [0.0; N];
    for t in 0..N {
        s[index[t]] = mine[t][t % 4];
    }
    for t in 0..N {
        mine[t][1] += s[index[N - 1 - t]];
    }
    for t in 0..N {
        s[t] = mine[t][1] * mine[t][index[t] % 4];
    }
    assert!((0..N).all(|t| y[t] == mine[t].iter().sum::<f64>() + s[index[t]]));

    let broken: Vec<usize> = (0..N).map(|t| if t == 17 { N } else { t }).collect();
    let error = launch(live, one, (&x, &broken, each(&mut y))).unwrap_err();
    assert_eq!(error.kind(), ferry::ErrorKind::Panic);
    assert!(error.message().contains("index 64 out of bounds (len 64), block 0, thread "), "{error}");
    launch(live, one, (&x, &index, each(&mut y)))
}
