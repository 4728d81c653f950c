// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What all threads of a block compute together.
//!
//! Every thread of the block must make the call, as with
//! [`sync_threads`]. Values are combined in the order of the
//! threads' numbers in the block (x fastest) and always with the same grouping, so
//! `op` must be associative and need not be commutative, and with floats the result
//! is the same to the bit in every run on a device with warps of that size.
//!
//! Each warp combines its values by five or six shuffles for every four bytes, and
//! leaves its result in shared memory, 32 values for the block, of which every
//! thread then combines what it needs. A call has two barriers, so that calls may
//! follow each other.
//!
//! ```no_run
//! # use ferry::prelude::*;
//! // Where each block's numbers begin when they are packed one after the other.
//! fn offsets(counts: &[u32], offset: &mut u32) {
//!     let count = counts[gpu::global_id()];
//!     *offset = gpu::block::exclusive_scan(count, 0, |a, b| a + b);
//! }
//! # let (counts, mut offset) = ([1; 64], [0; 64]);
//! launch(offsets, blocks(1).threads(64), (&counts, each(&mut offset)))?;
//! assert_eq!(offset[63], 63);
//! # Ok::<(), ferry::Error>(())
//! ```

use super::bits::AnyBits;
use super::shared::{Cell, shared};
use super::{block_dim, sync_threads, thread_idx, warp};

/// Larger values would be hundreds of exchanges.
const LARGEST: usize = 128;

pub(crate) const fn can_exchange<T>() -> bool {
    size_of::<T>() <= LARGEST
}

/// A block has at most 1,024 threads and a warp at least 32.
const MAX_WARPS: usize = 32;

/// This thread's number in its block, and how many there are.
#[inline(always)]
pub(crate) fn place() -> (u32, u32) {
    let (at, of) = (thread_idx(), block_dim());
    let row = at.z.wrapping_mul(of.y).wrapping_add(at.y);
    (row.wrapping_mul(of.x).wrapping_add(at.x), of.x.wrapping_mul(of.y).wrapping_mul(of.z))
}

/// The lanes of this thread's warp whose threads are among the first `count` of
/// the block.
#[inline(always)]
fn lanes_among(thread: u32, count: u32) -> u64 {
    let first = thread.wrapping_sub(warp::lane());
    let left = if count > first { count.wrapping_sub(first) } else { 0 };
    if left >= 64 { u64::MAX } else { 1u64.wrapping_shl(left).wrapping_sub(1) }
}

#[inline(always)]
fn results<T: AnyBits>() -> &'static [Cell<T>; MAX_WARPS] {
    shared::<[Cell<T>; MAX_WARPS]>()
}

/// Fails to compile for a `T` that is too large.
#[inline(always)]
fn check_size<T>() {
    const {
        assert!(
            can_exchange::<T>(),
            "the functions of `gpu::block` exchange values of up to 128 bytes: exchange indices"
        );
    }
}

#[inline(always)]
fn shift() -> u32 {
    warp::size().trailing_zeros()
}

/// `op` over the values of the first `count` threads, at least one, on each thread
/// of the block; no other values are looked at.
#[inline(always)]
pub(crate) fn reduce_first<T: AnyBits>(
    value: T,
    op: &impl Fn(T, T) -> T,
    thread: u32,
    count: u32,
) -> T {
    let results = results::<T>();
    let mine = warp::reduce(value, op, lanes_among(thread, count));
    if warp::lane() == 0 {
        results[thread.wrapping_shr(shift()) as usize % MAX_WARPS].set(mine);
    }
    sync_threads();
    let warps = count.wrapping_add(warp::size()).wrapping_sub(1).wrapping_shr(shift());
    let total = combine(results, warps, op);
    sync_threads();
    total
}

/// The first `count` results, at least one.
#[inline(always)]
fn combine<T: AnyBits>(results: &[Cell<T>; MAX_WARPS], count: u32, op: &impl Fn(T, T) -> T) -> T {
    let mut total = results[0].get();
    let mut i = 1;
    while i < count {
        total = op(total, results[i as usize % MAX_WARPS].get());
        i = i.wrapping_add(1);
    }
    total
}

/// For each of the first `count` threads, at least one: `op` over the values of all
/// threads before it, which is unspecified for the first, and over these and its
/// own. No other values are looked at.
#[inline(always)]
pub(crate) fn scan_first<T: AnyBits>(
    value: T,
    op: &impl Fn(T, T) -> T,
    thread: u32,
    count: u32,
) -> (T, T) {
    let (lane, warp) = (warp::lane(), thread.wrapping_shr(shift()));
    let results = results::<T>();
    let mut through = warp::scan(value, op, lanes_among(thread, count));
    let mut before = warp::exchange(through, if lane > 0 { lane.wrapping_sub(1) } else { 0 });
    if lane == warp::size().wrapping_sub(1) {
        results[warp as usize % MAX_WARPS].set(through);
    }
    sync_threads();
    if warp > 0 {
        let earlier = combine(results, warp, op);
        before = if lane > 0 { op(earlier, before) } else { earlier };
        through = op(earlier, through);
    }
    sync_threads();
    (before, through)
}

/// `op` over the values of all threads of the block, on each of them. `T` may have
/// up to 128 bytes.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn normalise(x: &mut f32) {
///     *x /= gpu::block::reduce(*x, |a, b| a + b);
/// }
/// # let mut v = [1.0; 64];
/// launch(normalise, blocks(1).threads(64), (each(&mut v),))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn reduce<T: AnyBits>(value: T, op: impl Fn(T, T) -> T) -> T {
    check_size::<T>();
    let (thread, threads) = place();
    reduce_first(value, &op, thread, threads)
}

/// `op` over the values of this thread and of all before it in the block. `T` may
/// have up to 128 bytes.
#[inline(always)]
pub fn inclusive_scan<T: AnyBits>(value: T, op: impl Fn(T, T) -> T) -> T {
    check_size::<T>();
    let (thread, threads) = place();
    scan_first(value, &op, thread, threads).1
}

/// `op` over `init` and the values of all threads before this one in the block;
/// `init` for the first. `T` may have up to 128 bytes.
#[inline(always)]
pub fn exclusive_scan<T: AnyBits>(value: T, init: T, op: impl Fn(T, T) -> T) -> T {
    check_size::<T>();
    let (thread, threads) = place();
    let before = scan_first(value, &op, thread, threads).0;
    if thread > 0 { op(init, before) } else { init }
}
