// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Device memory for host code.

use crate::error::{Error, Result};
use crate::gpu::AnyBits;
use crate::marker::{self, FIELD_READ, FIELD_WRITE, RawMapping, RawPlace};
use crate::parts::{Elements, INSIDE, Place};
use crate::plain::Plain;
use crate::resident::SharedElements;
use core::ffi::{c_int, c_void};
use core::marker::PhantomData;
use core::panic::Location;
use core::ptr;

/// An argument that [`inp`] makes.
pub struct In<'a, T, P>(&'a [T], PhantomData<P>);
/// An argument that [`out`] makes.
pub struct Out<'a, T, P>(&'a mut [T], PhantomData<P>);
/// An argument that [`inout`] makes.
pub struct InOut<'a, T, P>(&'a mut [T], PhantomData<P>);

/// What the function reads, as `*const T`; see [`with_device`]. Takes what
/// [`resident`](crate::resident) takes, and residents.
pub fn inp<V: SharedElements + ?Sized>(v: &V) -> In<'_, V::Item, V::Place> {
    In(v.shared(INSIDE), PhantomData)
}

/// What the function writes, all of it, as `*mut T`; see [`with_device`]. Elements
/// that it does not write have any value then.
pub fn out<V: Elements + ?Sized>(v: &mut V) -> Out<'_, V::Item, V::Place>
where
    V::Item: AnyBits,
{
    Out(v.elements(INSIDE), PhantomData)
}

/// What the function reads and writes, as `*mut T`; see [`with_device`].
pub fn inout<V: Elements + ?Sized>(v: &mut V) -> InOut<'_, V::Item, V::Place> {
    InOut(v.elements(INSIDE), PhantomData)
}

/// One argument of [`with_device`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument of `with_device`",
    note = "write `inp(&x)`, `out(&mut y)` or `inout(&mut z)`"
)]
pub trait Mapped {
    /// What the function gets.
    type Pointer;
    #[doc(hidden)]
    fn mapping(&self) -> RawMapping;
    #[doc(hidden)]
    fn pointer(device: *mut c_void) -> Self::Pointer;
}

macro_rules! mapped {
    ($($Arg:ident $flags:expr => $Pointer:ty;)*) => { $(
        impl<T: Plain, P: Place> Mapped for $Arg<'_, T, P> {
            type Pointer = $Pointer;
            fn mapping(&self) -> RawMapping {
                RawMapping {
                    host: self.0.as_ptr().cast(),
                    bytes: size_of_val(self.0) as u64,
                    flags: ($flags | P::FLAGS) as u32,
                    reserved: 0,
                    device: ptr::null_mut(),
                }
            }
            fn pointer(device: *mut c_void) -> $Pointer {
                device.cast()
            }
        }
    )* };
}

mapped! {
    In FIELD_READ => *const T;
    Out FIELD_WRITE => *mut T;
    InOut FIELD_READ | FIELD_WRITE => *mut T;
}

/// Tuples of arguments of [`with_device`], and functions `F` of as many pointers.
#[diagnostic::on_unimplemented(
    message = "`with_device` cannot call `{F}` with the arguments `{Self}`",
    note = "it takes a tuple of one to eight `inp(&x)`, `out(&mut y)` and `inout(&mut z)`, and a function of as many pointers: `*const T` for `inp`, `*mut T` for the others"
)]
pub trait MappedArgs<F, R> {
    #[doc(hidden)]
    fn call(&self, f: F, place: &RawPlace) -> Result<R>;
}

/// Undoes the mapping. If the function panics, without copying back.
struct Undo(*mut c_void);

impl Undo {
    fn finish(self) -> c_int {
        let state = self.0;
        core::mem::forget(self);
        // SAFETY: `ferry_map` has made it, and nothing else ends it.
        unsafe { marker::ferry_unmap(state, 0) }
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { marker::ferry_unmap(self.0, 1) };
    }
}

macro_rules! mapped_args {
    ($($A:ident $number:tt)*) => {
        impl<R, Function: FnOnce($($A::Pointer),*) -> R, $($A: Mapped),*> MappedArgs<Function, R>
            for ($($A,)*)
        {
            fn call(&self, f: Function, place: &RawPlace) -> Result<R> {
                let mut mappings = [$(self.$number.mapping()),*];
                let mut state = ptr::null_mut();
                // SAFETY: the arguments borrow their memory until the end.
                let status = unsafe {
                    let count = mappings.len() as u32;
                    marker::ferry_map(mappings.as_mut_ptr(), count, place, &mut state)
                };
                if status != marker::STATUS_OK {
                    return Err(Error::last(status));
                }
                let undo = Undo(state);
                let result = f($($A::pointer(mappings[$number].device)),*);
                match undo.finish() {
                    marker::STATUS_OK => Ok(result),
                    status => Err(Error::last(status)),
                }
            }
        }
    };
}

mapped_args!(A0 0);
mapped_args!(A0 0 A1 1);
mapped_args!(A0 0 A1 1 A2 2);
mapped_args!(A0 0 A1 1 A2 2 A3 3);
mapped_args!(A0 0 A1 1 A2 2 A3 3 A4 4);
mapped_args!(A0 0 A1 1 A2 2 A3 3 A4 4 A5 5);
mapped_args!(A0 0 A1 1 A2 2 A3 3 A4 4 A5 5 A6 6);
mapped_args!(A0 0 A1 1 A2 2 A3 3 A4 4 A5 5 A6 6 A7 7);

/// Calls a function of the host with the addresses that the arguments have on the
/// current device, and returns what it returns: for libraries that work on device
/// memory, such as cuBLAS and rocBLAS. On cpu the addresses are the host's own, so
/// that any BLAS will do; a virtual device's memory can be used by the host, too.
///
/// [`inp`] is copied to the device before, [`out`] back after, [`inout`] both; what
/// a resident has there already is not. The function must have finished its work
/// when it returns: a library that works asynchronously is to be waited for inside.
///
/// ```no_run
/// unsafe fn axpy(n: usize, a: f32, x: *const f32, y: *mut f32) { /* a library's */ }
///
/// use ferry::{inout, inp, with_device};
/// let (x, mut y) = (vec![1.0; 1000], vec![2.0; 1000]);
/// with_device((inp(&x), inout(&mut y)), |dx, dy| {
///     // SAFETY: both have 1000 elements.
///     unsafe { axpy(1000, 2.0, dx, dy) }
/// })?;
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// The compiler learns the types of `dx` and `dy` from what the function does with
/// them; where it calls methods, write them: `|dx: *const f32, dy: *mut f32|`.
///
/// # Errors
/// Where there is no such device, or no room. When the function panics, nothing
/// stays mapped, and the host's memory is as it was; what a resident has is not
/// known.
#[track_caller]
pub fn with_device<A: MappedArgs<F, R>, F, R>(args: A, f: F) -> Result<R> {
    args.call(f, &RawPlace::of(Location::caller()))
}
