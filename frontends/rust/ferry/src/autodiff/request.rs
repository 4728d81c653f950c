// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What the attributes' functions call.
//!
//! To the plugin every function looks the same: it takes two tuples in memory,
//! one of constants and one of what is differentiated, and writes its result to
//! memory. All but the first have shadows, which are tuples too: references in
//! them lead to the user's shadows, numbers are gradients or tangents themselves.
//! When that is inlined, nothing of the tuples is left.

use core::mem::MaybeUninit;

/// Numbers, and arrays and tuples of numbers: what can be `Active`.
///
/// ```
/// # use ferry::prelude::*;
/// #[autodiff_reverse(d_dot, Active, Active, Active)]
/// fn dot(x: [f64; 2], y: (f64, f64)) -> f64 {
///     x[0] * y.0 + x[1] * y.1
/// }
/// ```
///
/// # Safety
/// The type holds no padding that matters, no pointer, and is zero where all
/// bytes are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be `Active`",
    label = "not a number, nor an array or tuple of numbers",
    note = "arguments behind references are `Duplicated`; others are `Const`"
)]
pub unsafe trait Active: Copy {}

// SAFETY: numbers and nothing else.
unsafe impl Active for f32 {}
// SAFETY: as above.
unsafe impl Active for f64 {}
// SAFETY: as its elements.
unsafe impl<T: Active, const N: usize> Active for [T; N] {}

macro_rules! tuples {
    ($($name:ident)*) => {
        // SAFETY: as its members.
        unsafe impl<$($name: Active),*> Active for ($($name,)*) {}
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);

/// Room for the shadows of `args`.
pub fn shadows<A, const N: usize>(_args: &A) -> [MaybeUninit<A>; N] {
    [const { MaybeUninit::uninit() }; N]
}

/// Puts `shadow` where the shadow of a `T` belongs: `&mut [f64]` for `&[f64]`.
///
/// # Safety
/// The place can be written, and the types differ in mutability alone.
pub unsafe fn place<T, S>(place: *mut T, shadow: S) {
    const { assert!(size_of::<T>() == size_of::<S>() && align_of::<T>() == align_of::<S>()) };
    // SAFETY: the caller's promise.
    unsafe { place.cast::<S>().write(shadow) };
}

/// Puts the part number `lane` of `shadow`, which holds one behind the other, where
/// the shadow of a slice belongs.
///
/// # Safety
/// As for [`place`], and there is such a part.
pub unsafe fn place_strided<T, E>(place: *mut T, shadow: *const E, length: usize, lane: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let start = shadow.add(lane * length);
        self::place(place, core::ptr::slice_from_raw_parts(start, length));
    }
}

/// The gradient of what nothing has been added to.
///
/// # Safety
/// The place can be written.
pub unsafe fn zero<T: Active>(place: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { place.write_bytes(0, 1) };
}

/// Compiles if the result of a function can be `Active`.
pub fn is_active<R: Active>() {}

/// What is differentiated.
///
/// # Safety
/// The first two can be read, and what is read is not used again; the third can be
/// written.
#[cfg(ferry_plugin)]
unsafe extern "C-unwind" fn call<F, C, A, R>(constants: *const C, args: *const A, result: *mut R)
where
    F: Fn(C, A) -> R,
{
    // SAFETY: the caller's promise; an F is nothing but its type.
    unsafe {
        let function = core::ptr::NonNull::<F>::dangling().as_ref();
        result.write(function(constants.read(), args.read()));
    }
}

#[cfg(ferry_plugin)]
mod plugin {
    use core::ffi::{c_int, c_void};

    unsafe extern "C-unwind" {
        pub fn __enzyme_autodiff(function: *const c_void, ...);
        pub fn __enzyme_fwddiff(function: *const c_void, ...);
    }
    unsafe extern "C" {
        pub static enzyme_width: c_int;
        pub static enzyme_const: c_int;
        pub static enzyme_dupv: c_int;
    }
}

#[cfg(ferry_plugin)]
use plugin::*;

/// The request, in Enzyme's convention: shadows lie one behind the other. `constants`
/// and `args` are moved into the function. What stands before and after the result
/// says how it is differentiated.
#[cfg(ferry_plugin)]
macro_rules! request {
    ($request:ident, $constants:ident, $args:ident, $shadows:ident,
     [$($before:expr),*], [$($after:expr),*]) => {{
        const { assert!(size_of::<F>() == 0, "the function captures something") };
        let (constants, args) = (MaybeUninit::new($constants), MaybeUninit::new($args));
        let mut result = MaybeUninit::<R>::uninit();
        let function: unsafe extern "C-unwind" fn(*const C, *const A, *mut R) = call::<F, C, A, R>;
        // SAFETY: the operands are those of the convention.
        unsafe {
            $request(
                function as *const core::ffi::c_void,
                &raw const enzyme_width,
                N as core::ffi::c_int,
                &raw const enzyme_const,
                &raw const constants,
                &raw const enzyme_dupv,
                size_of::<A>(),
                &raw const args,
                $shadows.as_mut_ptr(),
                $($before,)*
                &raw mut result,
                $($after,)*
            );
            result.assume_init()
        }
    }};
}

/// What stands in for the plugin in a plain cargo build.
#[cfg(not(ferry_plugin))]
macro_rules! request {
    ($request:ident, $($operand:ident),*, [$($before:expr),*], [$($after:expr),*]) => {{
        let _ = ($(&$operand,)*);
        panic!("there are no derivatives: {}", crate::error::NO_PLUGIN)
    }};
}

/// The function's value; the gradients are added to the shadows.
///
/// # Safety
/// Each shadow is placed, and as large as what it belongs to. `F` captures nothing.
#[inline(never)]
#[cfg_attr(not(ferry_plugin), allow(unused))]
pub unsafe fn reverse<F, C, A, R, const N: usize>(
    _: F,
    constants: C,
    args: A,
    shadows: &mut [MaybeUninit<A>; N],
    seeds: [R; N],
) -> R
where
    F: Fn(C, A) -> R,
{
    let mut seeds = seeds.map(MaybeUninit::new);
    request!(
        __enzyme_autodiff,
        constants,
        args,
        shadows,
        [&raw const enzyme_dupv, size_of::<R>()],
        [seeds.as_mut_ptr()]
    )
}

/// As [`reverse`], of a function that returns nothing to differentiate.
///
/// # Safety
/// As for [`reverse`].
#[inline(never)]
#[cfg_attr(not(ferry_plugin), allow(unused))]
pub unsafe fn reverse_const<F, C, A, R, const N: usize>(
    _: F,
    constants: C,
    args: A,
    shadows: &mut [MaybeUninit<A>; N],
) -> R
where
    F: Fn(C, A) -> R,
{
    request!(__enzyme_autodiff, constants, args, shadows, [&raw const enzyme_const], [])
}

/// The function's value and its tangents.
///
/// # Safety
/// As for [`reverse`].
#[inline(never)]
#[cfg_attr(not(ferry_plugin), allow(unused))]
pub unsafe fn forward<F, C, A, R, const N: usize>(
    _: F,
    constants: C,
    args: A,
    shadows: &mut [MaybeUninit<A>; N],
) -> (R, [R; N])
where
    F: Fn(C, A) -> R,
{
    let mut tangents = [const { MaybeUninit::<R>::zeroed() }; N];
    let value = request!(
        __enzyme_fwddiff,
        constants,
        args,
        shadows,
        [&raw const enzyme_dupv, size_of::<R>()],
        [tangents.as_mut_ptr()]
    );
    // SAFETY: where the function writes its result, its derivative writes these.
    (value, tangents.map(|tangent| unsafe { tangent.assume_init() }))
}

/// As [`forward`], of a function that returns nothing to differentiate.
///
/// # Safety
/// As for [`reverse`].
#[inline(never)]
#[cfg_attr(not(ferry_plugin), allow(unused))]
pub unsafe fn forward_const<F, C, A, R, const N: usize>(
    _: F,
    constants: C,
    args: A,
    shadows: &mut [MaybeUninit<A>; N],
) -> R
where
    F: Fn(C, A) -> R,
{
    request!(__enzyme_fwddiff, constants, args, shadows, [&raw const enzyme_const], [])
}
