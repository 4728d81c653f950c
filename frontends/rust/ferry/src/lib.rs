// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Ferry runs functions of an ordinary Rust program on a GPU, or on all CPU
//! cores. Any `fn` is a kernel, and data moves by itself.
//!
//! ```no_run
//! use ferry::prelude::*;
//!
//! fn saxpy(a: f32, x: &[f32], y: &mut f32) {
//!     *y += a * x[gpu::global_id()];
//! }
//!
//! fn main() -> ferry::Result<()> {
//!     let n = 1 << 20;
//!     let (x, mut y) = (vec![1.0; n], vec![2.0; n]);
//!     launch(saxpy, over(n), (2.0, &x, each(&mut y)))?;
//!     assert!(y.iter().all(|&y| y == 4.0));
//!     Ok(())
//! }
//! ```
//!
//! Build and run it with `cargo ferry run --release`. Plain cargo builds, checks,
//! tests and documents the program as well, but every launch then returns an
//! [`ErrorKind::NoPlugin`] error.
//!
//! # Arguments
//!
//! | you pass | the kernel's parameter is | |
//! |---|---|---|
//! | a [`Plain`] value | `T` | a copy for every thread |
//! | `&x` | `&T` | read |
//! | `&v`: a slice, array, `Vec`, boxed slice | `&[T]` | read |
//! | `&s`: a `str` or `String` | `&str` | read |
//! | [`each`]`(&mut v)` | `&mut T` | this thread's element |
//! | [`chunks`]`(&mut v, k)` | `&mut [T]` | this thread's k elements |
//! | [`rows`]`(&mut m, ncols)` | `&mut [T]` | this thread's row |
//! | `&r`, `each(&mut r)`, … of a [`resident`] or [`resident_mut`] | as for `&v`, `each(&mut v)` | the same, and the data stays on the device |
//! | `&a`, `&v` of `core::sync::atomic` types and [`gpu::AtomicF32`], [`gpu::AtomicF64`] | `&AtomicX`, `&[AtomicX]` | read and written by all threads |
//! | `&mut v`, with [`launch_unchecked`] alone | `&mut [T]`, `*mut T`, `&mut T` | the same for every thread |

extern crate self as ferry;

mod args;
pub mod autodiff;
mod cooperate;
mod device;
mod error;
pub mod gpu;
mod kernel;
mod marker;
mod parts;
mod plain;
mod reduce;
mod resident;
mod scan;
mod shape;
mod stream;
mod unchecked;
mod with_device;

pub use device::{Stats, current_device, device_name, devices, set_device, stats};
pub use error::{Error, ErrorKind, Result};
/// Implements [`trait@Plain`] for a struct or enum whose fields all are plain.
pub use ferry_macros::Plain;
pub use kernel::{Args, Element, Kernel};
pub use parts::{Chunks, Each, Elements, Rows, chunks, each, rows};
pub use plain::Plain;
pub use reduce::parallel_reduce;
pub use resident::{Resident, ResidentMut, SharedElements, resident, resident_mut};
pub use scan::{exclusive_scan, inclusive_scan};
pub use shape::{Blocks, Extent, OnStream, Over, Shape, ShapeFor, Threads, blocks, over};
pub use stream::{Event, Lent, Scope, Stream, scope};
pub use with_device::{In, InOut, Out, inout, inp, out, with_device};

/// The names that most programs need: `use ferry::prelude::*;`.
pub mod prelude {
    pub use crate::autodiff::{autodiff_forward, autodiff_reverse};
    pub use crate::{Plain, blocks, chunks, each, gpu, launch, over, resident, resident_mut, rows};
}

/// For the derive macro.
#[doc(hidden)]
pub mod __private {
    pub use crate::args::{Fields, KernelArg, NO_BUFFER};
    pub use crate::autodiff::private as autodiff;
    pub use crate::gpu::print::{Integer, Number, Printable, Printed, print, show_count};
    pub use crate::gpu::{Pieces, Word};
}

use args::{Checked, Unchecked};
use core::panic::Location;

/// Runs `kernel` once for every thread of `shape`, and returns when all are done
/// and host memory is as if they had run on it.
///
/// It is safe: threads share what they only read, atomics, and parts of a `&mut`
/// borrow that do not overlap. On a device with memory of its own, atomics are
/// copied there and back, so what other host threads store to them during the
/// launch can be lost.
///
/// ```no_run
/// # use ferry::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// fn histogram(bytes: &[u8], counts: &[AtomicU32]) {
///     let byte = bytes[gpu::global_id()];
///     counts[byte as usize].fetch_add(1, Ordering::Relaxed);
/// }
/// let text = b"ferry";
/// let counts: Vec<_> = (0..256).map(|_| AtomicU32::new(0)).collect();
/// launch(histogram, over(text.len()), (text, &counts))?;
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// # Errors
/// See [`ErrorKind`]. The message names the kernel and the cause.
#[inline(always)]
#[track_caller]
pub fn launch<F, S, A, P>(kernel: F, shape: S, args: A) -> Result<()>
where
    F: Kernel<P>,
    S: ShapeFor<A, P, Checked>,
    A: Args<P, Checked>,
{
    const { kernel::assert_captures_nothing::<F>() };
    // SAFETY: with these arguments, threads cannot alias.
    unsafe { launch_in_mode(kernel, shape, args, Location::caller()) }
}

/// As [`launch`], but also takes `&mut v` for parameters `&mut [T]`, `*mut T` and
/// `&mut T`: every thread gets all of it.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn reverse(x: &[f32], y: *mut f32) {
///     let i = gpu::global_id();
///     // SAFETY: no two threads have one id.
///     unsafe { *y.add(x.len() - 1 - i) = x[i] };
/// }
/// # let (x, mut y) = ([0.0; 4], [0.0; 4]);
/// // SAFETY: `reverse` writes each element on one thread.
/// unsafe { ferry::launch_unchecked(reverse, over(x.len()), (&x, &mut y)) }?;
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// # Safety
/// No element that one thread writes is read or written by another thread.
///
/// # Errors
/// As for [`launch`].
#[inline(always)]
#[track_caller]
pub unsafe fn launch_unchecked<F, S, A, P>(kernel: F, shape: S, args: A) -> Result<()>
where
    F: Kernel<P>,
    S: ShapeFor<A, P, Unchecked>,
    A: Args<P, Unchecked>,
{
    const { kernel::assert_captures_nothing::<F>() };
    // SAFETY: the caller's promise.
    unsafe { launch_in_mode(kernel, shape, args, Location::caller()) }
}

/// # Safety
/// The laws of `launch_unchecked`, unless M is `Checked`.
#[inline(always)]
unsafe fn launch_in_mode<F, S, A, P, M>(
    kernel: F,
    shape: S,
    args: A,
    place: &Location<'_>,
) -> Result<()>
where
    F: Kernel<P>,
    S: ShapeFor<A, P, M>,
    A: Args<P, M>,
{
    let name = core::any::type_name::<F>();
    let (stream, shape) = (shape.stream_number(), shape.inner());
    if let Err((number, what)) = args.check(shape.raw().threads(), stream) {
        return Err(Error::argument(name, place, number, &what));
    }
    // SAFETY: the caller's promise; `kernel` and `args` live until the end, or, in
    // a stream, what the arguments refer to does, and the kernel is its type.
    let status = unsafe { args.mark::<F, S::Inner>(name, place, &shape) };
    drop(kernel);
    if status == marker::STATUS_OK {
        return Ok(());
    }
    Err(Error::last(status))
}
