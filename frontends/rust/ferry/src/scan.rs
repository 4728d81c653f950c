// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Running totals over a whole array, as in C++ (ferry/scan.h).
//!
//! A scan is one launch that reads its input once and writes its output once. The
//! elements are cut into parts small enough for a cache. Who runs takes the next
//! part, combines its elements, waits until the total of all parts before is there,
//! announces the total that includes its own, and then writes the part's results.
//! Parts are taken in order, so whoever is waited for is running already, and no
//! device can come to a standstill. Totals are always formed in the same order: the
//! result is the same to the bit in every run, and the operator need not be
//! commutative.
//!
//! On cpu a part is a thread, which runs along eight places of its part at once so
//! that additions need not wait for each other. On a GPU a part is a block, each
//! thread has a few consecutive elements, and a block-wide scan connects them.

use crate::args::{Checked, read, write};
use crate::cooperate::{room, runs_on_gpu, the};
use crate::error::{Error, ErrorKind, Result};
use crate::gpu::{self, AnyBits};
use crate::kernel::{Args, Part, assert_captures_nothing};
use crate::marker;
use crate::parts::Elements;
use crate::shape::blocks;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::panic::Location;
use core::sync::atomic::{AtomicU32, Ordering};

/// Threads of a block on a GPU, and elements of each.
const THREADS: usize = 256;
const ITEMS: usize = 16;
/// Places of a part that one thread runs along on cpu.
const STREAMS: usize = 8;

#[derive(Clone, Copy)]
struct Told<T> {
    /// What comes before the first element, if anything.
    init: T,
    has_init: bool,
    /// Elements, at least 1.
    count: usize,
    /// Elements of a part.
    each: usize,
}

/// One part of a scan.
struct Scan<'a, T, Op> {
    told: Told<T>,
    op: &'a Op,
    totals: *mut T,
    /// Parts taken, then whether a part's total is there.
    words: *const AtomicU32,
    input: *const T,
    output: *mut T,
    inclusive: bool,
}

impl<T: AnyBits, Op: Fn(T, T) -> T> Scan<'_, T, Op> {
    /// # Safety
    /// There is such a word: as many as parts, and one.
    #[inline(always)]
    unsafe fn word(&self, index: usize) -> &AtomicU32 {
        // SAFETY: the caller's promise.
        unsafe { crate::args::reference(self.words.wrapping_add(index)) }
    }

    #[inline(always)]
    unsafe fn take_part(&self) -> usize {
        // SAFETY: there is one word at least.
        unsafe { self.word(0) }.fetch_add(1, Ordering::Relaxed) as usize
    }

    /// Announces this part's total; returns what is before the part. Without
    /// anything, `sum`.
    ///
    /// # Safety
    /// `part` is this thread's.
    #[inline(always)]
    unsafe fn connect(&self, part: usize, sum: T) -> T {
        // SAFETY: every part has a word and a total, and the total before is
        // written before it is announced.
        unsafe {
            let mut before = sum;
            let mut total = sum;
            if part > 0 {
                while self.word(part).load(Ordering::Acquire) == 0 {}
                before = read(self.totals.wrapping_add(part).wrapping_sub(1));
                total = (self.op)(before, sum);
            } else if self.told.has_init {
                before = self.told.init;
                total = (self.op)(before, sum);
            }
            write(self.totals.wrapping_add(part), total);
            self.word(part.wrapping_add(1)).store(1, Ordering::Release);
            before
        }
    }

    /// # Safety
    /// There are elements `begin` to `begin + count`, at least one.
    #[inline(always)]
    unsafe fn fold_row(&self, begin: usize, count: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe {
            let mut sum = read(self.input.wrapping_add(begin));
            let mut i = 1;
            while i < count {
                sum = (self.op)(sum, read(self.input.wrapping_add(begin).wrapping_add(i)));
                i = i.wrapping_add(1);
            }
            sum
        }
    }

    /// One element: `sofar` is the total of what came before.
    ///
    /// # Safety
    /// There is an element `at`, and it is this thread's.
    #[inline(always)]
    unsafe fn step(&self, sofar: T, at: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe {
            let next = (self.op)(sofar, read(self.input.wrapping_add(at)));
            write(self.output.wrapping_add(at), if self.inclusive { next } else { sofar });
            next
        }
    }

    /// Scans consecutive elements. Without anything before them the first element
    /// is where an inclusive scan begins.
    ///
    /// # Safety
    /// There are elements `begin` to `begin + count`, at least one, and they are
    /// this thread's.
    #[inline(always)]
    unsafe fn scan_row(&self, before: Option<T>, begin: usize, count: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut i = 0;
            let mut sofar = match before {
                Some(before) => before,
                None => {
                    i = 1;
                    let first = read(self.input.wrapping_add(begin));
                    write(self.output.wrapping_add(begin), first);
                    first
                }
            };
            while i < count {
                sofar = self.step(sofar, begin.wrapping_add(i));
                i = i.wrapping_add(1);
            }
        }
    }

    /// # Safety
    /// The caller is a thread of a launch of `parts` blocks of one thread.
    #[inline(always)]
    unsafe fn run_on_cpu(&self) {
        // SAFETY: each part is taken once, and all its elements are there.
        unsafe {
            let part = self.take_part();
            let begin = part.wrapping_mul(self.told.each);
            let left = self.told.count.wrapping_sub(begin);
            let has_before = part > 0 || self.told.has_init;
            if !has_before || left < self.told.each {
                let count = if left < self.told.each { left } else { self.told.each };
                let before = self.connect(part, self.fold_row(begin, count));
                return self.scan_row(has_before.then_some(before), begin, count);
            }
            // The part is as long as the others, a multiple of the streams.
            let length = self.told.each / STREAMS;
            let at =
                |s: usize, i: usize| begin.wrapping_add(s.wrapping_mul(length)).wrapping_add(i);
            let mut sum = [self.told.init; STREAMS];
            each_stream(|s| sum[s] = read(self.input.wrapping_add(at(s, 0))));
            let mut i = 1;
            while i < length {
                each_stream(|s| {
                    sum[s] = (self.op)(sum[s], read(self.input.wrapping_add(at(s, i))));
                });
                i = i.wrapping_add(1);
            }
            let mut all = sum[0];
            each_stream(|s| {
                if s > 0 {
                    all = (self.op)(all, sum[s]);
                }
            });
            let mut before = self.connect(part, all);
            let mut sofar = sum;
            each_stream(|s| {
                sofar[s] = before;
                before = (self.op)(before, sum[s]);
            });
            let mut i = 0;
            while i < length {
                each_stream(|s| sofar[s] = self.step(sofar[s], at(s, i)));
                i = i.wrapping_add(1);
            }
        }
    }

    /// # Safety
    /// The caller is a thread of a launch of `parts` blocks of `THREADS` threads.
    #[inline(always)]
    unsafe fn run_on_gpu(&self) {
        // SAFETY: each part is taken by one block, each element is of one thread,
        // and a thread without elements has some value, which is a `T` as any other
        // and is not looked at.
        unsafe {
            let (thread, _) = gpu::block::place();
            let taken = gpu::shared::<u32>();
            let before_part = gpu::shared::<gpu::Cell<T>>();
            if thread == 0 {
                taken.set(self.take_part() as u32);
            }
            gpu::sync_threads();
            let part = taken.get() as usize;
            let begin = part.wrapping_mul(self.told.each);
            let left = self.told.count.wrapping_sub(begin);
            let working = if left < self.told.each { left.div_ceil(ITEMS) } else { THREADS } as u32;
            let is_working = thread < working;
            let first = (thread as usize).wrapping_mul(ITEMS);
            let rest = left.wrapping_sub(first);
            let count = if rest < ITEMS { rest } else { ITEMS };
            let mut mine = MaybeUninit::<T>::zeroed().assume_init();
            if is_working {
                mine = self.fold_row(begin.wrapping_add(first), count);
            }
            let (before_me, through) = gpu::block::scan_first(mine, self.op, thread, working);
            if thread == working.wrapping_sub(1) {
                before_part.set(self.connect(part, through));
            }
            gpu::sync_threads();
            if !is_working {
                return;
            }
            let has_part = part > 0 || self.told.has_init;
            let mut before = before_part.get();
            if thread > 0 {
                before = if has_part { (self.op)(before, before_me) } else { before_me };
            }
            let before = (has_part || thread > 0).then_some(before);
            self.scan_row(before, begin.wrapping_add(first), count);
        }
    }
}

#[inline(always)]
fn each_stream(mut f: impl FnMut(usize)) {
    let mut s = 0;
    while s < STREAMS {
        f(s);
        s = s.wrapping_add(1);
    }
}

struct Kernel<T, Op, const INCLUSIVE: bool, const ON_GPU: bool>(PhantomData<(T, Op)>);

impl<'a, T, Op, const INCLUSIVE: bool, const ON_GPU: bool> Part<(&'a [T], &'a [AtomicU32])>
    for Kernel<T, Op, INCLUSIVE, ON_GPU>
where
    T: AnyBits,
    Op: Fn(T, T) -> T + Sync,
{
    type Told = Told<T>;

    #[inline(always)]
    unsafe fn run(
        told: Told<T>,
        totals: *mut u8,
        output: *mut u8,
        (input, words): (&'a [T], &'a [AtomicU32]),
    ) {
        // A kernel for one kind of device is nothing on the other. Large values go
        // the cpu's way everywhere.
        if ON_GPU != (marker::__ferry_on_gpu() != 0 && gpu::block::can_exchange::<T>()) {
            return;
        }
        // SAFETY: `scan` has seen to it that the launch is as these kernels want it.
        unsafe {
            let part = Scan {
                told,
                op: the::<Op>(),
                totals: totals.cast(),
                words: words.as_ptr(),
                input: input.as_ptr(),
                output: output.cast(),
                inclusive: INCLUSIVE,
            };
            if ON_GPU { part.run_on_gpu() } else { part.run_on_cpu() }
        }
    }
}

/// Elements of a part on cpu: 64 KiB, and a multiple of the streams.
fn cpu_elements(bytes: usize) -> usize {
    (65536 / bytes.max(1) / STREAMS * STREAMS).max(8 * STREAMS)
}

#[inline(always)]
fn scan<T, Op, const INCLUSIVE: bool>(
    name: &str,
    place: &Location<'_>,
    input: &[T],
    output: &mut [T],
    init: Option<T>,
) -> Result<()>
where
    T: AnyBits,
    Op: Fn(T, T) -> T + Sync,
{
    const { assert_captures_nothing::<Op>() };
    let count = input.len();
    if output.len() < count {
        let what = format!("the output has {} elements, and the input {count}", output.len());
        return Err(Error::of_launch(ErrorKind::InvalidArgument, name, place, &what));
    }
    let Some(first) = input.first() else { return Ok(()) };
    let on_gpu = gpu::block::can_exchange::<T>() && runs_on_gpu(-1);
    let each = if on_gpu { THREADS * ITEMS } else { cpu_elements(size_of::<T>()) };
    let parts = count.div_ceil(each);
    let (Some(mut totals), Some(mut words)) = (room::<T>(parts), room::<AtomicU32>(parts + 1))
    else {
        let what = format!("the host has no memory for the totals of {parts} parts");
        return Err(Error::of_launch(ErrorKind::OutOfMemory, name, place, &what));
    };
    words.resize_with(parts + 1, || MaybeUninit::new(AtomicU32::new(0)));
    // SAFETY: they are zeros now.
    let words = unsafe { &*(&raw const *words as *const [AtomicU32]) };
    let told = Told { init: init.unwrap_or(*first), has_init: init.is_some(), count, each };
    let scratch = (totals.as_mut_ptr().cast(), (parts * size_of::<T>()) as u64);
    let result = (output.as_mut_ptr().cast(), size_of_val(input) as u64);
    let args = (input, words);
    // SAFETY: the buffers are as large as the kernels that go with these numbers of
    // parts and elements want them.
    let status = unsafe {
        if gpu::block::can_exchange::<T>() && on_gpu {
            let shape = blocks(parts).threads(THREADS);
            mark::<Kernel<T, Op, INCLUSIVE, true>, _, _>(
                name, place, &shape, &args, &told, scratch, result,
            )
        } else {
            let shape = blocks(parts).threads(1);
            mark::<Kernel<T, Op, INCLUSIVE, false>, _, _>(
                name, place, &shape, &args, &told, scratch, result,
            )
        }
    };
    if status == marker::STATUS_OK { Ok(()) } else { Err(Error::last(status)) }
}

/// Names the parameters that the arguments are for.
///
/// # Safety
/// That of `mark_part`.
#[inline(always)]
unsafe fn mark<'a, K, T, S>(
    name: &str,
    place: &Location<'_>,
    shape: &S,
    args: &(&'a [T], &'a [AtomicU32]),
    told: &K::Told,
    scratch: (*mut u8, u64),
    result: (*mut u8, u64),
) -> i32
where
    K: Part<(&'a [T], &'a [AtomicU32])>,
    T: AnyBits,
    S: crate::Shape,
{
    // SAFETY: the caller's promise.
    unsafe {
        <_ as Args<(&'a [T], &'a [AtomicU32]), Checked>>::mark_part::<K, S>(
            args, name, place, shape, told, scratch, result,
        )
    }
}

/// `output[i] = input[0] op input[1] op ... op input[i]` for every element of
/// `input`, on the current device.
///
/// `op` is a function or captureless closure and must be associative; it need not
/// be commutative. With floats the result is the same to the bit in every run on one
/// kind of device. What `output` has beyond `input` keeps its values.
///
/// ```no_run
/// let lengths = vec![3, 1, 4];
/// let mut ends = vec![0; 3];
/// ferry::inclusive_scan(&lengths, &mut ends, |a, b| a + b)?;
/// assert_eq!(ends, [3, 4, 8]);
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// It costs one launch; `input` is copied to the device and the results back.
///
/// # Errors
/// As for [`launch`](crate::launch), and
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) when `output` has fewer
/// elements than `input`.
#[inline(always)]
#[track_caller]
pub fn inclusive_scan<T, V, Op>(input: &[T], output: &mut V, op: Op) -> Result<()>
where
    T: AnyBits,
    V: Elements<Item = T> + ?Sized,
    Op: Fn(T, T) -> T + Sync,
{
    drop(op);
    let output = output.at_home(crate::parts::INSIDE);
    scan::<T, Op, true>("inclusive_scan", Location::caller(), input, output, None)
}

/// `output[i] = init op input[0] op ... op input[i - 1]`, so that `output[0]` is
/// `init`. Otherwise as [`inclusive_scan`].
///
/// ```no_run
/// let lengths = vec![3, 1, 4];
/// let mut begins = vec![0; 3];
/// ferry::exclusive_scan(&lengths, &mut begins, 0, |a, b| a + b)?;
/// assert_eq!(begins, [0, 3, 4]);
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// # Errors
/// As for [`inclusive_scan`].
#[inline(always)]
#[track_caller]
pub fn exclusive_scan<T, V, Op>(input: &[T], output: &mut V, init: T, op: Op) -> Result<()>
where
    T: AnyBits,
    V: Elements<Item = T> + ?Sized,
    Op: Fn(T, T) -> T + Sync,
{
    drop(op);
    let output = output.at_home(crate::parts::INSIDE);
    scan::<T, Op, false>("exclusive_scan", Location::caller(), input, output, Some(init))
}
