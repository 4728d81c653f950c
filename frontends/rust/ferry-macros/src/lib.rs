// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The macros of the ferry crate.

mod autodiff;
mod format;
mod plain;
mod print;
mod shadow;

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
/// `ferry::gpu::AnyBits` for a struct whose fields all are that.
#[proc_macro_derive(Plain)]
pub fn derive_plain(input: TokenStream) -> TokenStream {
    plain::expand(input).unwrap_or_else(|refusal| refusal.compile_error())
}

/// `ferry::gpu::print!`; its documentation stands there.
#[proc_macro]
pub fn print(input: TokenStream) -> TokenStream {
    print::expand(input, "").unwrap_or_else(|refusal| refusal.compile_error())
}

/// `ferry::gpu::println!`; its documentation stands there.
#[proc_macro]
pub fn println(input: TokenStream) -> TokenStream {
    print::expand(input, "\n").unwrap_or_else(|refusal| refusal.compile_error())
}

/// Makes a function that computes a function's forward-mode derivative;
/// `ferry::autodiff` has the documentation.
#[proc_macro_attribute]
pub fn autodiff_forward(arguments: TokenStream, item: TokenStream) -> TokenStream {
    autodiff::expand(autodiff::Mode::Forward, arguments, item)
}

/// Makes a function that computes a function's value and gradients;
/// `ferry::autodiff` has the documentation.
#[proc_macro_attribute]
pub fn autodiff_reverse(arguments: TokenStream, item: TokenStream) -> TokenStream {
    autodiff::expand(autodiff::Mode::Reverse, arguments, item)
}

/// Implements `ferry::autodiff::Shadow` for a struct whose fields all do.
#[proc_macro_derive(Shadow)]
pub fn derive_shadow(input: TokenStream) -> TokenStream {
    shadow::expand(input).unwrap_or_else(|refusal| refusal.compile_error())
}
