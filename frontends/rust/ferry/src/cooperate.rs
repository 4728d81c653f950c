// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What library kernels need that compute one thing with all their threads: a way
//! to tell who finishes last, scratch memory, and the shape that suits the device.
//!
//! Every part of a launch counts itself when its result is written; the one that
//! completes the number sees all results. The counter is a variable of the device,
//! so nothing is copied. Its upper bits say which launch it counts for: a value of
//! an earlier launch, even of one that failed half-way, stands for zero. Launches
//! that run at the same time use different counters; a host thread takes a free one
//! for as long as its launch runs.

use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, Ordering};

const LINES: usize = 64;
const COUNT_BITS: u32 = 24;

/// On the device: the section says so to the plugin.
#[unsafe(link_section = "ferry.device")]
static COUNTERS: [AtomicU64; LINES] = [const { AtomicU64::new(0) }; LINES];

/// On the host: bit i is set when counter i is free.
static FREE: AtomicU64 = AtomicU64::new(u64::MAX);
static LAUNCHES: AtomicU64 = AtomicU64::new(0);

/// What a kernel is told.
#[derive(Clone, Copy)]
pub struct FinishLine {
    launch: u64,
    line: u32,
    /// At most 2^24 - 1.
    pub parts: u32,
}

impl FinishLine {
    /// Whether all other parts were counted before. What they wrote before counting
    /// is then visible to this thread.
    #[inline(always)]
    pub fn is_last(&self) -> bool {
        let counter = &COUNTERS[self.line as usize % LINES];
        let mut old = counter.load(Ordering::Relaxed);
        loop {
            let new = if old >> COUNT_BITS == self.launch {
                old.wrapping_add(1)
            } else {
                (self.launch << COUNT_BITS).wrapping_add(1)
            };
            match counter.compare_exchange_weak(old, new, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    return new & const { (1 << COUNT_BITS) - 1 } == u64::from(self.parts);
                }
                Err(other) => old = other,
            }
        }
    }
}

/// Keeps a counter for the length of a launch.
pub struct FinishLineOwner(FinishLine);

impl FinishLineOwner {
    pub fn new(parts: u32) -> FinishLineOwner {
        // A launch's number has 40 bits and is never 0.
        let launch = LAUNCHES.fetch_add(1, Ordering::Relaxed) % ((1 << 40) - 1) + 1;
        let mut free = FREE.load(Ordering::Relaxed);
        loop {
            if free == 0 {
                std::thread::yield_now();
                free = FREE.load(Ordering::Relaxed);
                continue;
            }
            let others = free & (free - 1);
            match FREE.compare_exchange_weak(free, others, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => break,
                Err(other) => free = other,
            }
        }
        FinishLineOwner(FinishLine { launch, line: free.trailing_zeros(), parts })
    }

    pub fn line(&self) -> FinishLine {
        self.0
    }
}

impl Drop for FinishLineOwner {
    fn drop(&mut self) {
        FREE.fetch_or(1 << self.0.line, Ordering::Release);
    }
}

/// The value of a function that captures nothing.
///
/// # Safety
/// There is a value of `F` somewhere, and it has no bytes.
#[inline(always)]
pub unsafe fn the<'a, F: Sync>() -> &'a F {
    // SAFETY: `F` has no bytes to read, and is `Sync`.
    unsafe { NonNull::<F>::dangling().as_ref() }
}

/// Room for values that nobody has made: on cpu kernels work in it, elsewhere it
/// only stands for room on the device. `None` when there is no memory.
pub fn room<T>(count: usize) -> Option<Vec<MaybeUninit<T>>> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).ok()?;
    Some(room)
}

/// cpu and virtual run the parts of a launch one after the other on each core; a
/// GPU runs thousands of threads at once.
pub fn runs_on_gpu(device: i64) -> bool {
    let index = usize::try_from(device).unwrap_or_else(|_| crate::current_device());
    // A device that is not there is the launch's to report.
    crate::device_name(index)
        .is_some_and(|name| !name.starts_with("cpu") && !name.starts_with("virtual"))
}
