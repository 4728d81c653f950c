// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What all threads of a block compute together.
//!
//! Every thread of the block must make the call, as with
//! [`sync_threads`]. Values are combined in the order of the
//! threads' numbers in the block (x fastest), so `op` must be associative, but may
//! be otherwise as it likes; for floats the grouping depends on the device's warp
//! size and on nothing else. Each call uses shared memory for 32 values and two
//! barriers.
//!
//! Inside a warp values are exchanged by shuffles. Each warp leaves its total in
//! shared memory, and then every warp combines all totals in the same way.
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

/// A block has at most 1,024 threads and a warp at least 32.
const MAX_WARPS: usize = 32;

/// Where a thread stands among the warps of its block.
#[derive(Clone, Copy)]
struct Place {
    lane: u32,
    warp: u32,
    size: u32,
    /// Threads in this warp.
    lanes: u32,
    /// Warps in the block.
    warps: u32,
}

impl Place {
    #[inline(always)]
    fn here() -> Place {
        let (at, of) = (thread_idx(), block_dim());
        let row = at.z.wrapping_mul(of.y).wrapping_add(at.y);
        let thread = row.wrapping_mul(of.x).wrapping_add(at.x);
        let threads = of.x.wrapping_mul(of.y).wrapping_mul(of.z);
        let size = warp::size();
        let shift = size.trailing_zeros();
        let lane = warp::lane();
        let rest = threads.wrapping_sub(thread.wrapping_sub(lane));
        Place {
            lane,
            warp: thread.wrapping_shr(shift),
            size,
            lanes: if rest < size { rest } else { size },
            warps: threads.wrapping_add(size).wrapping_sub(1).wrapping_shr(shift),
        }
    }
}

/// Lane 0 gets the combination of the first `lanes` lanes' values, in order.
#[inline(always)]
fn reduce_warp<T: AnyBits>(value: T, at: Place, lanes: u32, op: &impl Fn(T, T) -> T) -> T {
    let mut result = value;
    let mut distance = 1;
    while distance < at.size {
        let other = warp::shuffle(result, at.lane.wrapping_add(distance));
        if at.lane.wrapping_add(distance) < lanes {
            result = op(result, other);
        }
        distance = distance.wrapping_mul(2);
    }
    result
}

/// Each lane gets the combination of the values up to its own, in order.
#[inline(always)]
fn scan_warp<T: AnyBits>(value: T, at: Place, op: &impl Fn(T, T) -> T) -> T {
    let mut result = value;
    let mut distance = 1;
    while distance < at.size {
        let other = warp::shuffle(result, at.lane.wrapping_sub(distance));
        if at.lane >= distance {
            result = op(other, result);
        }
        distance = distance.wrapping_mul(2);
    }
    result
}

/// Makes every warp's total known to all: lane i of each warp gets that of warp i,
/// as long as there are so many. `is_total` says which lane of a warp has it.
#[inline(always)]
fn exchange_totals<T: AnyBits>(value: T, is_total: bool, at: Place) -> T {
    let totals = shared::<[Cell<T>; MAX_WARPS]>();
    if is_total {
        totals[at.warp as usize % MAX_WARPS].set(value);
    }
    sync_threads();
    let total = totals[at.lane as usize % MAX_WARPS].get();
    sync_threads();
    total
}

/// `op` over the values of all threads of the block, on each of them.
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
    let at = Place::here();
    let total = reduce_warp(value, at, at.lanes, &op);
    let total = exchange_totals(total, at.lane == 0, at);
    warp::shuffle(reduce_warp(total, at, at.warps, &op), 0)
}

/// `op` over the values of this thread and of all before it in the block.
#[inline(always)]
pub fn inclusive_scan<T: AnyBits>(value: T, op: impl Fn(T, T) -> T) -> T {
    let at = Place::here();
    let (scan, before) = scan_block(value, at, &op);
    if at.warp > 0 { op(before, scan) } else { scan }
}

/// `op` over `init` and the values of all threads before this one in the block.
#[inline(always)]
pub fn exclusive_scan<T: AnyBits>(value: T, init: T, op: impl Fn(T, T) -> T) -> T {
    let at = Place::here();
    let (scan, before) = scan_block(value, at, &op);
    let start = if at.warp > 0 { op(init, before) } else { init };
    let lower = warp::shuffle(scan, at.lane.wrapping_sub(1));
    if at.lane > 0 { op(start, lower) } else { start }
}

/// The scan inside this thread's warp, and what all warps before it add up to,
/// which is unspecified for the first.
#[inline(always)]
fn scan_block<T: AnyBits>(value: T, at: Place, op: &impl Fn(T, T) -> T) -> (T, T) {
    let scan = scan_warp(value, at, op);
    let totals = exchange_totals(scan, at.lane == at.lanes.wrapping_sub(1), at);
    let totals = scan_warp(totals, at, op);
    (scan, warp::shuffle(totals, at.warp.wrapping_sub(1)))
}
