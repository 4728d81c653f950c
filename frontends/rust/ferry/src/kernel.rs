// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Kernels, tuples of arguments, and the marker call.
//!
//! A kernel is a value of a zero-sized `Fn` type: a `fn` item or a closure that
//! captures nothing. Its type alone names the code, so `shim::<F, ..>` is the
//! function that the plugin cuts out, and one instance is one kernel.

use crate::args::{Fields, KernelArg};
use crate::marker;
use crate::shape::Shape;
use core::panic::Location;
use core::ptr::NonNull;

/// A function that can be launched with parameters of the types in the tuple `P`:
/// any safe `fn` or captureless closure that returns nothing and has at most 24
/// parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a kernel",
    label = "not a kernel",
    note = "a kernel is a safe `fn`, or a closure that captures nothing, with at most 24 parameters",
    note = "it returns nothing: results go to a parameter, such as a `&mut T` launched with `each(&mut v)`"
)]
pub trait Kernel<P>: Sync {
    #[doc(hidden)]
    fn run(&self, parameters: P);
}

/// Refuses, at compile time, a kernel that is more than its type.
pub const fn assert_captures_nothing<F>() {
    assert!(
        size_of::<F>() == 0,
        "a kernel captures nothing: pass what the closure captures as an argument of the launch \
         (a `fn` pointer is no kernel either: name the function itself)"
    );
}

/// A tuple of arguments that fits a kernel's parameters `P`.
///
/// # Safety
/// `rebuild` undoes what `mark` says about the fields.
#[diagnostic::on_unimplemented(
    message = "the arguments `{Self}` do not fit the kernel's parameters `{P}`",
    label = "expected a tuple with one argument for each of `{P}`",
    note = "one argument is a tuple too: `(x,)`"
)]
pub unsafe trait Args<P, M> {
    /// What lives as long as the arguments may be used.
    #[doc(hidden)]
    type Kept;

    /// For so many threads, in a stream or, for 0, in none.
    #[doc(hidden)]
    fn check(&self, threads: u128, stream: u32) -> Result<(), (usize, String)>;

    /// # Safety
    /// The laws of `launch_unchecked`, unless M is `Checked`.
    #[doc(hidden)]
    unsafe fn mark<F: Kernel<P>, S: Shape>(
        &self,
        name: &str,
        place: &Location<'_>,
        shape: &S,
    ) -> i32;

    /// As `mark`, for a kernel of the library, which gets `told` and two buffers
    /// before the arguments: scratch memory, and memory that it writes.
    ///
    /// # Safety
    /// `scratch` and `result` may be written for as many bytes.
    #[doc(hidden)]
    unsafe fn mark_part<K: Part<P>, S: Shape>(
        &self,
        name: &str,
        place: &Location<'_>,
        shape: &S,
        told: &K::Told,
        scratch: (*mut u8, u64),
        result: (*mut u8, u64),
    ) -> i32;

    /// # Safety
    /// `fields` stands at these arguments' fields, and the caller is a thread of
    /// the launch.
    #[doc(hidden)]
    unsafe fn rebuild(fields: &mut Fields) -> P;
}

/// A kernel of the library that does something with parameters `P` of the user's.
pub trait Part<P> {
    /// Plain data that all threads are told.
    type Told: Copy;
    /// # Safety
    /// The caller is a thread of a launch that `mark_part` describes.
    unsafe fn run(told: Self::Told, scratch: *mut u8, result: *mut u8, parameters: P);
}

/// A function of an element's number and of parameters `P` that gives a `T`: any
/// safe `fn` or captureless closure with up to 24 parameters besides the number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give a `{T}` for each element",
    label = "not a function of an element's number",
    note = "its first parameter is the element's number, a `usize`; then come the parameters for the arguments: `|i: usize, x: &[f32]| x[i]`"
)]
pub trait Element<P, T>: Sync {
    #[doc(hidden)]
    fn value(&self, number: usize, parameters: P) -> T;
}

/// Runs one thread of kernel `F`.
///
/// # Safety
/// As for `Args::rebuild`.
#[cfg_attr(not(ferry_plugin), allow(dead_code))]
unsafe extern "C-unwind" fn shim<F: Kernel<P>, A: Args<P, M>, P, M>(block: *const u8) {
    // SAFETY: `F` has no bytes to read, `launch` holds a value of it until all
    // threads are done, and `Kernel` is `Sync`: a reference to it may be anywhere.
    let kernel = unsafe { NonNull::<F>::dangling().as_ref() };
    // SAFETY: the caller's promise.
    kernel.run(unsafe { A::rebuild(&mut Fields::new(block)) });
}

/// Runs one thread of kernel `K`.
///
/// # Safety
/// `block` is the block of a launch that `mark_part` has described, and the caller
/// one of its threads.
#[cfg_attr(not(ferry_plugin), allow(dead_code))]
unsafe extern "C-unwind" fn part_shim<K: Part<P>, A: Args<P, M>, P, M>(block: *const u8) {
    let mut fields = Fields::new(block);
    // SAFETY: the caller's promise; the fields are read in order.
    unsafe {
        let told = fields.bytes::<K::Told>();
        let (scratch, result) = (fields.buffer::<u8>(), fields.buffer::<u8>());
        K::run(told, scratch, result, A::rebuild(&mut fields));
    }
}

macro_rules! arity {
    ($($A:ident $P:ident $extra:ident $number:tt)*) => {
        impl<F: Fn($($P),*) + Sync, $($P),*> Kernel<($($P,)*)> for F {
            #[inline(always)]
            #[allow(non_snake_case)]
            fn run(&self, ($($P,)*): ($($P,)*)) {
                self($($P),*);
            }
        }

        impl<T, F: Fn(usize, $($P),*) -> T + Sync, $($P),*> Element<($($P,)*), T> for F {
            #[inline(always)]
            #[allow(non_snake_case)]
            fn value(&self, number: usize, ($($P,)*): ($($P,)*)) -> T {
                self(number, $($P),*)
            }
        }

        // SAFETY: all go through the fields of all arguments in order.
        unsafe impl<M, $($A: KernelArg<$P, M>, $P),*> Args<($($P,)*), M> for ($($A,)*) {
            type Kept = ($(<$A as KernelArg<$P, M>>::Kept,)*);

            #[inline(always)]
            #[allow(unused_variables)]
            fn check(&self, threads: u128, stream: u32) -> Result<(), (usize, String)> {
                $(
                    if <$A as KernelArg<$P, M>>::LENT && self.$number.stream() != stream {
                        return Err(($number + 1, crate::stream::of_another(stream)));
                    }
                    if let Err(what) = self.$number.check(threads) {
                        return Err(($number + 1, what));
                    }
                )*
                Ok(())
            }

            #[inline(always)]
            unsafe fn mark<F: Kernel<($($P,)*)>, S: Shape>(
                &self,
                name: &str,
                place: &Location<'_>,
                shape: &S,
            ) -> i32 {
                let shape = shape.raw();
                let file = place.file();
                $( let $extra = self.$number.extra(); )*
                marker::launch!(
                    shim::<F, Self, ($($P,)*), M>,
                    name.as_ptr(),
                    name.len() as u64,
                    file.as_ptr(),
                    file.len() as u64,
                    u64::from(place.line()),
                    u64::from(place.column()),
                    S::KIND,
                    shape.extent[0],
                    shape.extent[1],
                    shape.extent[2],
                    shape.block[0],
                    shape.block[1],
                    shape.block[2],
                    shape.shared_bytes,
                    shape.device,
                    const { 2 * <[&str]>::len(&[$(stringify!($A)),*]) as u64 }
                    $(,
                        <$A as KernelArg<$P, M>>::BUFFER,
                        self.$number.pointer(),
                        self.$number.bytes(),
                        marker::FIELD_BYTES,
                        &raw const $extra,
                        const { size_of::<<$A as KernelArg<$P, M>>::Extra>() as u64 }
                    )*
                )
            }

            #[inline(always)]
            unsafe fn mark_part<K: Part<($($P,)*)>, S: Shape>(
                &self,
                name: &str,
                place: &Location<'_>,
                shape: &S,
                told: &K::Told,
                scratch: (*mut u8, u64),
                result: (*mut u8, u64),
            ) -> i32 {
                let shape = shape.raw();
                let file = place.file();
                $( let $extra = self.$number.extra(); )*
                marker::launch!(
                    part_shim::<K, Self, ($($P,)*), M>,
                    name.as_ptr(),
                    name.len() as u64,
                    file.as_ptr(),
                    file.len() as u64,
                    u64::from(place.line()),
                    u64::from(place.column()),
                    S::KIND,
                    shape.extent[0],
                    shape.extent[1],
                    shape.extent[2],
                    shape.block[0],
                    shape.block[1],
                    shape.block[2],
                    shape.shared_bytes,
                    shape.device,
                    const { 3 + 2 * <[&str]>::len(&[$(stringify!($A)),*]) as u64 },
                    marker::FIELD_BYTES,
                    core::ptr::from_ref(told),
                    const { size_of::<K::Told>() as u64 },
                    marker::FIELD_BUFFER | marker::FIELD_SCRATCH | marker::FIELD_UNIQUE,
                    scratch.0,
                    scratch.1,
                    marker::FIELD_BUFFER | marker::FIELD_WRITE | marker::FIELD_UNIQUE,
                    result.0,
                    result.1
                    $(,
                        <$A as KernelArg<$P, M>>::BUFFER,
                        self.$number.pointer(),
                        self.$number.bytes(),
                        marker::FIELD_BYTES,
                        &raw const $extra,
                        const { size_of::<<$A as KernelArg<$P, M>>::Extra>() as u64 }
                    )*
                )
            }

            #[inline(always)]
            #[allow(clippy::unused_unit)]
            unsafe fn rebuild(#[allow(unused_variables)] fields: &mut Fields) -> ($($P,)*) {
                // SAFETY: a tuple's fields are evaluated in order, and so stand
                // the fields in the block.
                ($(unsafe { <$A as KernelArg<$P, M>>::rebuild(fields) },)*)
            }
        }
    };
}

/// Calls `arity!` for the first n of these arguments, n = 0 to 24.
macro_rules! arities {
    ([$($done:tt)*]) => { arity!($($done)*); };
    ([$($done:tt)*] $A:ident $P:ident $extra:ident $number:tt $($rest:tt)*) => {
        arity!($($done)*);
        arities!([$($done)* $A $P $extra $number] $($rest)*);
    };
}

arities! { []
A0 P0 e0 0 A1 P1 e1 1 A2 P2 e2 2 A3 P3 e3 3 A4 P4 e4 4 A5 P5 e5 5
A6 P6 e6 6 A7 P7 e7 7 A8 P8 e8 8 A9 P9 e9 9 A10 P10 e10 10 A11 P11 e11 11
A12 P12 e12 12 A13 P13 e13 13 A14 P14 e14 14 A15 P15 e15 15 A16 P16 e16 16 A17 P17 e17 17
A18 P18 e18 18 A19 P19 e19 19 A20 P20 e20 20 A21 P21 e21 21 A22 P22 e22 22 A23 P23 e23 23 }
