// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Where a thread stands in its launch, and what the threads of a block do
//! together. All of this is for kernels and what kernels call.
//!
//! Every index counts from 0, and `x` is the fastest dimension:
//! `global_idx = block_idx * block_dim + thread_idx` holds in each of them.
//! Under [`over`](crate::over) the block's shape is Ferry's choice.

mod atomic;
mod bits;
pub mod block;
mod float;
pub(crate) mod print;
mod shared;
pub mod warp;

pub use atomic::{AtomicF32, AtomicF64};
pub use bits::AnyBits;
#[doc(hidden)]
pub use bits::{Pieces, Word};
/// Prints from a kernel to the program's standard output, as [`std::print!`] does
/// on the host.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn check(x: &[f32]) {
///     let i = gpu::global_id();
///     if !x[i].is_finite() {
///         gpu::print!("x[{i}] = {:.3}\n", x[i]);
///     }
/// }
/// # let x = [f32::NAN];
/// launch(check, over(x.len()), (&x,))?;
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// The format is that of [`std::fmt`]: positional, named and captured arguments,
/// fill, alignment, sign, `#`, `0`, width, precision and the types `?`, `x`, `X`,
/// `o`, `b`, `e` and `E`. A mistake in it is an error when the program is built.
/// The values are numbers of up to 64 bits, `bool` and `char`, at most 24 of them.
///
/// The text of one call stays together, and there is no order among threads. On a
/// device with memory of its own it appears when the launch is over.
pub use ferry_macros::print;
/// As [`print!`](crate::gpu::print!), with a new line at the end.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn hello() {
///     gpu::println!("thread {} of block {}", gpu::thread_idx().x, gpu::block_idx().x);
/// }
/// launch(hello, blocks(2).threads(2), ())?;
/// # Ok::<(), ferry::Error>(())
/// ```
pub use ferry_macros::println;
pub use shared::{Cell, Shareable, dynamic_shared, shared};

use crate::marker;

/// Three `u32`s: a place in a block or a grid, or the size of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// The fastest dimension.
    pub x: u32,
    /// The second dimension; index 0 and size 1 in a 1-D launch.
    pub y: u32,
    /// The third dimension; index 0 and size 1 in a 1-D or 2-D launch.
    pub z: u32,
}

/// Three `usize`s: a place in the whole launch, or its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Index3 {
    /// The fastest dimension.
    pub x: usize,
    /// The second dimension; index 0 and size 1 in a 1-D launch.
    pub y: usize,
    /// The third dimension; index 0 and size 1 in a 1-D or 2-D launch.
    pub z: usize,
}

/// This thread's place in its block, in threads.
#[inline(always)]
pub fn thread_idx() -> Dim3 {
    Dim3 {
        x: marker::__ferry_thread_idx(0),
        y: marker::__ferry_thread_idx(1),
        z: marker::__ferry_thread_idx(2),
    }
}

/// This thread's block's place in the grid, in blocks.
#[inline(always)]
pub fn block_idx() -> Dim3 {
    Dim3 {
        x: marker::__ferry_block_idx(0),
        y: marker::__ferry_block_idx(1),
        z: marker::__ferry_block_idx(2),
    }
}

/// The shape of a block, in threads.
#[inline(always)]
pub fn block_dim() -> Dim3 {
    Dim3 {
        x: marker::__ferry_block_dim(0),
        y: marker::__ferry_block_dim(1),
        z: marker::__ferry_block_dim(2),
    }
}

/// The shape of the grid, in blocks.
#[inline(always)]
pub fn grid_dim() -> Dim3 {
    Dim3 {
        x: marker::__ferry_grid_dim(0),
        y: marker::__ferry_grid_dim(1),
        z: marker::__ferry_grid_dim(2),
    }
}

/// This thread's place in the whole launch, in threads.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn transpose(n: usize, a: &[f32], row: &mut [f32]) {
///     let y = gpu::global_idx().x;
///     for (x, out) in row.iter_mut().enumerate() {
///         *out = a[x * n + y];
///     }
/// }
/// # let (n, a, mut b) = (2, [0.0; 4], [0.0; 4]);
/// launch(transpose, over(n), (n, &a, rows(&mut b, n)))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn global_idx() -> Index3 {
    Index3 {
        x: marker::__ferry_global_idx(0) as usize,
        y: marker::__ferry_global_idx(1) as usize,
        z: marker::__ferry_global_idx(2) as usize,
    }
}

/// The shape of the whole launch, in threads: what [`over`](crate::over) was
/// given, or blocks times threads.
#[inline(always)]
pub fn global_dim() -> Index3 {
    Index3 {
        x: marker::__ferry_global_dim(0) as usize,
        y: marker::__ferry_global_dim(1) as usize,
        z: marker::__ferry_global_dim(2) as usize,
    }
}

/// This thread's number in the whole launch: `(z * ny + y) * nx + x`. It is the
/// element that [`each`](crate::each) gives the thread.
#[inline(always)]
pub fn global_id() -> usize {
    marker::__ferry_global_id() as usize
}

/// Waits until all threads of the block are here. What any of them wrote before,
/// to shared or global memory, is then seen by all.
///
/// Every thread of the block must come by: in a branch that some threads take and
/// others do not, they would wait for each other forever.
///
/// Only kernels that are launched with [`blocks`](crate::blocks) have barriers:
/// under [`over`](crate::over) they are refused when the program is built.
///
/// ```no_run
/// # use ferry::prelude::*;
/// // The sum of each block of 256 numbers.
/// fn sums(x: &[f32], sum: &[gpu::AtomicF32]) {
///     let partial = gpu::shared::<[f32; 256]>();
///     let t = gpu::thread_idx().x as usize;
///     partial[t].set(x[gpu::global_id()]);
///     let mut half = 128;
///     while half > 0 {
///         gpu::sync_threads();
///         if t < half {
///             partial[t].set(partial[t].get() + partial[t + half].get());
///         }
///         half /= 2;
///     }
///     if t == 0 {
///         sum[gpu::block_idx().x as usize].store(partial[0].get(), Relaxed);
///     }
/// }
/// # use std::sync::atomic::Ordering::Relaxed;
/// # let (x, sum) = ([1.0; 512], [const { gpu::AtomicF32::new(0.0) }; 2]);
/// launch(sums, blocks(2).threads(256), (&x, &sum))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn sync_threads() {
    marker::__ferry_sync_threads();
}
