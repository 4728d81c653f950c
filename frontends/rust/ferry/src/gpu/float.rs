// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The smaller and the larger of two floats where the answer must not depend on
//! their order: -0.0 is smaller than 0.0, and a NaN loses against a number
//! (IEEE 754's minimumNumber and maximumNumber). `f32::min` may return either zero.

macro_rules! floats {
    ($($float:ident)*) => { $(
        pub mod $float {
            #[inline(always)]
            fn is_less(a: $float, b: $float) -> bool {
                a < b || (a == b && a.is_sign_negative() && !b.is_sign_negative())
            }
            #[inline(always)]
            pub fn smaller(a: $float, b: $float) -> $float {
                if is_less(b, a) || a.is_nan() { b } else { a }
            }
            #[inline(always)]
            pub fn larger(a: $float, b: $float) -> $float {
                if is_less(a, b) || a.is_nan() { b } else { a }
            }
        }
    )* };
}

floats! { f32 f64 }
