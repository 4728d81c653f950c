// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `Plain`: the types whose bytes mean the same on host and device.

use crate::args::{Checked, KernelArg, Unchecked};
use crate::marker;
use core::num::*;
use core::sync::atomic::*;

/// Types that a launch may copy to a device and back as bytes.
///
/// Scalars, `bool`, `char`, arrays, tuples, `Option`s and the structs and enums
/// of those are plain. Derive it:
///
/// ```no_run
/// # use ferry::prelude::*;
/// #[derive(Clone, Copy, Plain)]
/// struct Particle {
///     position: [f32; 3],
///     mass: f32,
/// }
///
/// fn drop_by(height: f32, p: &mut Particle) {
///     p.position[2] -= height;
/// }
/// # let mut particles = [Particle { position: [0.0; 3], mass: 1.0 }; 4];
/// launch(drop_by, over(4), (0.5, each(&mut particles)))?;
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// No particular `repr` is needed, not even for enums that carry data: device
/// code is cut out of the host's own code, so both agree about the layout.
///
/// # Safety
/// The laws that the derive macro checks. A plain type holds no address of host
/// memory or code (references, pointers, `fn` pointers, `Box`, `Vec`, `Rc`), and
/// no interior mutability, so that nothing behind a `&T` changes while a kernel
/// runs. It may be used on any thread, as `Send` and `Sync` say.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data: it cannot be copied to a device as bytes",
    label = "not plain data",
    note = "scalars, arrays, tuples and `#[derive(Clone, Copy, Plain)]` structs and enums of those are plain",
    note = "references, pointers, `fn` pointers, `Box`, `Vec`, `String` hold addresses that mean nothing on a device: pass what they point to as an argument of its own, such as `&v` or `each(&mut v)`",
    note = "`Cell`, `RefCell`, `Mutex` would race: use the atomic types of `core::sync::atomic` as `&AtomicX` or `&[AtomicX]`"
)]
pub unsafe trait Plain:
    Copy + 'static + KernelArg<Self, Checked> + KernelArg<Self, Unchecked>
{
}

/// What a kernel may see through `&T` and `&[T]`: plain data, which then nobody
/// writes, or an atomic, which everybody may.
///
/// # Safety
/// All threads may share a `&Self`, and `ACCESS` tells the truth: without
/// `FIELD_WRITE` there is no interior mutability.
#[doc(hidden)]
pub unsafe trait Shared {
    const ACCESS: u64;
}

// SAFETY: `Plain` is `Copy`, and no type with an `UnsafeCell` is.
unsafe impl<T: Plain> Shared for T {
    const ACCESS: u64 = marker::FIELD_READ | marker::FIELD_UNIQUE;
}

macro_rules! atomics {
    ($($T:ty)*) => { $(
        // SAFETY: written through `&`, as FIELD_WRITE says; another argument may
        // be the same atomic, so it is not unique.
        unsafe impl Shared for $T {
            const ACCESS: u64 = marker::FIELD_READ | marker::FIELD_WRITE;
        }
    )* };
}

atomics! { AtomicBool AtomicI8 AtomicI16 AtomicI32 AtomicI64 AtomicIsize
AtomicU8 AtomicU16 AtomicU32 AtomicU64 AtomicUsize
crate::gpu::AtomicF32 crate::gpu::AtomicF64 }

/// Makes a type plain: `plain!([generic parameters] [type] [where clause])`. The
/// derive macro ends here too, after it has checked the fields.
#[doc(hidden)]
#[macro_export]
macro_rules! __plain {
    ([$($generics:tt)*] [$T:ty] [$($bounds:tt)*]) => {
        // SAFETY: whoever calls the macro has checked the laws of `Plain`.
        unsafe impl<$($generics)*> $crate::Plain for $T $($bounds)* {}

        // SAFETY: the value travels as the bytes of one field.
        unsafe impl<$($generics)* __Mode> $crate::__private::KernelArg<Self, __Mode> for $T
        $($bounds)*
        {
            const BUFFER: u64 = $crate::__private::NO_BUFFER;
            type Extra = Self;
            type Kept = ();
            #[inline(always)]
            fn extra(&self) -> Self {
                *self
            }
            #[inline(always)]
            unsafe fn rebuild(fields: &mut $crate::__private::Fields) -> Self {
                unsafe { fields.bytes::<Self>() }
            }
        }
    };
}

macro_rules! scalars {
    ($($T:ty)*) => { $( __plain!([] [$T] []); )* };
}

scalars! { () bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI128 NonZeroIsize
NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU128 NonZeroUsize }

__plain!([T: Plain, const N: usize,] [[T; N]] []);
__plain!([T: Plain,] [Option<T>] []);
__plain!([T: Plain,] [Wrapping<T>] []);

macro_rules! tuples {
    ($Last:ident) => { __plain!([$Last: Plain,] [($Last,)] []); };
    ($First:ident $($Rest:ident)*) => {
        __plain!([$First: Plain, $($Rest: Plain,)*] [($First, $($Rest,)*)] []);
        tuples!($($Rest)*);
    };
}

tuples!(A B C D E F G H I J K L);
