// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Arguments by unique reference of which every thread gets its own part.

use crate::args::{Fields, IN_OUT, KernelArg, unique};
use crate::marker::FIELD_RESIDENT;
use crate::plain::Plain;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ptr::slice_from_raw_parts_mut;

/// Where [`each`], [`chunks`] and [`rows`] take their elements from: a `Vec`, a
/// slice, an array, a boxed slice or a [`ResidentMut`](crate::ResidentMut).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements to give to threads",
    note = "pass `&mut v` with a `Vec`, a slice, an array or a boxed slice"
)]
pub trait Elements {
    /// The type of an element.
    type Item;
    #[doc(hidden)]
    type Place: Place;
    /// Their addresses on the host.
    #[doc(hidden)]
    fn elements(&mut self, _: Inside) -> &mut [Self::Item];
    /// The same, and what stands there is what the program has computed.
    #[doc(hidden)]
    fn at_home(&mut self, inside: Inside) -> &mut [Self::Item] {
        self.elements(inside)
    }
}

/// Only this crate has one.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Inside(());

pub(crate) const INSIDE: Inside = Inside(());

/// What a launch is told about elements besides their address.
#[doc(hidden)]
pub trait Place {
    /// Or-ed to the kind of the field.
    const FLAGS: u64;
}

/// Elements in memory like any other.
pub enum Host {}
impl Place for Host {
    const FLAGS: u64 = 0;
}

/// Elements of a [`ResidentMut`](crate::ResidentMut).
pub enum OnDevice {}
impl Place for OnDevice {
    const FLAGS: u64 = FIELD_RESIDENT;
}

macro_rules! elements {
    ($([$($generics:tt)*] $Arg:ty;)*) => { $(
        impl<T, $($generics)*> Elements for $Arg {
            type Item = T;
            type Place = Host;
            #[inline(always)]
            fn elements(&mut self, _: Inside) -> &mut [T] {
                self
            }
        }
    )* };
}

elements! {
    [] [T];
    [const N: usize] [T; N];
    [] Vec<T>;
    [] Box<[T]>;
}

/// An argument that [`each`] makes.
pub struct Each<'a, T, P = Host>(&'a mut [T], PhantomData<P>);

/// An argument that [`chunks`] makes.
pub struct Chunks<'a, T, P = Host> {
    elements: &'a mut [T],
    size: usize,
    place: PhantomData<P>,
}

/// An argument that [`rows`] makes.
pub struct Rows<'a, T, P = Host> {
    elements: &'a mut [T],
    columns: usize,
    place: PhantomData<P>,
}

/// Gives every thread its own element, `&mut v[gpu::global_id()]`, as a kernel
/// parameter `&mut T`.
///
/// More threads than elements are an
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) error before anything
/// runs; with fewer threads, the rest of `v` keeps its values.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn double(x: &mut i32) {
///     *x *= 2;
/// }
/// let mut v = vec![1, 2, 3];
/// launch(double, over(v.len()), (each(&mut v),))?;
/// assert_eq!(v, [2, 4, 6]);
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn each<V: Elements + ?Sized>(v: &mut V) -> Each<'_, V::Item, V::Place> {
    Each(v.elements(INSIDE), PhantomData)
}

/// Gives every thread its own `k` neighbouring elements, as a kernel parameter
/// `&mut [T]`: thread i has those from `i * k`. The last chunk may be shorter.
///
/// More threads than chunks, or a `k` of 0, are an
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) error.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn running_sum(part: &mut [f32]) {
///     for i in 1..part.len() {
///         part[i] += part[i - 1];
///     }
/// }
/// let mut v = vec![1.0; 1000];
/// launch(running_sum, over(10), (chunks(&mut v, 100),))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn chunks<V: Elements + ?Sized>(v: &mut V, k: usize) -> Chunks<'_, V::Item, V::Place> {
    Chunks { elements: v.elements(INSIDE), size: k, place: PhantomData }
}

/// Gives every thread its own row of a matrix with `ncols` columns, stored row
/// after row, as a kernel parameter `&mut [T]`.
///
/// More threads than rows, or a length that `ncols` does not divide, are an
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) error.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn normalise(row: &mut [f32]) {
///     let mut sum = 0.0;
///     for &x in &*row {
///         sum += x;
///     }
///     for x in row {
///         *x /= sum;
///     }
/// }
/// let mut matrix = vec![1.0; 100 * 30];
/// launch(normalise, over(100), (rows(&mut matrix, 30),))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn rows<V: Elements + ?Sized>(m: &mut V, ncols: usize) -> Rows<'_, V::Item, V::Place> {
    Rows { elements: m.elements(INSIDE), columns: ncols, place: PhantomData }
}

#[cold]
fn too_few(function: &str, parts: usize, what: &str, threads: u128) -> Result<(), String> {
    Err(format!("{function}(..) has {parts} {what} for {threads} threads"))
}

#[inline(always)]
pub(crate) fn check_each(length: usize, threads: u128) -> Result<(), String> {
    if threads > length as u128 {
        return too_few("each", length, "elements", threads);
    }
    Ok(())
}

#[inline(always)]
pub(crate) fn check_chunks(length: usize, size: usize, threads: u128) -> Result<(), String> {
    if size == 0 {
        return Err("chunks(.., 0): a chunk has at least one element".to_string());
    }
    let parts = length.div_ceil(size);
    if threads > parts as u128 {
        return too_few("chunks", parts, "chunks", threads);
    }
    Ok(())
}

/// This thread's chunk of a buffer, whose fields end with length and size.
///
/// # Safety
/// `check_chunks` has found nothing wrong with them.
#[inline(always)]
pub(crate) unsafe fn own_chunk<'a, T>(fields: &mut Fields) -> &'a mut [T] {
    // SAFETY: so this thread's chunk begins inside the slice, and nothing here
    // overflows.
    unsafe {
        let data = fields.buffer::<T>();
        let (length, size) = fields.bytes::<(usize, usize)>();
        let begin = crate::gpu::global_id().wrapping_mul(size);
        let count = size.min(length.wrapping_sub(begin));
        unique(slice_from_raw_parts_mut(data.wrapping_add(begin), count))
    }
}

// SAFETY: no two threads have one global id, and `check` keeps every id inside
// the slice, which is borrowed for 'a.
unsafe impl<'a, T: Plain, P: Place, M> KernelArg<&'a mut T, M> for Each<'a, T, P> {
    const BUFFER: u64 = IN_OUT | P::FLAGS;
    type Extra = ();
    type Kept = &'a ();
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }
    #[inline(always)]
    fn bytes(&self) -> u64 {
        size_of_val(self.0) as u64
    }
    #[inline(always)]
    fn extra(&self) {}
    #[inline(always)]
    fn check(&self, threads: u128) -> Result<(), String> {
        check_each(self.0.len(), threads)
    }
    #[inline(always)]
    unsafe fn rebuild(fields: &mut Fields) -> &'a mut T {
        // SAFETY: `check` has compared the number of threads with the length.
        unsafe { unique(fields.buffer::<T>().wrapping_add(crate::gpu::global_id())) }
    }
}

// SAFETY: as for `Each`; chunks of different threads do not overlap.
unsafe impl<'a, T: Plain, P: Place, M> KernelArg<&'a mut [T], M> for Chunks<'a, T, P> {
    const BUFFER: u64 = IN_OUT | P::FLAGS;
    type Extra = (usize, usize);
    type Kept = &'a ();
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        self.elements.as_ptr().cast()
    }
    #[inline(always)]
    fn bytes(&self) -> u64 {
        size_of_val(self.elements) as u64
    }
    #[inline(always)]
    fn extra(&self) -> (usize, usize) {
        (self.elements.len(), self.size)
    }
    #[inline(always)]
    fn check(&self, threads: u128) -> Result<(), String> {
        check_chunks(self.elements.len(), self.size, threads)
    }
    #[inline(always)]
    unsafe fn rebuild(fields: &mut Fields) -> &'a mut [T] {
        // SAFETY: `check` has been told what the fields hold.
        unsafe { own_chunk(fields) }
    }
}

// SAFETY: as for `Chunks`.
unsafe impl<'a, T: Plain, P: Place, M> KernelArg<&'a mut [T], M> for Rows<'a, T, P> {
    const BUFFER: u64 = IN_OUT | P::FLAGS;
    type Extra = usize;
    type Kept = &'a ();
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        self.elements.as_ptr().cast()
    }
    #[inline(always)]
    fn bytes(&self) -> u64 {
        size_of_val(self.elements) as u64
    }
    #[inline(always)]
    fn extra(&self) -> usize {
        self.columns
    }
    #[inline(always)]
    fn check(&self, threads: u128) -> Result<(), String> {
        let length = self.elements.len();
        if self.columns == 0 {
            return Err("rows(.., 0): a row has at least one column".to_string());
        }
        if !length.is_multiple_of(self.columns) {
            return Err(format!(
                "rows(.., {}): the length {length} is not a multiple of {} columns",
                self.columns, self.columns
            ));
        }
        let parts = length / self.columns;
        if threads > parts as u128 {
            return too_few("rows", parts, "rows", threads);
        }
        Ok(())
    }
    #[inline(always)]
    unsafe fn rebuild(fields: &mut Fields) -> &'a mut [T] {
        // SAFETY: `check` has seen to it that this thread's row is in the matrix.
        unsafe {
            let data = fields.buffer::<T>();
            let columns = fields.bytes::<usize>();
            let begin = crate::gpu::global_id().wrapping_mul(columns);
            unique(slice_from_raw_parts_mut(data.wrapping_add(begin), columns))
        }
    }
}
