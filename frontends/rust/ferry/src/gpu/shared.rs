// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Memory that the threads of a block share.
//!
//! It is handed out as cells, since any number of threads may use it at once.
//! On the host's side of the language each access is a relaxed atomic one, so a
//! race yields some value and nothing worse; the compiler plugin, which knows
//! that no host thread is involved, makes plain accesses of them.

use super::bits::{AnyBits, Pieces, Word};
use crate::args::{read, reference, write};
use crate::marker;
use core::any::TypeId;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::num::Wrapping;
use core::panic::Location;
use core::ptr;
use core::sync::atomic::*;

/// A place in shared memory that holds a `T`. All threads of the block may
/// [`get`](Cell::get) and [`set`](Cell::set) it.
///
/// Nothing orders the accesses of different threads but
/// [`sync_threads`](super::sync_threads): between two of these, a place that one
/// thread writes should be used by no other. If it is, a `get` returns some old or
/// new value, or, when `T` is larger than eight bytes or a struct, a mixture.
#[repr(transparent)]
pub struct Cell<T: AnyBits>(UnsafeCell<MaybeUninit<T>>);

struct Load;
struct Store;

impl Pieces for Load {
    #[inline(always)]
    unsafe fn piece<W: Word>(&self, from: *const u8, to: *mut u8) {
        // SAFETY: `get` passes a place in shared memory and a value of its own.
        unsafe { write(to.cast::<W>(), W::load(reference(from.cast::<W::Atomic>()))) }
    }
}

impl Pieces for Store {
    #[inline(always)]
    unsafe fn piece<W: Word>(&self, from: *const u8, to: *mut u8) {
        // SAFETY: `set` passes a value of its own and a place in shared memory.
        unsafe { W::store(reference(to.cast_const().cast::<W::Atomic>()), read(from.cast::<W>())) }
    }
}

impl<T: AnyBits> Cell<T> {
    /// The value that stands here. Before any thread of the block has written it,
    /// it is unspecified.
    #[inline(always)]
    pub fn get(&self) -> T {
        let mut value = MaybeUninit::<T>::uninit();
        // SAFETY: all pieces of the value are read. None of its bits matters to
        // whether it is a `T`, and all other accesses are atomic too.
        unsafe {
            T::pieces(&Load, self.0.get().cast_const().cast(), (&raw mut value).cast());
            value.assume_init()
        }
    }

    /// Puts a value here.
    #[inline(always)]
    pub fn set(&self, value: T) {
        // SAFETY: as for `get`.
        unsafe { T::pieces(&Store, (&raw const value).cast(), self.0.get().cast()) }
    }
}

/// What [`shared`] and [`dynamic_shared`] make room for: an [`AnyBits`] type, a
/// [`Cell`] of one, an atomic, or an array of these in any number of dimensions.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot lie in shared memory: it starts undefined, and not every bit pattern is a value of it",
    label = "cannot lie in shared memory",
    note = "numbers, atomics, `#[derive(Clone, Copy, Plain)]` structs of numbers, and arrays of those can",
    note = "keep a `bool`, `char` or enum as an integer, such as `u8` or `u32`"
)]
pub trait Shareable: 'static {
    /// What threads see of it: a `Cell<T>` for a `T`, an array of cells for an
    /// array, an atomic for itself.
    type Place: 'static;
}

macro_rules! cells {
    ($($T:ty)*) => { $( impl Shareable for $T { type Place = Cell<$T>; } )* };
}

cells! { () f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl<T: AnyBits> Shareable for Wrapping<T> {
    type Place = Cell<Self>;
}

impl<T: AnyBits> Shareable for Cell<T> {
    type Place = Cell<T>;
}

impl<T: Shareable, const N: usize> Shareable for [T; N] {
    type Place = [T::Place; N];
}

macro_rules! atomics {
    ($($T:ty)*) => { $( impl Shareable for $T { type Place = $T; } )* };
}

// Any bits are one of these.
atomics! { AtomicI8 AtomicI16 AtomicI32 AtomicI64 AtomicIsize
AtomicU8 AtomicU16 AtomicU32 AtomicU64 AtomicUsize
super::AtomicF32 super::AtomicF64 }

/// Shared memory of the block: one `T` that all its threads see, and another one
/// in each other block. What it holds is unspecified until it is written.
///
/// Numbers and structs come as [`Cell`]s, atomics as they are, and an array as an
/// array of those:
///
/// ```no_run
/// # use ferry::prelude::*;
/// // Each block of 64 reverses its part.
/// fn reverse(x: &[f32], y: &mut f32) {
///     let tile = gpu::shared::<[f32; 64]>(); // &[gpu::Cell<f32>; 64]
///     let t = gpu::thread_idx().x as usize;
///     tile[t].set(x[gpu::global_id()]);
///     gpu::sync_threads();
///     *y = tile[63 - t].get();
/// }
/// # let (x, mut y) = ([0.0; 128], [0.0; 128]);
/// launch(reverse, blocks(2).threads(64), (&x, each(&mut y)))?;
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// A matrix is `[[T; N]; M]`, counters are `[AtomicU32; N]`. All shared memory of
/// a kernel, with what [`.shared(bytes)`](crate::Threads::shared) asks for, is at
/// most 64 KiB on the cpu and virtual devices and 48 KiB or more on GPUs; a launch
/// that needs more fails with [`InvalidShape`](crate::ErrorKind::InvalidShape).
///
/// Each call in the source is one object, wherever it is inlined; in a generic
/// function, one for each instance. In a `#[track_caller]` function each of its
/// callers has an object of its own.
///
/// Only kernels that are launched with [`blocks`](crate::blocks) have shared
/// memory: under [`over`](crate::over) it is refused when the program is built.
#[inline(always)]
#[track_caller]
#[must_use]
pub fn shared<T: Shareable>() -> &'static T::Place {
    if const { size_of::<T::Place>() == 0 } {
        // SAFETY: there are no bytes to which it could refer.
        return unsafe { reference(ptr::dangling()) };
    }
    let place = marker::__ferry_shared(
        ptr::from_ref(Location::caller()).cast(),
        (const { &TypeId::of::<T>() } as *const TypeId).cast(),
        const { size_of::<T::Place>() as u64 },
        const { align_of::<T::Place>() as u64 },
    );
    // SAFETY: the memory is that large and aligned, lives while the kernel runs,
    // may hold any bits, and is accessed atomically alone.
    unsafe { reference(place.cast_const().cast()) }
}

/// The block's dynamic shared memory, whose size the launch says in bytes by
/// [`.shared(bytes)`](crate::Threads::shared), as a slice of as many `T` as fit.
///
/// Every call returns the same memory, aligned to 16 bytes, also for another `T`.
/// It is unspecified until it is written. Without `.shared` the slice is empty.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn rotate(x: &mut u32) {
///     let tile = gpu::dynamic_shared::<u32>(); // &[gpu::Cell<u32>]
///     let t = gpu::thread_idx().x as usize;
///     tile[t].set(*x);
///     gpu::sync_threads();
///     *x = tile[(t + 1) % tile.len()].get();
/// }
/// let mut v: Vec<u32> = (0..96).collect();
/// launch(rotate, blocks(1).threads(96).shared(96 * 4), (each(&mut v),))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
#[must_use]
pub fn dynamic_shared<T: Shareable>() -> &'static [T::Place] {
    const {
        assert!(size_of::<T::Place>() > 0, "a type without bytes needs no shared memory");
        assert!(
            align_of::<T::Place>() <= 16,
            "dynamic shared memory is aligned to 16 bytes: types that want more have no place in it"
        );
    }
    let bytes = marker::__ferry_dynamic_shared_bytes() as usize;
    let data = marker::__ferry_dynamic_shared().cast_const().cast::<T::Place>();
    // SAFETY: as for `shared`.
    unsafe { reference(ptr::slice_from_raw_parts(data, bytes / const { size_of::<T::Place>() })) }
}
