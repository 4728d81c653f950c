// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What `launch_unchecked` takes besides: all of `&mut v` for every thread. That
//! the threads do not alias is its caller's promise.

use crate::args::{Fields, IN_OUT, KernelArg, Unchecked, unique};
use crate::plain::Plain;
use core::ffi::c_void;
use core::ptr;

macro_rules! unchecked {
    ($([$($generics:tt)*] $Arg:ty;)*) => { $(
        // SAFETY: borrowed for 'a; disjointness is the caller's promise.
        #[diagnostic::do_not_recommend]
        unsafe impl<'a, T: Plain, $($generics)*> KernelArg<&'a mut [T], Unchecked>
            for &'a mut $Arg
        {
            const BUFFER: u64 = IN_OUT;
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
            unsafe fn rebuild(fields: &mut Fields) -> &'a mut [T] {
                // SAFETY: the launch's buffer holds that many elements.
                unsafe {
                    let data = fields.buffer::<T>();
                    let length = fields.bytes::<usize>();
                    unique(ptr::slice_from_raw_parts_mut(data, length))
                }
            }
        }

        // SAFETY: as above.
        #[diagnostic::do_not_recommend]
        unsafe impl<'a, T: Plain, $($generics)*> KernelArg<*mut T, Unchecked>
            for &'a mut $Arg
        {
            const BUFFER: u64 = IN_OUT;
            type Extra = ();
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
            fn extra(&self) {}
            #[inline(always)]
            unsafe fn rebuild(fields: &mut Fields) -> *mut T {
                // SAFETY: the field is the slice's buffer.
                unsafe { fields.buffer::<T>() }
            }
        }
    )* };
}

unchecked! {
    [] [T];
    [const N: usize] [T; N];
    [] Vec<T>;
    [] Box<[T]>;
}

macro_rules! unchecked_value {
    ($($P:ty, $fields:ident => $rebuild:expr;)*) => { $(
        // SAFETY: borrowed for 'a; disjointness is the caller's promise.
        #[diagnostic::do_not_recommend]
        unsafe impl<'a, T: Plain> KernelArg<$P, Unchecked> for &'a mut T {
            const BUFFER: u64 = IN_OUT;
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
            unsafe fn rebuild($fields: &mut Fields) -> $P {
                // SAFETY: the launch's buffer holds a `T`.
                unsafe { $rebuild }
            }
        }
    )* };
}

unchecked_value! {
    &'a mut T, fields => unique(fields.buffer::<T>());
    *mut T, fields => fields.buffer::<T>();
}
