// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Atomic floats, which `core` does not have.

use core::fmt;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

macro_rules! atomic_floats {
    ($Atomic:ident, $Float:ident, $Bits:ident, $Words:ident) => {
        #[doc = concat!("An `", stringify!($Float), "` that threads may change at the same time.")]
        ///
        /// It is laid out as the float itself and goes to kernels as the atomics of
        /// `core::sync::atomic` do: by `&a` or `&v`, or in
        /// [shared memory](crate::gpu::shared). It works on the host as well.
        ///
        /// Changes are made by compare-and-swap. The order in which threads add is
        /// not defined, and sums of floats depend on it.
        ///
        /// ```no_run
        /// # use ferry::prelude::*;
        /// use std::sync::atomic::Ordering::Relaxed;
        ///
        #[doc = concat!("fn largest(x: &[", stringify!($Float), "], max: &gpu::", stringify!($Atomic), ") {")]
        ///     max.fetch_max(x[gpu::global_id()], Relaxed);
        /// }
        #[doc = concat!("let max = gpu::", stringify!($Atomic), "::new(", stringify!($Float), "::NEG_INFINITY);")]
        /// launch(largest, over(3), (&[-3.0, -1.0, -2.0], &max))?;
        /// assert_eq!(max.into_inner(), -1.0);
        /// # Ok::<(), ferry::Error>(())
        /// ```
        #[derive(Default)]
        #[repr(transparent)]
        pub struct $Atomic($Words);

        impl $Atomic {
            /// An atomic that holds `value`.
            #[inline(always)]
            pub const fn new(value: $Float) -> Self {
                $Atomic($Words::new(value.to_bits()))
            }

            /// The value, which no other thread can be using.
            #[inline(always)]
            pub const fn into_inner(self) -> $Float {
                $Float::from_bits(self.0.into_inner())
            }

            /// Reads the value.
            ///
            /// # Panics
            /// If `order` is `Release` or `AcqRel`.
            #[inline(always)]
            pub fn load(&self, order: Ordering) -> $Float {
                $Float::from_bits(self.0.load(order))
            }

            /// Writes the value.
            ///
            /// # Panics
            /// If `order` is `Acquire` or `AcqRel`.
            #[inline(always)]
            pub fn store(&self, value: $Float, order: Ordering) {
                self.0.store(value.to_bits(), order);
            }

            /// Writes the value and returns the one before.
            #[inline(always)]
            pub fn swap(&self, value: $Float, order: Ordering) -> $Float {
                $Float::from_bits(self.0.swap(value.to_bits(), order))
            }

            /// Writes `new` if the bits are those of `current`; so a NaN can be equal
            /// to itself, and -0.0 is not 0.0. Returns the value before, as `Ok` if
            /// it was written.
            ///
            /// # Errors
            /// The value, if it is another than `current`.
            #[inline(always)]
            pub fn compare_exchange(
                &self,
                current: $Float,
                new: $Float,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$Float, $Float> {
                match self.0.compare_exchange(current.to_bits(), new.to_bits(), success, failure) {
                    Ok(bits) => Ok($Float::from_bits(bits)),
                    Err(bits) => Err($Float::from_bits(bits)),
                }
            }

            /// Replaces the value by what `change` makes of it and returns the one
            /// before. `change` may be called several times.
            #[inline(always)]
            pub fn fetch_change(
                &self,
                order: Ordering,
                change: impl Fn($Float) -> $Float,
            ) -> $Float {
                let mut old = self.0.load(Ordering::Relaxed);
                loop {
                    let new = change($Float::from_bits(old)).to_bits();
                    match self.0.compare_exchange_weak(old, new, order, Ordering::Relaxed) {
                        Ok(_) => return $Float::from_bits(old),
                        Err(other) => old = other,
                    }
                }
            }

            /// Adds to the value and returns the one before.
            #[inline(always)]
            pub fn fetch_add(&self, value: $Float, order: Ordering) -> $Float {
                self.fetch_change(order, |old| old + value)
            }

            /// Subtracts from the value and returns the one before.
            #[inline(always)]
            pub fn fetch_sub(&self, value: $Float, order: Ordering) -> $Float {
                self.fetch_change(order, |old| old - value)
            }

            /// Keeps the smaller of both and returns the value before. -0.0 is smaller
            /// than 0.0, and a NaN is taken only if there is nothing else.
            #[inline(always)]
            pub fn fetch_min(&self, value: $Float, order: Ordering) -> $Float {
                self.fetch_change(order, |old| super::float::$Float::smaller(old, value))
            }

            /// Keeps the larger of both and returns the value before. -0.0 is smaller
            /// than 0.0, and a NaN is taken only if there is nothing else.
            #[inline(always)]
            pub fn fetch_max(&self, value: $Float, order: Ordering) -> $Float {
                self.fetch_change(order, |old| super::float::$Float::larger(old, value))
            }
        }

        impl From<$Float> for $Atomic {
            #[inline(always)]
            fn from(value: $Float) -> Self {
                $Atomic::new(value)
            }
        }

        impl fmt::Debug for $Atomic {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
            }
        }
    };
}

atomic_floats!(AtomicF32, f32, u32, AtomicU32);
atomic_floats!(AtomicF64, f64, u64, AtomicU64);
