// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `gpu::print!` becomes a call that the compiler checks the values' types of:
//!
//! ```text
//! match (&(a), &(b),) {
//!     (v0, v1,) => ::ferry::__private::print("{0} {1:x}\n", [
//!         ::ferry::__private::Printable::show(v0),
//!         ::ferry::__private::Integer::show_integer(v1),
//!     ]),
//! }
//! ```

use crate::format::{Argument, Needs, rewrite};
use crate::{Refusal, is_punct, parse, spanned};
use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

/// As many as `ferry::__private::print` takes.
const MOST_VALUES: usize = 24;

pub fn expand(input: TokenStream, end: &str) -> Result<TokenStream, Refusal> {
    let mut parts = split(input).into_iter();
    let (literal, text) = match parts.next() {
        Some(part) => format_literal(part)?,
        None => (Literal::string(""), String::new()),
    };
    let span = literal.span();
    let mut arguments = Vec::new();
    let mut values = Vec::new();
    for part in parts {
        let (name, value) = split_name(part)?;
        let duplicate = |a: &Argument| name.is_some() && a.name == name;
        if arguments.iter().any(duplicate) {
            let name = name.unwrap_or_default();
            return Err(Refusal::new(first_span(&value), format!("two arguments named `{name}`")));
        }
        if name.is_none() && arguments.last().is_some_and(|a: &Argument| a.name.is_some()) {
            return Err(Refusal::new(
                first_span(&value),
                "named arguments come after those without a name",
            ));
        }
        arguments.push(Argument { name, captured: false, needs: None });
        values.push(value);
    }

    let format = rewrite(&text, &mut arguments).map_err(|why| Refusal::new(span, why))?;
    for argument in arguments.iter().filter(|argument| argument.captured) {
        let name = argument.name.as_deref().unwrap_or_default();
        let ident = TokenTree::Ident(Ident::new(name, span));
        values.push(ident.into());
    }
    if let Some(unused) = arguments.iter().position(|a| a.needs.is_none()) {
        return Err(Refusal::new(first_span(&values[unused]), "no field shows this argument"));
    }
    if values.len() > MOST_VALUES {
        return Err(Refusal::new(span, format!("more than {MOST_VALUES} values to print")));
    }
    Ok(call(&(format + end), &arguments, &values))
}

fn call(format: &str, arguments: &[Argument], values: &[TokenStream]) -> TokenStream {
    let mut references = TokenStream::new();
    let mut names = TokenStream::new();
    let mut shown = TokenStream::new();
    for (number, (argument, value)) in arguments.iter().zip(values).enumerate() {
        let span = first_span(value);
        let name = TokenTree::Ident(Ident::new(
            &format!("v{number}"),
            Span::mixed_site().located_at(span),
        ));
        references.extend(spanned(parse("&"), span));
        references.extend([group(Delimiter::Parenthesis, value.clone())]);
        references.extend(parse(","));
        names.extend([name.clone()]);
        names.extend(parse(","));
        let function = match argument.needs {
            Some(Needs::Integer) => "Integer::show_integer",
            Some(Needs::Number) => "Number::show_number",
            Some(Needs::Count) => "show_count",
            _ => "Printable::show",
        };
        shown.extend(spanned(parse(&format!("::ferry::__private::{function}")), span));
        shown.extend([group(Delimiter::Parenthesis, name.into())]);
        shown.extend(parse(","));
    }

    let mut operands = TokenStream::from(TokenTree::Literal(Literal::string(format)));
    operands.extend(parse(","));
    operands.extend([group(Delimiter::Bracket, shown)]);
    let mut arm = TokenStream::from(group(Delimiter::Parenthesis, names));
    arm.extend(parse("=> ::ferry::__private::print"));
    arm.extend([group(Delimiter::Parenthesis, operands)]);
    let mut output = parse("match");
    output.extend([group(Delimiter::Parenthesis, references), group(Delimiter::Brace, arm)]);
    output
}

fn group(delimiter: Delimiter, stream: TokenStream) -> TokenTree {
    TokenTree::from(Group::new(delimiter, stream))
}

fn first_span(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::call_site, |tree| tree.span())
}

/// Splits at commas. Those between the angle brackets of `f::<A, B>(x)` do not
/// count; any other `<` in an expression is a comparison.
fn split(input: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    let mut depth = 0;
    let mut before = [' '; 2];
    for tree in input {
        let c = match &tree {
            TokenTree::Punct(p) => p.as_char(),
            _ => ' ',
        };
        match c {
            '<' if depth > 0 || before == [':', ':'] => depth += 1,
            '>' if depth > 0 && before[1] != '-' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(TokenStream::new());
                before = [' '; 2];
                continue;
            }
            _ => {}
        }
        before = [before[1], c];
        parts.last_mut().expect("there is one at least").extend([tree]);
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}

/// Takes `name =` off an argument.
fn split_name(part: TokenStream) -> Result<(Option<String>, TokenStream), Refusal> {
    let mut trees = part.clone().into_iter();
    let (first, second, third) = (trees.next(), trees.next(), trees.next());
    let Some(first) = first else {
        return Err(Refusal::new(Span::call_site(), "an argument is missing between two commas"));
    };
    if let TokenTree::Ident(name) = &first
        && is_punct(second.as_ref(), '=')
        && !is_punct(third.as_ref(), '=')
    {
        let value: TokenStream = third.into_iter().chain(trees).collect();
        if value.is_empty() {
            return Err(Refusal::new(name.span(), "an argument has a name and no value"));
        }
        return Ok((Some(name.to_string()), value));
    }
    Ok((None, part))
}

/// The format, and its text.
fn format_literal(part: TokenStream) -> Result<(Literal, String), Refusal> {
    let mut trees = part.into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Literal(literal)), None) => {
            let Some(text) = unquote(&literal.to_string()) else {
                return Err(Refusal::new(literal.span(), "the format is not a string"));
            };
            Ok((literal, text))
        }
        // What a macro passes on as `$format:literal`.
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            format_literal(group.stream())
        }
        (tree, _) => {
            let span = tree.map_or_else(Span::call_site, |tree| tree.span());
            Err(Refusal::new(span, "the format must be a string literal, such as \"{}\""))
        }
    }
}

/// The text of a string literal.
fn unquote(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw.get(hashes + 1..raw.len() - hashes - 1)?;
        return Some(inner.to_string());
    }
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match rest.next()? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            '0' => text.push('\0'),
            'x' => {
                let digits: String = [rest.next()?, rest.next()?].iter().collect();
                text.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
            }
            'u' => {
                let braced: String =
                    rest.by_ref().skip(1).take_while(|c| *c != '}').filter(|c| *c != '_').collect();
                text.push(char::from_u32(u32::from_str_radix(&braced, 16).ok()?)?);
            }
            '\n' => while rest.next_if(|c| c.is_whitespace()).is_some() {},
            other => text.push(other),
        }
    }
    Some(text)
}
