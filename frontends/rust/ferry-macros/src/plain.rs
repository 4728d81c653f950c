// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `#[derive(Plain)]`.
//!
//! A derive input is simple enough to read token by token: attributes, a
//! visibility, `struct` or `enum`, a name, `<generics>`, fields. What is needed of
//! it are the generics and the types of all fields; each type is then checked
//! where it stands, so that an error points at the offending field.
//!
//! A struct is `AnyBits` too if all its fields are. The condition stands in the
//! where clause; `for<'a>` in front of it keeps rustc from refusing the whole
//! implementation where it does not hold.

use crate::{Refusal, is_punct, parse, spanned};
use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use std::iter::Peekable;

pub type Tokens = Peekable<proc_macro::token_stream::IntoIter>;

const PLAIN: &str = "::ferry::Plain";

pub struct Field {
    /// `name` or `0`.
    pub name: TokenTree,
    pub ty: TokenStream,
}

pub fn expand(input: TokenStream) -> Result<TokenStream, Refusal> {
    let mut input = input.into_iter().peekable();
    let is_packed = skip_attributes_and_visibility(&mut input);
    let keyword = ident(&mut input)?;
    let name = ident(&mut input)?;
    let is_enum = match keyword.to_string().as_str() {
        "struct" => false,
        "enum" => true,
        _ => {
            return Err(Refusal::new(
                keyword.span(),
                "a union cannot be Plain: nothing says which field is valid",
            ));
        }
    };
    let generics = Generics::read(&mut input, PLAIN)?;

    // A where clause stands before the braces of a struct or enum, but after the
    // parentheses of a tuple struct.
    let mut bounds = Vec::new();
    let mut all = Vec::new();
    for tree in input {
        match tree {
            TokenTree::Group(group) if is_body(&group, &bounds) => match is_enum {
                true => variants(group.stream(), &mut all),
                false => fields(&group, &mut all),
            },
            TokenTree::Punct(p) if p.as_char() == ';' => {}
            other => bounds.push(other),
        }
    }
    let item = Item { name, generics, bounds, fields: all };
    let mut output = item.plain();
    // What is packed need not be aligned, and moves by aligned pieces.
    if !is_enum && !is_packed {
        output.extend(item.any_bits());
    }
    Ok(output)
}

/// Whether a group at the top level holds the fields, and is no part of a where
/// clause such as `where [T; N]: Sized` or `where (T, U): Copy`.
pub fn is_body(group: &Group, before: &[TokenTree]) -> bool {
    match group.delimiter() {
        Delimiter::Brace => true,
        Delimiter::Parenthesis => before.is_empty(),
        _ => false,
    }
}

pub fn ident(input: &mut Tokens) -> Result<Ident, Refusal> {
    match input.next() {
        Some(TokenTree::Ident(ident)) => Ok(ident),
        Some(other) => Err(Refusal::new(other.span(), "expected a struct or an enum")),
        None => Err(Refusal::new(Span::call_site(), "expected a struct or an enum")),
    }
}

/// Whether one of the attributes is `repr(packed)`.
pub fn skip_attributes_and_visibility(input: &mut Tokens) -> bool {
    let mut is_packed = false;
    while is_punct(input.peek(), '#') {
        input.next();
        if let Some(TokenTree::Group(attribute)) = input.next() {
            let text = attribute.to_string();
            is_packed |= text.contains("repr") && text.contains("packed");
        }
    }
    if matches!(input.peek(), Some(TokenTree::Ident(i)) if i.to_string() == "pub") {
        input.next();
        if matches!(input.peek(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis)
        {
            input.next();
        }
    }
    is_packed
}

/// Splits at the commas that stand in no angle brackets; other brackets are
/// groups already.
pub fn split_commas(stream: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    let mut depth = 0;
    let mut before = ' ';
    for tree in stream {
        let c = match &tree {
            TokenTree::Punct(p) => p.as_char(),
            _ => ' ',
        };
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(TokenStream::new());
                before = ' ';
                continue;
            }
            _ => {}
        }
        before = c;
        parts.last_mut().expect("there is one at least").extend([tree]);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Those in `{ a: A, b: B }` or `(A, B)`.
pub fn fields(group: &Group, fields: &mut Vec<Field>) {
    for (number, field) in split_commas(group.stream()).into_iter().enumerate() {
        let mut field = field.into_iter().peekable();
        skip_attributes_and_visibility(&mut field);
        let mut name = TokenTree::from(Literal::usize_unsuffixed(number));
        if group.delimiter() == Delimiter::Brace {
            name = field.next().unwrap_or(name);
            field.next();
        }
        fields.push(Field { name, ty: field.collect() });
    }
}

/// Those of all variants of an enum. A discriminant has its groups behind `=`.
fn variants(stream: TokenStream, all: &mut Vec<Field>) {
    for variant in split_commas(stream) {
        let mut variant = variant.into_iter().peekable();
        skip_attributes_and_visibility(&mut variant);
        variant.next();
        if let Some(TokenTree::Group(group)) = variant.next() {
            fields(&group, all);
        }
    }
}

pub struct Generics {
    /// `T: Bound + Plain, const N: usize,`
    pub parameters: TokenStream,
    /// `T, N,`
    pub arguments: TokenStream,
}

impl Generics {
    /// Each type gets the bound `law` besides its own.
    pub fn read(input: &mut Tokens, law: &str) -> Result<Generics, Refusal> {
        let mut generics =
            Generics { parameters: TokenStream::new(), arguments: TokenStream::new() };
        if !is_punct(input.peek(), '<') {
            return Ok(generics);
        }
        input.next();
        let mut inside = TokenStream::new();
        let mut depth = 1;
        let mut before = ' ';
        for tree in input.by_ref() {
            let c = match &tree {
                TokenTree::Punct(p) => p.as_char(),
                _ => ' ',
            };
            match c {
                '<' => depth += 1,
                '>' if before != '-' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            before = c;
            inside.extend([tree]);
        }
        for parameter in split_commas(inside) {
            generics.add(parameter, law)?;
        }
        Ok(generics)
    }

    fn add(&mut self, parameter: TokenStream, law: &str) -> Result<(), Refusal> {
        let mut trees = parameter.into_iter().peekable();
        while is_punct(trees.peek(), '#') {
            trees.next();
            trees.next();
        }
        if is_punct(trees.peek(), '\'') && law != PLAIN {
            self.arguments.extend(trees.clone().take(2));
            self.arguments.extend(parse(","));
            self.parameters.extend(trees);
            self.parameters.extend(parse(","));
            return Ok(());
        }
        if is_punct(trees.peek(), '\'') {
            let span = trees.nth(1).map_or(Span::call_site(), |tree| tree.span());
            return Err(Refusal::new(
                span,
                "a Plain type holds no references: what it borrows is an argument of its own",
            ));
        }
        let is_const =
            matches!(trees.peek(), Some(TokenTree::Ident(i)) if i.to_string() == "const");
        if is_const {
            self.parameters.extend(trees.next());
        }
        let name = TokenTree::Ident(ident(&mut trees)?);
        self.arguments.extend([name.clone()]);
        self.arguments.extend(parse(","));
        self.parameters.extend([name]);
        // Defaults are not allowed in an impl; `=` inside a bound such as
        // `Iterator<Item = u8>` stands in angle brackets.
        let mut depth = 0;
        let mut colon = false;
        while let Some(tree) = trees.next_if(|tree| depth > 0 || !is_punct(Some(tree), '=')) {
            match &tree {
                TokenTree::Punct(p) if p.as_char() == '<' => depth += 1,
                TokenTree::Punct(p) if p.as_char() == '>' => depth -= 1,
                TokenTree::Punct(p) if p.as_char() == ':' => colon = true,
                _ => {}
            }
            self.parameters.extend([tree]);
        }
        if !is_const {
            self.parameters.extend(parse(if colon { "+" } else { ":" }));
            self.parameters.extend(parse(law));
        }
        self.parameters.extend(parse(","));
        Ok(())
    }
}

struct Item {
    name: Ident,
    generics: Generics,
    /// The where clause, if there is one.
    bounds: Vec<TokenTree>,
    fields: Vec<Field>,
}

fn group(delimiter: Delimiter, stream: TokenStream) -> TokenTree {
    TokenTree::from(Group::new(delimiter, stream))
}

/// Tokens that stand where `original` does, between its first and its last.
fn around(before: &str, original: &TokenStream, after: &str) -> TokenStream {
    let spans: Vec<Span> = original.clone().into_iter().map(|tree| tree.span()).collect();
    let first = spans.first().copied().unwrap_or_else(Span::call_site);
    let last = spans.last().copied().unwrap_or_else(Span::call_site);
    let mut output = spanned(parse(before), first);
    output.extend(original.clone());
    output.extend(spanned(parse(after), last));
    output
}

impl Item {
    /// A call of one of the ferry crate's macros for the type.
    fn call(&self, name: &str, bounds: TokenStream, more: Option<TokenStream>) -> TokenStream {
        let mut itself = TokenStream::from(TokenTree::Ident(self.name.clone()));
        itself.extend(parse("<"));
        itself.extend(self.generics.arguments.clone());
        itself.extend(parse(">"));

        let mut operands = TokenStream::new();
        for operand in [self.generics.parameters.clone(), itself, bounds].into_iter().chain(more) {
            operands.extend([group(Delimiter::Bracket, operand)]);
        }
        let mut output = parse(name);
        output.extend([group(Delimiter::Brace, operands)]);
        output
    }

    /// `ferry::__plain!`, and a function that compiles only if all fields are plain.
    fn plain(&self) -> TokenStream {
        let bounds: TokenStream = self.bounds.iter().cloned().collect();
        let mut output = self.call("::ferry::__plain!", bounds.clone(), None);

        let mut checks = TokenStream::new();
        for field in self.fields.iter().filter(|field| !field.ty.is_empty()) {
            checks.extend(around("is_plain::<", &field.ty, ">();"));
        }
        let mut check = parse("#[allow(dead_code, non_camel_case_types)] fn fields_are_plain<");
        check.extend(self.generics.parameters.clone());
        check.extend(parse(">()"));
        check.extend(bounds);
        check.extend([group(Delimiter::Brace, checks)]);
        let mut scope = parse("fn is_plain<T: ::ferry::Plain>() {}");
        scope.extend(check);
        output.extend(parse("const _: () ="));
        output.extend([group(Delimiter::Brace, scope)]);
        output.extend(parse(";"));
        output
    }

    /// `ferry::__any_bits!`, under the condition that all fields are.
    fn any_bits(&self) -> TokenStream {
        let mut bounds: TokenStream = self.bounds.iter().cloned().collect();
        if bounds.is_empty() {
            bounds.extend(parse("where"));
        } else if self.bounds.len() > 1 && !is_punct(self.bounds.last(), ',') {
            bounds.extend(parse(","));
        }
        let mut fields = TokenStream::new();
        for field in &self.fields {
            bounds.extend(around("for<'__any>", &field.ty, ": ::ferry::gpu::AnyBits,"));
            fields.extend([field.name.clone()]);
            fields.extend(parse(":"));
            fields.extend([group(Delimiter::Bracket, field.ty.clone())]);
            fields.extend(parse(","));
        }
        self.call("::ferry::__any_bits!", bounds, Some(fields))
    }
}
