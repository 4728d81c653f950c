// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What the threads of a warp do together, without shared memory or barriers.
//!
//! A warp is [`size`] threads of a block that follow each other, x fastest; the
//! last warp of a block may have fewer. A thread's [`lane`] is its place in it.
//! The size is a power of two: 32 on the cpu and virtual devices and on NVIDIA
//! GPUs, 32 or 64 on AMD GPUs.
//!
//! Threads of a warp that make one of these calls together take part in it. Others,
//! which have returned or went another way, are not waited for; `ballot(true)` says
//! who is there. Results do not depend on anything else.
//!
//! ```no_run
//! # use ferry::prelude::*;
//! use gpu::warp;
//!
//! // Whether each number is the largest of its warp.
//! fn peaks(x: &[f32], peak: &mut u8) {
//!     let x = x[gpu::global_id()];
//!     *peak = (x == warp::reduce_max(x)) as u8;
//! }
//! # let (x, mut peak) = ([0.0; 64], [0; 64]);
//! launch(peaks, blocks(1).threads(64), (&x, each(&mut peak)))?;
//! # Ok::<(), ferry::Error>(())
//! ```
//!
//! Only kernels that are launched with [`blocks`](crate::blocks) have warps.

use super::bits::{AnyBits, Pieces, Word};
use crate::args::{read, write};
use crate::marker;
use core::mem::MaybeUninit;

/// Threads in a full warp.
#[inline(always)]
#[must_use]
pub fn size() -> u32 {
    marker::__ferry_warp_size()
}

/// This thread's place in its warp, from 0.
#[inline(always)]
#[must_use]
pub fn lane() -> u32 {
    marker::__ferry_warp_lane()
}

struct FromLane(u32);

impl Pieces for FromLane {
    #[inline(always)]
    unsafe fn piece<W: Word>(&self, from: *const u8, to: *mut u8) {
        // SAFETY: `shuffle` passes two values of its own.
        unsafe {
            let value = read(from.cast::<W>());
            let shuffled = value.map(|word| marker::__ferry_warp_shuffle(word, self.0));
            write(to.cast::<W>(), shuffled);
        }
    }
}

/// Any size: the public functions say what is sensible.
#[inline(always)]
pub(super) fn exchange<T: AnyBits>(value: T, lane: u32) -> T {
    let mut other = MaybeUninit::<T>::uninit();
    // SAFETY: all pieces are written, and any bits are a `T`.
    unsafe {
        T::pieces(&FromLane(lane), (&raw const value).cast(), (&raw mut other).cast());
        other.assume_init()
    }
}

/// The `value` of lane `lane % size()`. It is unspecified when that lane takes no
/// part.
///
/// `T` may have up to 32 bytes; each four of them cost one exchange.
#[inline(always)]
pub fn shuffle<T: AnyBits>(value: T, lane: u32) -> T {
    const {
        assert!(
            size_of::<T>() <= 32,
            "a shuffle moves up to 32 bytes: larger values go through shared memory"
        );
    }
    exchange(value, lane)
}

/// As `shuffle`, where `lane` takes part; else the thread's own value.
#[inline(always)]
fn shuffle_from<T: AnyBits>(value: T, lane: u32, can_be: bool) -> T {
    let present = present(); // asked by all, whatever `can_be` is
    let takes_part = can_be && present >> (lane & 63) & 1 != 0;
    shuffle(value, if takes_part { lane } else { self::lane() })
}

/// The `value` of the lane that is `delta` lower; the thread's own where there is
/// none or it takes no part.
#[inline(always)]
pub fn shuffle_up<T: AnyBits>(value: T, delta: u32) -> T {
    let lane = lane();
    shuffle_from(value, lane.wrapping_sub(delta), delta <= lane)
}

/// The `value` of the lane that is `delta` higher; the thread's own where there is
/// none or it takes no part.
#[inline(always)]
pub fn shuffle_down<T: AnyBits>(value: T, delta: u32) -> T {
    let lane = lane();
    shuffle_from(value, lane.wrapping_add(delta), delta < 64u32.wrapping_sub(lane))
}

/// The `value` of lane `lane() ^ mask`; the thread's own where that takes no part.
/// Neighbours exchange theirs with mask 1, halves of the warp with mask
/// `size() / 2`.
#[inline(always)]
pub fn shuffle_xor<T: AnyBits>(value: T, mask: u32) -> T {
    let other = lane() ^ mask;
    shuffle_from(value, other, other < 64)
}

/// The lanes that take part.
#[inline(always)]
pub(super) fn present() -> u64 {
    marker::__ferry_warp_ballot(1)
}

/// The lanes that take part and whose `predicate` is true: bit i for lane i.
#[inline(always)]
pub fn ballot(predicate: bool) -> u64 {
    marker::__ferry_warp_ballot(predicate as u32)
}

/// Whether `predicate` is true on any thread that takes part.
#[inline(always)]
pub fn any(predicate: bool) -> bool {
    ballot(predicate) != 0
}

/// Whether `predicate` is true on all threads that take part.
#[inline(always)]
pub fn all(predicate: bool) -> bool {
    ballot(!predicate) == 0
}

mod sealed {
    pub trait Sealed {}
}

/// What [`reduce_add`], [`reduce_min`], [`reduce_max`] and the scans take: integers
/// and floats of 32 and 64 bits.
#[diagnostic::on_unimplemented(
    message = "a warp has no sum, minimum or maximum of `{Self}`",
    note = "there are those of `i32`, `u32`, `f32`, `i64`, `u64`, `f64`, `isize` and `usize`; others can be made of `shuffle`"
)]
pub trait Number: AnyBits + sealed::Sealed {
    #[doc(hidden)]
    const ZERO: Self;
    #[doc(hidden)]
    fn sum(self, other: Self) -> Self;
    #[doc(hidden)]
    fn smaller(self, other: Self) -> Self;
    #[doc(hidden)]
    fn larger(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($T:ty)*) => { $(
        impl sealed::Sealed for $T {}
        impl Number for $T {
            const ZERO: $T = 0;
            #[inline(always)]
            fn sum(self, other: $T) -> $T {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn smaller(self, other: $T) -> $T {
                if other < self { other } else { self }
            }
            #[inline(always)]
            fn larger(self, other: $T) -> $T {
                if other > self { other } else { self }
            }
        }
    )* };
}

integers! { i32 u32 i64 u64 isize usize }

macro_rules! floats {
    ($($T:ident)*) => { $(
        impl sealed::Sealed for $T {}
        impl Number for $T {
            const ZERO: $T = 0.0;
            #[inline(always)]
            fn sum(self, other: $T) -> $T {
                self + other
            }
            #[inline(always)]
            fn smaller(self, other: $T) -> $T {
                super::float::$T::smaller(self, other)
            }
            #[inline(always)]
            fn larger(self, other: $T) -> $T {
                super::float::$T::larger(self, other)
            }
        }
    )* };
}

floats! { f32 f64 }

// Reductions and scans halve the warp: each thread has the result of its part of
// `width` lanes, and learns that of the neighbouring part from the first (for a
// scan, the last) thread there that takes part. A part where nobody takes part has
// no result to add. Values are always combined in the order of lanes, and with the
// same grouping as in C++.

/// The lanes of `mask` that lie in base .. base + width, as seen from `base`.
#[inline(always)]
fn lanes_from(mask: u64, base: u32, width: u32) -> u64 {
    mask.wrapping_shr(base) & 1u64.wrapping_shl(width).wrapping_sub(1)
}

#[inline(always)]
fn reduce_step<T: AnyBits>(value: T, op: &impl Fn(T, T) -> T, mask: u64, width: u32) -> T {
    if width >= size() {
        return value;
    }
    let lane = lane();
    let other = (lane & !width.wrapping_sub(1)) ^ width;
    let there = lanes_from(mask, other, width);
    let has = there != 0;
    let from = if has { other.wrapping_add(there.trailing_zeros()) } else { lane };
    let theirs = exchange(value, from);
    match (has, lane & width != 0) {
        (false, _) => value,
        (true, true) => op(theirs, value),
        (true, false) => op(value, theirs),
    }
}

#[inline(always)]
fn scan_step<T: AnyBits>(value: T, op: &impl Fn(T, T) -> T, mask: u64, width: u32) -> T {
    if width >= size() {
        return value;
    }
    let lane = lane();
    let before = (lane & !width.wrapping_sub(1)) ^ width;
    let there = if lane & width != 0 { lanes_from(mask, before, width) } else { 0 };
    let has = there != 0;
    let from = if has { before.wrapping_add(highest(there)) } else { lane };
    let theirs = exchange(value, from);
    if has { op(theirs, value) } else { value }
}

#[inline(always)]
fn highest(mask: u64) -> u32 {
    63u32.wrapping_sub(mask.leading_zeros())
}

/// `op` over the values of the lanes in `mask`, on each of these. Others get their
/// own value.
#[inline(always)]
pub(super) fn reduce<T: AnyBits>(value: T, op: &impl Fn(T, T) -> T, mask: u64) -> T {
    let mask = if mask.wrapping_shr(lane()) & 1 != 0 { mask } else { 0 };
    let value = reduce_step(value, op, mask, 1);
    let value = reduce_step(value, op, mask, 2);
    let value = reduce_step(value, op, mask, 4);
    let value = reduce_step(value, op, mask, 8);
    let value = reduce_step(value, op, mask, 16);
    reduce_step(value, op, mask, 32)
}

/// `op` over the values of the lanes in `mask` up to this one.
#[inline(always)]
pub(super) fn scan<T: AnyBits>(value: T, op: &impl Fn(T, T) -> T, mask: u64) -> T {
    let value = scan_step(value, op, mask, 1);
    let value = scan_step(value, op, mask, 2);
    let value = scan_step(value, op, mask, 4);
    let value = scan_step(value, op, mask, 8);
    let value = scan_step(value, op, mask, 16);
    scan_step(value, op, mask, 32)
}

/// The sum of `value` over all lanes that take part, on each of them. Integers
/// wrap around.
///
/// Floats are added in an order that depends on nothing but the lanes that take
/// part and the warp's size.
#[inline(always)]
pub fn reduce_add<T: Number>(value: T) -> T {
    reduce(value, &T::sum, present())
}

/// The smallest `value` of all lanes that take part, on each of them. NaNs do not
/// count unless there is nothing else, and -0.0 is smaller than 0.0.
#[inline(always)]
pub fn reduce_min<T: Number>(value: T) -> T {
    reduce(value, &T::smaller, present())
}

/// The largest `value` of all lanes that take part, on each of them. NaNs do not
/// count unless there is nothing else, and -0.0 is smaller than 0.0.
#[inline(always)]
pub fn reduce_max<T: Number>(value: T) -> T {
    reduce(value, &T::larger, present())
}

/// The sum of `value` over this lane and those before it that take part. Integers
/// wrap around.
#[inline(always)]
pub fn inclusive_scan_add<T: Number>(value: T) -> T {
    scan(value, &T::sum, present())
}

/// The sum of `value` over the lanes before this one that take part; 0 on the
/// first. Integers wrap around.
#[inline(always)]
pub fn exclusive_scan_add<T: Number>(value: T) -> T {
    let mask = present();
    let sum = scan(value, &T::sum, mask);
    let before = mask & 1u64.wrapping_shl(lane()).wrapping_sub(1);
    let has = before != 0;
    let previous = shuffle(sum, if has { highest(before) } else { lane() });
    if has { previous } else { T::ZERO }
}
