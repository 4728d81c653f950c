// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! How each kind of launch argument travels.
//!
//! `KernelArg<P, M>` is the relation "this argument fits a parameter of type P".
//! P comes from the kernel's own signature, so a literal `2.0` becomes what the
//! kernel asks for; and argument and parameter share one lifetime, so that a
//! kernel asking for `&'static` data is never given less. M tells `launch` from
//! `launch_unchecked`, which accepts more.
//!
//! Every argument is exactly two fields of the marker: a buffer (or an empty
//! BYTES field, which takes no room) and BYTES for what else it needs: a slice's
//! length, a chunk's size, or the value itself. Kinds and sizes of BYTES fields
//! are associated constants and the functions are `inline(always)`, so that the
//! plugin finds literal constants at every optimisation level.

use crate::marker::{FIELD_BUFFER, FIELD_BYTES, FIELD_READ, FIELD_UNIQUE, FIELD_WRITE};
use crate::plain::Shared;
use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ptr;

/// The mode of `launch`.
pub enum Checked {}
/// The mode of `launch_unchecked`.
pub enum Unchecked {}

/// `BUFFER` of an argument that has none.
pub const NO_BUFFER: u64 = FIELD_BYTES;
const IN: u64 = FIELD_BUFFER | FIELD_READ | FIELD_UNIQUE;
/// What comes by `&mut` borrows its memory from everybody else.
pub const IN_OUT: u64 = FIELD_BUFFER | FIELD_READ | FIELD_WRITE | FIELD_UNIQUE;

/// An argument that fits a kernel parameter of type `P`.
///
/// # Safety
/// `pointer` is readable for `bytes` bytes while `self` lives, writable too if
/// BUFFER says so; `rebuild` reads the fields that the constants announce and
/// makes, on each thread, a `P` that aliases no other thread's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit a kernel parameter of type `{P}`",
    label = "cannot be passed as `{P}`",
    note = "for a parameter `&mut T` write `each(&mut v)`: each thread gets the element of its own global id",
    note = "for a parameter `&mut [T]` write `chunks(&mut v, k)` or `rows(&mut m, ncols)`; to give all of `&mut v` to every thread use `unsafe {{ ferry::launch_unchecked(..) }}`",
    note = "for a parameter `&T`, `&[T]` or `&str` pass a reference, `&v`",
    note = "for a parameter `T` pass the value: a scalar, an array, a tuple or a `#[derive(Clone, Copy, Plain)]` struct without references or pointers"
)]
pub unsafe trait KernelArg<P, M> {
    /// The kind of the first field.
    const BUFFER: u64;
    /// What the second field holds.
    type Extra: Copy;
    /// Lives as long as what `pointer` refers to may be used.
    type Kept;

    /// The buffer's address.
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        ptr::null()
    }
    /// The buffer's size.
    #[inline(always)]
    fn bytes(&self) -> u64 {
        0
    }
    /// The value of the second field.
    fn extra(&self) -> Self::Extra;

    /// It belongs to a stream.
    const LENT: bool = false;
    /// Which it is, if it does.
    #[inline(always)]
    fn stream(&self) -> u32 {
        0
    }

    /// What is wrong with giving this argument to so many threads.
    #[inline(always)]
    fn check(&self, _threads: u128) -> Result<(), String> {
        Ok(())
    }

    /// # Safety
    /// `fields` stands at this argument's fields, on a thread of the launch.
    unsafe fn rebuild(fields: &mut Fields) -> P;
}

/// Reads the fields of a shim's block in order.
pub struct Fields {
    at: *const u8,
}

impl Fields {
    /// Stands at the first field.
    #[inline(always)]
    pub fn new(block: *const u8) -> Fields {
        Fields { at: block }
    }

    /// # Safety
    /// The next field is a BYTES field that holds a `T`.
    #[inline(always)]
    pub unsafe fn bytes<T: Copy>(&mut self) -> T {
        // SAFETY: as above; the block promises 8-byte alignment and no more, and
        // `Packed` needs none.
        let value = unsafe { reference(self.at.cast::<Packed<T>>()) }.0;
        self.at = self.at.wrapping_add(const { size_of::<T>().next_multiple_of(8) });
        value
    }

    /// A reference's pointer, also if there is nothing at it: that one is the
    /// host's, and no more null than it was there.
    ///
    /// # Safety
    /// The next field is a BUFFER.
    #[inline(always)]
    pub unsafe fn buffer<T>(&mut self) -> *mut T {
        // SAFETY: as above, and a BUFFER field holds a pointer.
        unsafe { self.bytes::<*mut T>() }
    }
}

/// A `T` anywhere. Reading it is one load of the right type, where
/// `read_unaligned` is a copy of bytes that LLVM may take for an integer.
#[repr(C, packed)]
struct Packed<T>(T);

/// A reference to what a shim has found in its block.
///
/// The transmute is for debug builds, where `&*pointer` and most pointer methods
/// check themselves and so could panic: no kernel shall pay for such a check, nor
/// be counted among those that can panic. `wrapping_add` in the callers has the
/// same reason.
///
/// # Safety
/// `pointer` is one, to memory that 'a borrows.
#[inline(always)]
#[allow(clippy::transmute_ptr_to_ref)]
pub unsafe fn reference<'a, T: ?Sized>(pointer: *const T) -> &'a T {
    // SAFETY: the caller's promise.
    unsafe { core::mem::transmute(pointer) }
}

/// As `reference`, to memory that 'a borrows for this thread alone.
///
/// # Safety
/// See there.
#[inline(always)]
#[allow(clippy::transmute_ptr_to_ref)]
pub unsafe fn unique<'a, T: ?Sized>(pointer: *mut T) -> &'a mut T {
    // SAFETY: the caller's promise.
    unsafe { core::mem::transmute(pointer) }
}

/// The value at `from`, as `ptr::read` but without its checks.
///
/// # Safety
/// There is one, and it may be read.
#[inline(always)]
pub unsafe fn read<T: Copy>(from: *const T) -> T {
    // SAFETY: the caller's promise.
    *unsafe { reference(from) }
}

/// Puts a value at `to`, as `ptr::write` but without its checks.
///
/// # Safety
/// There is room for a `T`, and it may be written.
#[inline(always)]
pub unsafe fn write<T: Copy>(to: *mut T, value: T) {
    // SAFETY: the caller's promise. What stands there need not be a value.
    *unsafe { unique(to.cast::<MaybeUninit<T>>()) } = MaybeUninit::new(value);
}

// SAFETY: `&'a T` is readable for 'a, which outlives the launch; what may be
// written behind it is an atomic.
unsafe impl<'a, T: Shared, M> KernelArg<&'a T, M> for &'a T {
    const BUFFER: u64 = FIELD_BUFFER | T::ACCESS;
    type Extra = ();
    type Kept = &'a ();
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        ptr::from_ref::<T>(self).cast()
    }
    #[inline(always)]
    fn bytes(&self) -> u64 {
        const { size_of::<T>() as u64 }
    }
    #[inline(always)]
    fn extra(&self) {}
    #[inline(always)]
    unsafe fn rebuild(fields: &mut Fields) -> &'a T {
        // SAFETY: the launch's buffer holds a `T`.
        unsafe { reference(fields.buffer::<T>()) }
    }
}

macro_rules! slices {
    ($([$($generics:tt)*] $Arg:ty;)*) => { $(
        // SAFETY: as for `&'a T`, over the slice's elements.
        unsafe impl<'a, T: Shared, M, $($generics)*> KernelArg<&'a [T], M> for &'a $Arg {
            const BUFFER: u64 = FIELD_BUFFER | T::ACCESS;
            type Extra = usize;
            type Kept = &'a ();
            #[inline(always)]
            fn pointer(&self) -> *const c_void {
                let slice: &[T] = &**self;
                slice.as_ptr().cast()
            }
            #[inline(always)]
            fn bytes(&self) -> u64 {
                let slice: &[T] = &**self;
                size_of_val(slice) as u64
            }
            #[inline(always)]
            fn extra(&self) -> usize {
                self.len()
            }
            #[inline(always)]
            unsafe fn rebuild(fields: &mut Fields) -> &'a [T] {
                // SAFETY: the launch's buffer holds that many elements.
                unsafe {
                    let data = fields.buffer::<T>();
                    let length = fields.bytes::<usize>();
                    reference(ptr::slice_from_raw_parts(data, length))
                }
            }
        }
    )* };
}

slices! {
    [] [T];
    [const N: usize] [T; N];
    [] Vec<T>;
    [] Box<[T]>;
}

macro_rules! strings {
    ($($Arg:ty)*) => { $(
        // SAFETY: the bytes are readable for 'a, and plain.
        unsafe impl<'a, M> KernelArg<&'a str, M> for &'a $Arg {
            const BUFFER: u64 = IN;
            type Extra = usize;
            type Kept = &'a ();
            #[inline(always)]
            fn pointer(&self) -> *const c_void {
                self.as_ptr().cast()
            }
            #[inline(always)]
            fn bytes(&self) -> u64 {
                self.len() as u64
            }
            #[inline(always)]
            fn extra(&self) -> usize {
                self.len()
            }
            #[inline(always)]
            unsafe fn rebuild(fields: &mut Fields) -> &'a str {
                // SAFETY: the bytes are those of a `str`.
                unsafe {
                    core::str::from_utf8_unchecked(<&[u8] as KernelArg<&[u8], M>>::rebuild(fields))
                }
            }
        }
    )* };
}

strings!(str String);
