// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The macros of the ferry crate.

mod format;
mod plain;
mod print;

use proc_macro::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

/// Why a macro gives up, and where in the source.
struct Refusal {
    span: Span,
    message: String,
}

impl Refusal {
    fn new(span: Span, message: impl Into<String>) -> Refusal {
        Refusal { span, message: message.into() }
    }

    fn compile_error(&self) -> TokenStream {
        let mut tokens = parse("::core::compile_error!");
        let text = TokenTree::from(Literal::string(&self.message));
        tokens.extend([TokenTree::from(Group::new(Delimiter::Brace, text.into()))]);
        spanned(tokens, self.span)
    }
}

fn spanned(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut tree| {
            tree.set_span(span);
            tree
        })
        .collect()
}

/// Tokens of text that this crate wrote.
fn parse(text: &str) -> TokenStream {
    text.parse().expect("ferry-macros wrote tokens that do not lex")
}

fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// Implements `ferry::Plain` for a struct or enum whose fields all are plain, and
/// `ferry::gpu::AnyBits` for a struct whose fields all are numbers, arrays of
/// these and so on.
#[proc_macro_derive(Plain)]
pub fn derive_plain(input: TokenStream) -> TokenStream {
    plain::expand(input).unwrap_or_else(|refusal| refusal.compile_error())
}

/// Prints from a kernel, to the program's standard output, as `std::print!` does
/// on the host.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn check(x: &[f32]) {
///     let i = gpu::global_id();
///     if !x[i].is_finite() {
///         gpu::print!("x[{i}] = {:.3}\n", x[i]);
///     }
/// }
/// # let x = [f32::NAN];
/// launch(check, over(x.len()), (&x,))?;
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// The format is the one of [`std::fmt`], with positional, named and captured
/// arguments, fill, alignment, sign, `#`, `0`, width, precision and the types
/// `?`, `x`, `X`, `o`, `b`, `e` and `E`; a mistake in it is an error when the
/// program is built. The values are numbers of up to 64 bits, `bool` and `char`,
/// at most 24 of them.
///
/// The text of one call stays together. On a GPU it appears when the launch is
/// over, in no particular order among the threads, and what does not fit into the
/// device's buffer is counted and left out.
#[proc_macro]
pub fn print(input: TokenStream) -> TokenStream {
    print::expand(input, "").unwrap_or_else(|refusal| refusal.compile_error())
}

/// As [`print!`](macro@print), with a new line at the end.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn hello() {
///     gpu::println!("thread {} of block {}", gpu::thread_idx().x, gpu::block_idx().x);
/// }
/// launch(hello, blocks(2).threads(2), ())?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[proc_macro]
pub fn println(input: TokenStream) -> TokenStream {
    print::expand(input, "\n").unwrap_or_else(|refusal| refusal.compile_error())
}
