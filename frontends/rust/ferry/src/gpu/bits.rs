// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `AnyBits`: the types that threads may hand to each other.
//!
//! Shared memory starts undefined, threads may write it at the same time, and a
//! lane that takes no part in a shuffle gives an unspecified value. So a value
//! that comes from another thread can be any bytes, and must be valid for all.
//!
//! A value moves as its *pieces*: its numbers, each by itself. Padding between
//! them is never read, a piece is at most eight bytes and aligned, and what
//! moves a piece, be it an atomic access or a shuffle, is all that the users of
//! this trait have to write.

use crate::plain::Plain;
use core::num::Wrapping;
use core::sync::atomic::*;

/// Types of which every bit pattern is a value: numbers, and arrays, tuples and
/// `#[derive(Plain)]` structs of those. They can lie in [shared
/// memory](crate::gpu::shared) and move between the threads of a
/// [warp](crate::gpu::warp).
///
/// `bool`, `char`, `Option`, the `NonZero` types and enums are plain, but not
/// every bit pattern is one of their values: keep them as numbers.
///
/// # Safety
/// As it says; and `pieces` moves all that makes up the value.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot come from another thread: not every bit pattern is a value of it",
    label = "holds something else than numbers",
    note = "numbers, and arrays, tuples and `#[derive(Clone, Copy, Plain)]` structs of numbers can",
    note = "keep a `bool`, `char` or enum as an integer, such as `u8` or `u32`"
)]
pub unsafe trait AnyBits: Plain {
    /// Lets `how` move each number that the value at `from` holds to where it
    /// stands in the value at `to`.
    ///
    /// # Safety
    /// `from` and `to` are addresses of a `Self` that `how` may use.
    #[doc(hidden)]
    unsafe fn pieces<P: Pieces>(how: &P, from: *const u8, to: *mut u8);
}

/// What to do with each piece.
#[doc(hidden)]
pub trait Pieces {
    /// # Safety
    /// `from` and `to` are addresses of a `W` that this may use.
    unsafe fn piece<W: Word>(&self, from: *const u8, to: *mut u8);
}

/// An unsigned integer of a piece's size, and the atomic that is like it.
#[doc(hidden)]
pub trait Word: Copy + 'static {
    type Atomic;
    fn load(from: &Self::Atomic) -> Self;
    fn store(to: &Self::Atomic, value: Self);
    /// Each 32 bits of the value, or the value if it has less, through `change`.
    fn map(self, change: impl Fn(u32) -> u32) -> Self;
}

macro_rules! words {
    ($($W:ty, $Atomic:ty, $value:ident, $change:ident => $mapped:expr;)*) => { $(
        impl Word for $W {
            type Atomic = $Atomic;
            #[inline(always)]
            fn load(from: &$Atomic) -> $W {
                from.load(Ordering::Relaxed)
            }
            #[inline(always)]
            fn store(to: &$Atomic, value: $W) {
                to.store(value, Ordering::Relaxed);
            }
            #[inline(always)]
            fn map(self, $change: impl Fn(u32) -> u32) -> $W {
                let $value = self;
                $mapped
            }
        }
    )* };
}

words! {
    u8, AtomicU8, value, change => change(value as u32) as u8;
    u16, AtomicU16, value, change => change(value as u32) as u16;
    u32, AtomicU32, value, change => change(value);
    u64, AtomicU64, value, change => {
        let low = change(value as u32);
        (change((value >> 32) as u32) as u64) << 32 | low as u64
    };
}

macro_rules! numbers {
    ($($W:ty: $($T:ty)*;)*) => { $($(
        // SAFETY: a number is one piece of its own size, and any bits are one.
        unsafe impl AnyBits for $T {
            #[inline(always)]
            unsafe fn pieces<P: Pieces>(how: &P, from: *const u8, to: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { how.piece::<$W>(from, to) }
            }
        }
    )*)* };
}

numbers! {
    u8: u8 i8;
    u16: u16 i16;
    u32: u32 i32 f32;
    u64: u64 i64 f64 usize isize;
}

macro_rules! wide_numbers {
    ($($T:ty)*) => { $(
        // SAFETY: a number of sixteen bytes is two pieces.
        unsafe impl AnyBits for $T {
            #[inline(always)]
            unsafe fn pieces<P: Pieces>(how: &P, from: *const u8, to: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe {
                    how.piece::<u64>(from, to);
                    how.piece::<u64>(from.wrapping_add(8), to.wrapping_add(8));
                }
            }
        }
    )* };
}

wide_numbers! { u128 i128 }

// SAFETY: there is nothing to move.
unsafe impl AnyBits for () {
    #[inline(always)]
    unsafe fn pieces<P: Pieces>(_: &P, _: *const u8, _: *mut u8) {}
}

// SAFETY: a `Wrapping<T>` is a `T` (it is transparent).
unsafe impl<T: AnyBits> AnyBits for Wrapping<T> {
    #[inline(always)]
    unsafe fn pieces<P: Pieces>(how: &P, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { T::pieces(how, from, to) }
    }
}

// SAFETY: the elements are all that there is.
unsafe impl<T: AnyBits, const N: usize> AnyBits for [T; N] {
    #[inline(always)]
    unsafe fn pieces<P: Pieces>(how: &P, from: *const u8, to: *mut u8) {
        let mut i = 0;
        while i < N {
            let offset = i.wrapping_mul(size_of::<T>());
            // SAFETY: the caller's promise, for each element.
            unsafe { T::pieces(how, from.wrapping_add(offset), to.wrapping_add(offset)) };
            i = i.wrapping_add(1);
        }
    }
}

/// `any_bits!([generic parameters] [type] [where clause] [fields: types])`: the
/// fields of a tuple or, through the derive macro, of a struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __any_bits {
    ([$($generics:tt)*] [$T:ty] [$($bounds:tt)*] [$($field:tt: [$Field:ty],)*]) => {
        // SAFETY: the fields are all that there is.
        unsafe impl<$($generics)*> $crate::gpu::AnyBits for $T $($bounds)* {
            #[inline(always)]
            #[allow(unused_variables)]
            unsafe fn pieces<__Pieces: $crate::__private::Pieces>(
                how: &__Pieces,
                from: *const u8,
                to: *mut u8,
            ) {
                // SAFETY: the caller's promise, for each field.
                unsafe { $(
                    <$Field as $crate::gpu::AnyBits>::pieces(
                        how,
                        from.wrapping_add(::core::mem::offset_of!($T, $field)),
                        to.wrapping_add(::core::mem::offset_of!($T, $field)),
                    );
                )* }
            }
        }

        impl<$($generics)*> $crate::gpu::Shareable for $T $($bounds)* {
            type Place = $crate::gpu::Cell<Self>;
        }
    };
}

macro_rules! tuples {
    ([$($done:tt)*]) => {};
    ([$($A:ident $a:tt)*] $Next:ident $next:tt $($rest:tt)*) => {
        __any_bits!([$($A: AnyBits,)* $Next: AnyBits] [($($A,)* $Next,)] []
                    [$($a: [$A],)* $next: [$Next],]);
        tuples!([$($A $a)* $Next $next] $($rest)*);
    };
}

tuples!([] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);
