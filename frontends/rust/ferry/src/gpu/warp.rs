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
//! Those threads of the warp take part that make the call. All of them that can
//! come to it wait for each other there, so no thread of the warp should be on
//! its way to another of these calls.
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
use crate::args::reference;
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
            let value = *reference(from.cast::<W>());
            to.cast::<W>().write(value.map(|word| marker::__ferry_warp_shuffle(word, self.0)));
        }
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
    let mut other = MaybeUninit::<T>::uninit();
    // SAFETY: all pieces are written, and any bits are a `T`.
    unsafe {
        T::pieces(&FromLane(lane), (&raw const value).cast(), (&raw mut other).cast());
        other.assume_init()
    }
}

/// The `value` of the lane that is `delta` lower; the thread's own where there is
/// none.
#[inline(always)]
pub fn shuffle_up<T: AnyBits>(value: T, delta: u32) -> T {
    let lane = lane();
    shuffle(value, if delta <= lane { lane.wrapping_sub(delta) } else { lane })
}

/// The `value` of the lane that is `delta` higher; the thread's own where that
/// would be past the warp's size. In the last warp of a block, which may have
/// fewer threads, it is unspecified when there is no such thread.
#[inline(always)]
pub fn shuffle_down<T: AnyBits>(value: T, delta: u32) -> T {
    let lane = lane();
    let stays = delta >= size().wrapping_sub(lane);
    shuffle(value, if stays { lane } else { lane.wrapping_add(delta) })
}

/// The `value` of lane `lane() ^ mask`: neighbours exchange theirs with mask 1,
/// halves of the warp with mask `size() / 2`.
#[inline(always)]
pub fn shuffle_xor<T: AnyBits>(value: T, mask: u32) -> T {
    shuffle(value, lane() ^ mask)
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

/// What [`reduce_add`], [`reduce_min`] and [`reduce_max`] take: integers and
/// floats of 32 and 64 bits.
#[diagnostic::on_unimplemented(
    message = "a warp has no sum, minimum or maximum of `{Self}`",
    note = "there are those of `i32`, `u32`, `f32`, `i64`, `u64`, `f64`, `isize` and `usize`; others can be made of `shuffle`"
)]
pub trait Number: AnyBits + sealed::Sealed {
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

/// `op` over the values of all lanes that take part, on each of them.
///
/// A full warp exchanges values in pairs, then in pairs of pairs. Where some
/// lanes are missing, the others' values are taken one after the other.
#[inline(always)]
fn reduce<T: AnyBits>(value: T, op: impl Fn(T, T) -> T) -> T {
    let size = size();
    let present = ballot(true);
    if present == u64::MAX >> 64u32.wrapping_sub(size) {
        let mut result = value;
        let mut distance = 1;
        while distance < size {
            result = op(result, shuffle_xor(result, distance));
            distance = distance.wrapping_mul(2);
        }
        return result;
    }
    let mut result = shuffle(value, present.trailing_zeros());
    let mut rest = present & present.wrapping_sub(1);
    while rest != 0 {
        result = op(result, shuffle(value, rest.trailing_zeros()));
        rest &= rest.wrapping_sub(1);
    }
    result
}

/// The sum of `value` over all lanes that take part, on each of them. Integers
/// wrap around.
///
/// Floats are added in an order that depends on nothing but the lanes that take
/// part and the warp's size.
#[inline(always)]
pub fn reduce_add<T: Number>(value: T) -> T {
    reduce(value, T::sum)
}

/// The smallest `value` of all lanes that take part, on each of them. NaNs do not
/// count unless there is nothing else, and -0.0 is smaller than 0.0.
#[inline(always)]
pub fn reduce_min<T: Number>(value: T) -> T {
    reduce(value, T::smaller)
}

/// The largest `value` of all lanes that take part, on each of them. NaNs do not
/// count unless there is nothing else, and -0.0 is smaller than 0.0.
#[inline(always)]
pub fn reduce_max<T: Number>(value: T) -> T {
    reduce(value, T::larger)
}
