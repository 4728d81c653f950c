// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The kernels of kernels.inc in Rust, as a port from CUDA has them: without
//! bounds checks, which the CUDA code doesn't have either, and with mul_add where
//! C++ compilers make one of a product and a sum, which Rust never does by itself.

use ferry::gpu::sync_threads;
use ferry::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// x[i] without a check.
fn at<T: Copy>(x: &[T], i: u32) -> T {
    unsafe { *x.get_unchecked(i as usize) }
}
fn put<T>(y: *mut T, i: u32, v: T) {
    unsafe { y.add(i as usize).write(v) }
}
fn cell<T>(cells: &[T], i: u32) -> &T {
    unsafe { cells.get_unchecked(i as usize) }
}
fn cell2<T, const A: usize, const B: usize>(cells: &[[T; A]; B], i: u32, j: u32) -> &T {
    unsafe { cells.get_unchecked(i as usize).get_unchecked(j as usize) }
}
fn place<const D: usize>() -> u32 {
    let (b, n, t) = (gpu::block_idx(), gpu::block_dim(), gpu::thread_idx());
    match D {
        0 => b.x * n.x + t.x,
        1 => b.y * n.y + t.y,
        _ => b.z * n.z + t.z,
    }
}

fn saxpy(a: f32, x: &[f32], y: *mut f32, n: u32) {
    let i = place::<0>();
    if i < n {
        put(y, i, a.mul_add(at(x, i), unsafe { *y.add(i as usize) }));
    }
}

fn triad(s: f64, b: &[f64], c: &[f64], a: *mut f64, n: u32) {
    let i = place::<0>();
    if i < n {
        put(a, i, s.mul_add(at(c, i), at(b, i)));
    }
}

fn stencil5(x: &[f32], out: *mut f32, nx: u32, ny: u32) {
    let (px, py) = (place::<0>(), place::<1>());
    if px < 1 || py < 1 || px >= nx - 1 || py >= ny - 1 {
        return;
    }
    let i = py * nx + px;
    let around = at(x, i - 1) + at(x, i + 1) + at(x, i - nx) + at(x, i + nx);
    put(out, i, 0.5f32.mul_add(at(x, i), 0.125 * around));
}

fn stencil7(x: &[f64], out: *mut f64, nx: u32, ny: u32, nz: u32) {
    let (px, py, pz) = (place::<0>(), place::<1>(), place::<2>());
    if px < 1 || py < 1 || pz < 1 || px >= nx - 1 || py >= ny - 1 || pz >= nz - 1 {
        return;
    }
    let plane = nx * ny;
    let i = (pz * ny + py) * nx + px;
    let around = at(x, i - 1)
        + at(x, i + 1)
        + at(x, i - nx)
        + at(x, i + nx)
        + at(x, i - plane)
        + at(x, i + plane);
    put(out, i, 0.4f64.mul_add(at(x, i), 0.1 * around));
}

fn matmul(a: &[f32], b: &[f32], c: *mut f32, n: u32) {
    let (x, y) = (place::<0>(), place::<1>());
    if x >= n || y >= n {
        return;
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum = at(a, y * n + k).mul_add(at(b, k * n + x), sum);
    }
    put(c, y * n + x, sum);
}

/// n is a multiple of 16.
fn matmul_tiled(a: &[f32], b: &[f32], c: *mut f32, n: u32) {
    let ta = gpu::shared::<[[f32; 16]; 16]>();
    let tb = gpu::shared::<[[f32; 16]; 16]>();
    let t = gpu::thread_idx();
    let (x, y) = (gpu::block_idx().x * 16 + t.x, gpu::block_idx().y * 16 + t.y);
    let mut sum = 0.0;
    let mut k = 0;
    while k < n {
        cell2(ta, t.y, t.x).set(at(a, y * n + k + t.x));
        cell2(tb, t.y, t.x).set(at(b, (k + t.y) * n + x));
        sync_threads();
        for i in 0..16 {
            sum = cell2(ta, t.y, i).get().mul_add(cell2(tb, i, t.x).get(), sum);
        }
        sync_threads();
        k += 16;
    }
    put(c, y * n + x, sum);
}

fn transpose(input: &[f32], out: *mut f32, nx: u32, ny: u32) {
    let tile = gpu::shared::<[[f32; 33]; 32]>();
    let (b, t) = (gpu::block_idx(), gpu::thread_idx());
    let (x, y) = (b.x * 32 + t.x, b.y * 32 + t.y);
    for j in [0, 8, 16, 24] {
        if x < nx && y + j < ny {
            cell2(tile, t.y + j, t.x).set(at(input, (y + j) * nx + x));
        }
    }
    sync_threads();
    let (x, y) = (b.y * 32 + t.x, b.x * 32 + t.y);
    for j in [0, 8, 16, 24] {
        if x < ny && y + j < nx {
            put(out, (y + j) * ny + x, cell2(tile, t.x, t.y + j).get());
        }
    }
}

fn reduce_tree(x: &[f32], out: *mut f32, n: u32) {
    let room = gpu::shared::<[f32; 1024]>();
    let (t, i) = (gpu::thread_idx().x, place::<0>());
    cell(room, t).set(if i < n { at(x, i) } else { 0.0 });
    sync_threads();
    let mut half = gpu::block_dim().x / 2;
    while half > 0 {
        if t < half {
            cell(room, t).set(cell(room, t).get() + cell(room, t + half).get());
        }
        sync_threads();
        half /= 2;
    }
    if t == 0 {
        put(out, gpu::block_idx().x, cell(room, 0).get());
    }
}

fn scan_blelloch(x: &[i32], out: *mut i32) {
    let room = gpu::shared::<[i32; 512]>();
    let (t, base) = (gpu::thread_idx().x, gpu::block_idx().x * 512);
    cell(room, 2 * t).set(at(x, base + 2 * t));
    cell(room, 2 * t + 1).set(at(x, base + 2 * t + 1));
    let (mut stride, mut d) = (1, 256);
    while d > 0 {
        sync_threads();
        if t < d {
            let (low, high) = (stride * (2 * t + 1) - 1, stride * (2 * t + 2) - 1);
            cell(room, high).set(cell(room, high).get().wrapping_add(cell(room, low).get()));
        }
        stride *= 2;
        d /= 2;
    }
    if t == 0 {
        cell(room, 511).set(0);
    }
    d = 1;
    while d < 512 {
        stride /= 2;
        sync_threads();
        if t < d {
            let (low, high) = (stride * (2 * t + 1) - 1, stride * (2 * t + 2) - 1);
            let left = cell(room, low).get();
            cell(room, low).set(cell(room, high).get());
            cell(room, high).set(cell(room, high).get().wrapping_add(left));
        }
        d *= 2;
    }
    sync_threads();
    put(out, base + 2 * t, cell(room, 2 * t).get());
    put(out, base + 2 * t + 1, cell(room, 2 * t + 1).get());
}

fn histogram(data: &[u8], bins: &[AtomicU32], n: u32) {
    let local = gpu::shared::<[AtomicU32; 256]>();
    let threads = gpu::block_dim().x;
    let mut b = gpu::thread_idx().x;
    while b < 256 {
        cell(local, b).store(0, Relaxed);
        b += threads;
    }
    sync_threads();
    let (mut i, step) = (place::<0>(), gpu::grid_dim().x * threads);
    while i < n {
        cell(local, at(data, i) as u32).fetch_add(1, Relaxed);
        i += step;
    }
    sync_threads();
    b = gpu::thread_idx().x;
    while b < 256 {
        cell(bins, b).fetch_add(cell(local, b).load(Relaxed), Relaxed);
        b += threads;
    }
}

fn bitonic(data: *mut u32, j: u32, k: u32) {
    let i = place::<0>();
    let other = i ^ j;
    if other <= i {
        return;
    }
    let (mine, theirs) = unsafe { (*data.add(i as usize), *data.add(other as usize)) };
    let up = i & k == 0;
    if (mine > theirs) == up {
        put(data, i, theirs);
        put(data, other, mine);
    }
}

fn normal(d: f32) -> f32 {
    let k = 1.0 / 0.2316419f32.mul_add(d.abs(), 1.0);
    let p = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
    let p = p.into_iter().fold(0f32, |sum, factor| sum.mul_add(k, factor));
    let p = 0.39894228 * (-0.5 * d * d).exp() * k * p;
    if d > 0.0 { 1.0 - p } else { p }
}

struct Options<'a> {
    price: &'a [f32],
    strike: &'a [f32],
    years: &'a [f32],
}

#[allow(clippy::too_many_arguments)]
fn black_scholes(
    price: &[f32],
    strike: &[f32],
    years: &[f32],
    call: *mut f32,
    sell: *mut f32,
    rate: f32,
    volatility: f32,
    n: u32,
) {
    let i = place::<0>();
    if i >= n {
        return;
    }
    let options = Options { price, strike, years };
    let (s, x, t) = (at(options.price, i), at(options.strike, i), at(options.years, i));
    let root = t.sqrt();
    let d1 = ((s / x).ln() + (rate + 0.5 * volatility * volatility) * t) / (volatility * root);
    let d2 = d1 - volatility * root;
    let (n1, n2, worth) = (normal(d1), normal(d2), x * (-rate * t).exp());
    put(call, i, s * n1 - worth * n2);
    put(sell, i, worth * (1.0 - n2) - s * (1.0 - n1));
}

/// Positions and masses as x, y, z, m; 256 threads.
fn nbody(bodies: &[f32], force: *mut f32, n: u32) {
    let tile = gpu::shared::<[[f32; 4]; 256]>();
    let t = gpu::thread_idx().x;
    let i = gpu::block_idx().x * 256 + t;
    let (x, y, z) = (at(bodies, 4 * i), at(bodies, 4 * i + 1), at(bodies, 4 * i + 2));
    let (mut ax, mut ay, mut az) = (0f32, 0f32, 0f32);
    let mut first = 0;
    while first < n {
        for c in 0..4 {
            cell2(tile, t, c).set(at(bodies, 4 * (first + t) + c));
        }
        sync_threads();
        for j in 0..256 {
            let other = cell(tile, j);
            let (dx, dy, dz) = (other[0].get() - x, other[1].get() - y, other[2].get() - z);
            let d = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, 1e-6)));
            let r = 1.0 / d.sqrt();
            let w = other[3].get() * r * r * r;
            ax = w.mul_add(dx, ax);
            ay = w.mul_add(dy, ay);
            az = w.mul_add(dz, az);
        }
        sync_threads();
        first += 256;
    }
    put(force, 3 * i, ax);
    put(force, 3 * i + 1, ay);
    put(force, 3 * i + 2, az);
}

fn csr(start: &[u32], column: &[u32], value: &[f64], x: &[f64], y: *mut f64, rows: u32) {
    let row = place::<0>();
    if row >= rows {
        return;
    }
    let mut sum = 0.0;
    for i in at(start, row)..at(start, row + 1) {
        sum = at(value, i).mul_add(at(x, at(column, i)), sum);
    }
    put(y, row, sum);
}

fn mandelbrot(steps: *mut u32, nx: u32, ny: u32, most: u32) {
    let (px, py) = (place::<0>(), place::<1>());
    if px >= nx || py >= ny {
        return;
    }
    let cx = -2.0 + 3.0 * px as f32 / nx as f32;
    let cy = -1.0 + 2.0 * py as f32 / ny as f32;
    let (mut x, mut y, mut i) = (0.0f32, 0.0f32, 0);
    while i < most && x.mul_add(x, y * y) <= 4.0 {
        (x, y) = (x.mul_add(x, (-y).mul_add(y, cx)), (2.0 * x).mul_add(y, cy));
        i += 1;
    }
    put(steps, py * nx + px, i);
}

fn philox(out: *mut u32, seed: u32, n: u32) {
    let i = place::<0>();
    if i >= n {
        return;
    }
    let (mut c, mut k) = ([i, 0, 0, 0], [seed, 0xcafef00d]);
    for _ in 0..10 {
        let (a, b) = (0xD2511F53 * c[0] as u64, 0xCD9E8D57 * c[2] as u64);
        c = [(b >> 32) as u32 ^ c[1] ^ k[0], b as u32, (a >> 32) as u32 ^ c[3] ^ k[1], a as u32];
        k = [k[0].wrapping_add(0x9E3779B9), k[1].wrapping_add(0xBB67AE85)];
    }
    for (j, v) in c.into_iter().enumerate() {
        put(out, 4 * i + j as u32, v);
    }
}

fn warp_all(mut v: f32, lane: u32, op: impl Fn(f32, f32) -> f32) -> f32 {
    for d in [16, 8, 4, 2, 1] {
        v = op(v, gpu::warp::shuffle(v, lane ^ d));
    }
    v
}

/// One warp a row.
fn softmax(x: &[f32], out: *mut f32, columns: u32) {
    let lane = gpu::thread_idx().x;
    let row = gpu::block_idx().x * gpu::block_dim().y + gpu::thread_idx().y;
    let mut most = -3e38f32;
    let mut c = lane;
    while c < columns {
        most = most.max(at(x, row * columns + c));
        c += 32;
    }
    most = warp_all(most, lane, f32::max);
    let mut sum = 0.0;
    c = lane;
    while c < columns {
        sum += (at(x, row * columns + c) - most).exp();
        c += 32;
    }
    sum = 1.0 / warp_all(sum, lane, |a, b| a + b);
    c = lane;
    while c < columns {
        put(out, row * columns + c, (at(x, row * columns + c) - most).exp() * sum);
        c += 32;
    }
}

/// Points of 8 coordinates, one array a coordinate.
fn kmeans(points: &[f32], centres: &[f32], nearest: *mut u32, n: u32, k: u32) {
    let i = place::<0>();
    if i >= n {
        return;
    }
    let (mut best, mut found) = (3e38f32, 0);
    for c in 0..k {
        let mut d = 0.0;
        for j in 0..8 {
            let delta = at(points, j * n + i) - at(centres, c * 8 + j);
            d = delta.mul_add(delta, d);
        }
        if d < best {
            (best, found) = (d, c);
        }
    }
    put(nearest, i, found);
}

/// D2Q9, pull, one array a direction.
fn lbm(f: &[f32], g: *mut f32, nx: u32, ny: u32, omega: f32) {
    let (x, y) = (place::<0>(), place::<1>());
    if x >= nx || y >= ny {
        return;
    }
    let (size, i) = (nx * ny, y * nx + x);
    let w = if x == 0 { nx - 1 } else { x - 1 };
    let e = if x == nx - 1 { 0 } else { x + 1 };
    let s = (if y == 0 { ny - 1 } else { y - 1 }) * nx;
    let n = (if y == ny - 1 { 0 } else { y + 1 }) * nx;
    let f = [
        at(f, i),
        at(f, size + y * nx + w),
        at(f, 2 * size + s + x),
        at(f, 3 * size + y * nx + e),
        at(f, 4 * size + n + x),
        at(f, 5 * size + s + w),
        at(f, 6 * size + s + e),
        at(f, 7 * size + n + e),
        at(f, 8 * size + n + w),
    ];
    let rho = f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8];
    let ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho;
    let uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho;
    let u2 = (-1.5f32).mul_add(ux.mul_add(ux, uy * uy), 1.0);
    let (a, b) = (ux + uy, uy - ux);
    let to = |j: u32, weight: f32, u: f32| {
        let old = f[j as usize];
        let wanted = (4.5 * u).mul_add(u, 3f32.mul_add(u, u2));
        put(g, j * size + i, omega.mul_add(weight.mul_add(wanted, -old), old));
    };
    put(g, i, omega.mul_add((4.0 / 9.0 * rho).mul_add(u2, -f[0]), f[0]));
    let (m, d) = (rho / 9.0, rho / 36.0);
    to(1, m, ux);
    to(2, m, uy);
    to(3, m, -ux);
    to(4, m, -uy);
    to(5, d, a);
    to(6, d, b);
    to(7, d, -a);
    to(8, d, -b);
}

const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// One block of 64 bytes a thread.
fn sha256(x: &[u32], out: *mut u32, n: u32) {
    let i = place::<0>();
    if i >= n {
        return;
    }
    let mut w: [u32; 16] = std::array::from_fn(|j| at(x, 16 * i + j as u32));
    let start = [
        0x6a09e667u32,
        0xbb67ae85,
        0x3c6ef372,
        0xa54ff53a,
        0x510e527f,
        0x9b05688c,
        0x1f83d9ab,
        0x5be0cd19,
    ];
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = start;
    for r in 0..64 {
        let mut v = w[r & 15];
        if r >= 16 {
            let (x, y) = (w[(r + 1) & 15], w[(r + 14) & 15]);
            v = v
                .wrapping_add(w[(r + 9) & 15])
                .wrapping_add(x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3))
                .wrapping_add(y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10));
            w[r & 15] = v;
        }
        let t = h
            .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
            .wrapping_add((e & f) ^ (!e & g))
            .wrapping_add(ROUNDS[r])
            .wrapping_add(v);
        let u = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22))
            .wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t), c, b, a, t.wrapping_add(u));
    }
    for (j, v) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
        put(out, 8 * i + j as u32, v.wrapping_add(start[j]));
    }
}

fn main() -> ferry::Result<()> {
    let n: u32 = std::env::args().nth(1).map_or(1 << 20, |n| n.parse().expect("a number"));
    let (nx, ny, nz) = (1024u32, n / 1024, 4u32);
    let float = || vec![1f32; 16 * n as usize];
    let double = || vec![1f64; 16 * n as usize];
    let (f1, f2, f3, mut f4, mut f5) = (float(), float(), float(), float(), float());
    let (d1, d2, mut d3) = (double(), double(), double());
    let words = || vec![0u32; 16 * n as usize];
    let (u1, u2, mut u3) = (words(), words(), words());
    let (i1, mut i2) = (vec![1i32; n as usize], vec![0i32; n as usize]);
    let bytes = vec![7u8; n as usize];
    let bins: Vec<AtomicU32> = (0..256).map(|_| AtomicU32::new(0)).collect();
    let (big, columns, rows) = (n as usize, nx as usize, ny as usize);
    let line = || blocks(big.div_ceil(256)).threads(256);
    let plane = || blocks((columns / 32, rows.div_ceil(8))).threads((32, 8));
    let tiles = || blocks((columns / 16, columns / 16)).threads((16, 16));
    use ferry::launch_unchecked as run;
    unsafe {
        run(saxpy, line(), (2.0, &f1, &mut f4, n))?;
        run(triad, line(), (2.0, &d1, &d2, &mut d3, n))?;
        run(stencil5, plane(), (&f1, &mut f4, nx, ny))?;
        let room = blocks((columns / 32, rows / 4, nz as usize / 2)).threads((32, 4, 2));
        run(stencil7, room, (&d1, &mut d3, nx, ny, nz))?;
        run(matmul, tiles(), (&f1, &f2, &mut f4, nx))?;
        run(matmul_tiled, tiles(), (&f1, &f2, &mut f4, nx))?;
        run(
            transpose,
            blocks((columns / 32, rows.div_ceil(32))).threads((32, 8)),
            (&f1, &mut f4, nx, ny),
        )?;
        run(reduce_tree, blocks(big / 1024).threads(1024), (&f1, &mut f4, n))?;
        run(scan_blelloch, blocks(big / 512).threads(256), (&i1, &mut i2))?;
        run(histogram, blocks(big / 4096).threads(256), (&bytes, &bins, n))?;
        run(bitonic, line(), (&mut u3, 1u32, 2u32))?;
        run(black_scholes, line(), (&f1, &f2, &f3, &mut f4, &mut f5, 0.02, 0.3, n))?;
        run(nbody, blocks(big / 256).threads(256), (&f1, &mut f4, n))?;
        run(csr, line(), (&u1, &u2, &d1, &d2, &mut d3, n))?;
        run(mandelbrot, plane(), (&mut u3, nx, ny, 1000u32))?;
        run(philox, line(), (&mut u3, 7u32, n))?;
        run(softmax, blocks(rows.div_ceil(8)).threads((32, 8)), (&f1, &mut f4, nx))?;
        run(kmeans, line(), (&f1, &f2, &mut u3, n, 16u32))?;
        run(lbm, plane(), (&f1, &mut f4, nx, ny, 1.2))?;
        run(sha256, line(), (&u1, &mut u3, n))?;
    }
    Ok(())
}
