// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Derivatives of functions, in the words of `std::autodiff`.
//!
//! [`autodiff_reverse`] stands on a function and makes a second one, which
//! computes the value and the gradients:
//!
//! ```no_run
//! use ferry::prelude::*;
//!
//! #[autodiff_reverse(d_energy, Duplicated, Const, Active)]
//! fn energy(x: &[f64], k: f64) -> f64 {
//!     x.windows(2).map(|w| 0.5 * k * (w[1] - w[0]).powi(2)).sum()
//! }
//!
//! let (x, mut dx) = ([1.0, 2.0, 4.0], [0.0; 3]);
//! let value = d_energy(&x, &mut dx, 3.0, 1.0); // the seed is 1
//! assert_eq!((value, dx), (7.5, [-3.0, -3.0, 6.0]));
//! ```
//!
//! Both attributes say a name, maybe a width, an activity for each argument and,
//! if the function returns something, one for the result.
//!
//! | reverse mode | | the derivative has |
//! |---|---|---|
//! | `Const` | argument | nothing more |
//! | `Active` | an argument that is a number, or an array or tuple of numbers | its gradient, in the result |
//! | `Duplicated` | an argument `&T` or `&mut T` | a shadow `&mut T` behind it, to which the gradient is added |
//! | `DuplicatedOnly` | the same, what the function writes there is not needed | the same |
//! | `Active` | result `T` | a last argument `seed: T`, and the value first in the result |
//! | `ActiveOnly` | result | the seed, and no value |
//! | `Const` | result | the value |
//!
//! | forward mode | | the derivative has |
//! |---|---|---|
//! | `Const` | argument | nothing more |
//! | `Dual` | any argument | a tangent of the same type behind it |
//! | `DualOnly` | the same, what the function writes there is not needed | the same |
//! | `Dualv` | an argument `&[T]` or `&mut [T]` | all tangents one behind the other, in one slice |
//! | `Dual` | result `T` | the result `(T, T)`: value and tangent |
//! | `DualOnly` | result | the tangent |
//! | `Const` | result | the value |
//!
//! A width N computes N derivatives at once. There are N shadows behind each
//! argument, N seeds `[T; N]` and gradients `[T; N]`; in forward mode the result
//! is `[T; N + 1]`, the value first, or `[T; N]` of `DualOnly`.
//!
//! A shadow is as large as what it is the shadow of, or the derivative panics and
//! names both lengths. In reverse mode, shadows of what a function overwrites are
//! adjoints of what it leaves there, and are left as those of what was there
//! before. A derivative with an `…Only` argument is `unsafe`: that argument's
//! memory may hold anything afterwards.
//!
//! Methods and functions in traits have derivatives as well. A function of an
//! `impl` block that has neither `self` nor `Self` in its signature is named
//! `Self::NAME` in the attribute, for it looks like any other:
//! `#[autodiff_reverse(Self::d_area, Active, Active)]`.
//!
//! Derivatives are computed in programs that `cargo ferry` builds. Elsewhere they
//! panic.

mod request;
mod shape;

pub use ferry_macros::{Shadow, autodiff_forward, autodiff_reverse};
pub use request::Active;
pub use shape::Shadow;

/// For the attributes.
#[doc(hidden)]
pub mod private {
    pub use super::request::{
        forward, forward_const, is_active, place, place_strided, reverse, reverse_const, shadows,
        zero,
    };
    pub use super::shape::{BySize, ByType, Pair, check_strided};
}
