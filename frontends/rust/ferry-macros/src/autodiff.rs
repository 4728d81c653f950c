// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `#[autodiff_forward]` and `#[autodiff_reverse]`.
//!
//! ```text
//! #[autodiff_reverse(df, Duplicated, Const, Active)]
//! fn f(x: &[f64], n: usize) -> f64 { … }
//! ```
//!
//! stays as it is and gets beside it, in short,
//!
//! ```text
//! fn df(x: &[f64], dx: &mut [f64], n: usize, seed: f64) -> f64 {
//!     (&&Pair(&*x, &*dx)).check("x");
//!     let constants = (n,);
//!     let args = (x,);
//!     let mut shadows = shadows::<_, 1>(&args);
//!     place(&raw mut (*shadows[0].as_mut_ptr()).0, dx);
//!     let value = reverse(|(n,), (x,)| f(x, n), constants, args, &mut shadows, [seed]);
//!     value
//! }
//! ```
//!
//! `attribute.rs` reads the activities, `function.rs` the function's head, and
//! `derivative.rs` writes the second function. What does not fit is one error, at
//! the token that is wrong.

mod attribute;
mod derivative;
mod function;

use crate::Refusal;
use proc_macro::TokenStream;

/// What kind of derivative an attribute asks for.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Forward,
    Reverse,
}

pub fn expand(mode: Mode, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut output = item.clone();
    match derive(mode, arguments, item) {
        Ok(derivative) => output.extend(derivative),
        Err(refusal) => output.extend(refusal.compile_error()),
    }
    output
}

fn derive(mode: Mode, arguments: TokenStream, item: TokenStream) -> Result<TokenStream, Refusal> {
    let function = function::Function::read(item)?;
    let attribute = attribute::Attribute::read(mode, arguments)?;
    let assigned = attribute.assign(&function)?;
    Ok(derivative::write(&function, &attribute, &assigned))
}
