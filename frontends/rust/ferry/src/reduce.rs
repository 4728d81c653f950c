// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `parallel_reduce`, as in C++ (ferry/reduce.h), and with the same results.
//!
//! It is one launch. The elements are cut into parts, each part writes its result
//! to scratch memory, and the part that finishes last combines these in order and
//! writes the one value that is copied back. The cut depends on the device's kind
//! and the number of elements alone, so the result is the same to the bit in every
//! run, whichever part is last.
//!
//! On cpu a part is a thread with consecutive elements. It keeps a cache line or
//! more of partial results, one for each element of a group, so that a whole group
//! is combined by vector instructions whatever the operator is. On a GPU a part is
//! a block of 256 threads whose elements lie interleaved.

use crate::args::{Checked, read, write};
use crate::cooperate::{FinishLine, FinishLineOwner, room, runs_on_gpu, the};
use crate::error::{Error, ErrorKind, Result};
use crate::gpu::{self, AnyBits};
use crate::kernel::{Args, Element, Part, assert_captures_nothing};
use crate::marker;
use crate::shape::{Options, Shape, blocks, over};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::panic::Location;

/// Threads of a block on a GPU.
const THREADS: usize = 256;
const MOST_BLOCKS: usize = 1024;

#[derive(Clone, Copy)]
struct Told {
    /// Elements, at least 1.
    count: u64,
    /// Elements of a part on cpu; threads of a GPU's launch.
    each: u64,
    finish: FinishLine,
}

/// Combines `get` of begin, begin + step ... below `end`, at least one. Value
/// number i goes to partial result i % N.
#[inline(always)]
fn fold<const N: usize, T: Copy>(
    begin: u64,
    end: u64,
    step: u64,
    op: &impl Fn(T, T) -> T,
    get: impl Fn(u64) -> T,
) -> T {
    let at = |i: u64, lane: usize| i.wrapping_add(step.wrapping_mul(lane as u64));
    let group = step.wrapping_mul(N as u64);
    let mut i = begin;
    if end.wrapping_sub(begin) <= group.wrapping_sub(step) {
        let mut total = get(i);
        i = i.wrapping_add(step);
        while i < end {
            total = op(total, get(i));
            i = i.wrapping_add(step);
        }
        return total;
    }
    let mut partial = [get(begin); N];
    let mut lane = 1;
    while lane < N {
        partial[lane] = get(at(begin, lane));
        lane = lane.wrapping_add(1);
    }
    i = i.wrapping_add(group);
    while i < end && end.wrapping_sub(i) > group.wrapping_sub(step) {
        let mut lane = 0;
        while lane < N {
            partial[lane] = op(partial[lane], get(at(i, lane)));
            lane = lane.wrapping_add(1);
        }
        i = i.wrapping_add(group);
    }
    while i < end {
        partial[0] = op(partial[0], get(i));
        i = i.wrapping_add(step);
    }
    let mut half = N / 2;
    while half > 0 {
        let mut lane = 0;
        while lane < half {
            partial[lane] = op(partial[lane], partial[lane.wrapping_add(half)]);
            lane = lane.wrapping_add(1);
        }
        half /= 2;
    }
    partial[0]
}

/// Partial results of one thread: what fits into four of the widest vectors.
const fn lanes(bytes: usize) -> usize {
    match bytes {
        128.. => 2,
        4.. => 256 / bytes,
        _ => 64,
    }
}

/// `fold` with as many lanes as `lanes` says, or somewhat fewer where that is no
/// power of two.
#[inline(always)]
fn fold_lanes<T: Copy>(begin: u64, end: u64, op: &impl Fn(T, T) -> T, get: impl Fn(u64) -> T) -> T {
    match const { lanes(size_of::<T>()) } {
        64.. => fold::<64, T>(begin, end, 1, op, get),
        32.. => fold::<32, T>(begin, end, 1, op, get),
        16.. => fold::<16, T>(begin, end, 1, op, get),
        8.. => fold::<8, T>(begin, end, 1, op, get),
        4.. => fold::<4, T>(begin, end, 1, op, get),
        _ => fold::<2, T>(begin, end, 1, op, get),
    }
}

struct OnCpu<T, Op, F>(PhantomData<(T, Op, F)>);
struct OnGpu<T, Op, F>(PhantomData<(T, Op, F)>);

impl<T, Op, F, P> Part<P> for OnCpu<T, Op, F>
where
    T: AnyBits,
    Op: Fn(T, T) -> T + Sync,
    F: Element<P, T>,
    P: Copy,
{
    type Told = Told;

    #[inline(always)]
    unsafe fn run(told: Told, results: *mut u8, result: *mut u8, parameters: P) {
        // On a GPU only values too large to exchange come here.
        if marker::__ferry_on_gpu() != 0 && gpu::block::can_exchange::<T>() {
            return;
        }
        // SAFETY: `parallel_reduce` holds both, and has seen to it that there is
        // room for one result a part.
        unsafe {
            let (op, f) = (the::<Op>(), the::<F>());
            let results = results.cast::<T>();
            let part = gpu::global_id();
            let begin = (part as u64).wrapping_mul(told.each);
            let left = told.count.wrapping_sub(begin);
            let end = begin.wrapping_add(if left < told.each { left } else { told.each });
            let mine = fold_lanes(begin, end, op, |i| f.value(i as usize, parameters));
            write(results.wrapping_add(part), mine);
            if told.finish.is_last() {
                let mut total = read(results);
                let mut i = 1;
                while i < told.finish.parts as usize {
                    total = op(total, read(results.wrapping_add(i)));
                    i = i.wrapping_add(1);
                }
                write(result.cast::<T>(), total);
            }
        }
    }
}

impl<T, Op, F, P> Part<P> for OnGpu<T, Op, F>
where
    T: AnyBits,
    Op: Fn(T, T) -> T + Sync,
    F: Element<P, T>,
    P: Copy,
{
    type Told = Told;

    #[inline(always)]
    unsafe fn run(told: Told, results: *mut u8, result: *mut u8, parameters: P) {
        if marker::__ferry_on_gpu() == 0 {
            return;
        }
        let at_most = |most: u32, n: u64| if n < u64::from(most) { n as u32 } else { most };
        // SAFETY: as on cpu. A thread without elements has some value, which is a
        // `T` as any other and is not looked at.
        unsafe {
            let (op, f) = (the::<Op>(), the::<F>());
            let results = results.cast::<T>();
            let none = || MaybeUninit::<T>::zeroed().assume_init();
            let (thread, threads) = gpu::block::place();
            let (part, parts) = (gpu::block_idx().x, told.finish.parts);
            let first = u64::from(part).wrapping_mul(u64::from(threads));
            let left = told.count.wrapping_sub(first);
            let mut mine = none();
            if u64::from(thread) < left {
                let begin = first.wrapping_add(u64::from(thread));
                mine = fold::<4, T>(begin, told.count, told.each, op, |i| {
                    f.value(i as usize, parameters)
                });
            }
            let total = gpu::block::reduce_first(mine, op, thread, at_most(threads, left));
            let last = gpu::shared::<u32>();
            if thread == 0 {
                write(results.wrapping_add(part as usize), total);
                last.set(told.finish.is_last() as u32);
            }
            gpu::sync_threads();
            if last.get() == 0 {
                return;
            }
            let mut mine = none();
            if thread < parts {
                mine = fold::<1, T>(thread.into(), parts.into(), threads.into(), op, |i| {
                    read(results.wrapping_add(i as usize))
                });
            }
            let count = at_most(threads, u64::from(parts));
            let total = gpu::block::reduce_first(mine, op, thread, count);
            if thread == 0 {
                write(result.cast::<T>(), total);
            }
        }
    }
}

/// Elements of a part on cpu: 64 parts, until that is more elements than the caches
/// like; then more parts, until they are too many to combine.
fn cpu_elements(count: u64, lanes: u64, bytes: u64) -> u64 {
    let most = 65536u64.div_ceil(bytes);
    let least = count.div_ceil(65536);
    let each = count.div_ceil(64).min(most).max(least);
    if each <= lanes { each } else { each.next_multiple_of(lanes) }
}

/// `op` over `init` and the values that `f` gives for the numbers below the number
/// of threads in `shape`.
///
/// `f` is a function or captureless closure of the element's number and of one
/// parameter for each argument, as those of a kernel launched with
/// [`launch`](crate::launch). `op` is associative and commutative, as far as the
/// caller cares: which values meet first depends on the device's kind and on the
/// number of elements, and on nothing else. So with floats the result is the same
/// to the bit in every run. `init` counts once, and is the result of an empty shape.
///
/// ```no_run
/// # use ferry::prelude::*;
/// let (x, y) = (vec![1.0; 1000], vec![2.0; 1000]);
/// let dot = ferry::parallel_reduce(
///     over(1000),
///     0.0,
///     |a, b| a + b,
///     |i: usize, x: &[f32], y: &[f32]| x[i] * y[i],
///     (&x, &y),
/// )?;
/// assert_eq!(dot, 2000.0);
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// The blocks of a shape `blocks(b).threads(t)` say how many elements there are;
/// which thread computes which is the library's choice, so `f` goes by its first
/// parameter and not by [`gpu::global_id`](crate::gpu::global_id), and has no
/// barriers.
///
/// It costs one launch, and one `T` is copied back.
///
/// # Errors
/// As for [`launch`](crate::launch).
#[inline(always)]
#[track_caller]
pub fn parallel_reduce<T, S, Op, F, A, P>(shape: S, init: T, op: Op, f: F, args: A) -> Result<T>
where
    T: AnyBits,
    S: Shape,
    Op: Fn(T, T) -> T + Sync,
    F: Element<P, T>,
    A: Args<P, Checked>,
    P: Copy,
{
    const {
        assert_captures_nothing::<Op>();
        assert_captures_nothing::<F>();
    }
    let place = Location::caller();
    let name = core::any::type_name::<F>();
    let raw = shape.raw();
    let count = match u64::try_from(raw.threads()) {
        Ok(0) => return Ok(init),
        Ok(count) if count < 1 << 63 => count,
        _ => {
            let what = format!("a shape of {} elements has too many to count", raw.threads());
            return Err(Error::of_launch(ErrorKind::InvalidShape, name, place, &what));
        }
    };
    if let Err((number, what)) = args.check(u128::from(count), 0) {
        return Err(Error::argument(name, place, number, &what));
    }

    let bytes = const { if size_of::<T>() == 0 { 1 } else { size_of::<T>() as u64 } };
    let on_gpu = gpu::block::can_exchange::<T>() && runs_on_gpu(raw.device);
    let (parts, each) = if on_gpu {
        // Eight elements a thread before there are more blocks.
        let parts = count.div_ceil(THREADS as u64 * 8).min(MOST_BLOCKS as u64);
        (parts, parts * THREADS as u64)
    } else {
        let each = cpu_elements(count, lanes(size_of::<T>()) as u64, bytes);
        (count.div_ceil(each), each)
    };
    let Some(mut partial) = room::<T>(parts as usize) else {
        let what = format!("the host has no memory for {parts} partial results");
        return Err(Error::of_launch(ErrorKind::OutOfMemory, name, place, &what));
    };
    let scratch = (partial.as_mut_ptr().cast(), parts * size_of::<T>() as u64);
    let mut value = MaybeUninit::<T>::uninit();
    let result = (value.as_mut_ptr().cast(), const { size_of::<T>() as u64 });
    let finish = FinishLineOwner::new(parts as u32);
    let told = Told { count, each, finish: finish.line() };
    // SAFETY: both buffers are this function's own, and as large as the kernels
    // that go with these numbers of parts and elements want them.
    let status = unsafe {
        if const { gpu::block::can_exchange::<T>() } && on_gpu {
            let blocks = blocks(parts as usize).threads(THREADS).on(raw.device);
            args.mark_part::<OnGpu<T, Op, F>, _>(name, place, &blocks, &told, scratch, result)
        } else {
            let over = over(parts as usize).on(raw.device);
            args.mark_part::<OnCpu<T, Op, F>, _>(name, place, &over, &told, scratch, result)
        }
    };
    drop(f);
    if status != marker::STATUS_OK {
        return Err(Error::last(status));
    }
    // SAFETY: the launch has written it.
    let value = unsafe { value.assume_init() };
    Ok(op(init, value))
}
