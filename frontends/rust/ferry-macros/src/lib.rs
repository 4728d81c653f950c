// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `#[derive(Plain)]` of the ferry crate.
//!
//! A derive input is simple enough to read token by token: attributes, a
//! visibility, `struct` or `enum`, a name, `<generics>`, fields. What is needed of
//! it are the generics and the types of all fields; each type is then checked
//! where it stands, so that an error points at the offending field.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use std::iter::Peekable;

type Tokens = Peekable<proc_macro::token_stream::IntoIter>;

/// Implements `ferry::Plain` for a struct or enum whose fields all are plain.
#[proc_macro_derive(Plain)]
pub fn derive_plain(input: TokenStream) -> TokenStream {
    match expand(input) {
        Ok(output) => output,
        Err((span, message)) => compile_error(span, message),
    }
}

fn compile_error(span: Span, message: &str) -> TokenStream {
    let mut tokens = TokenStream::new();
    for tree in parse("::core::compile_error! {}") {
        tokens.extend([match tree {
            TokenTree::Group(_) => {
                let text = proc_macro::Literal::string(message);
                TokenTree::from(Group::new(Delimiter::Brace, TokenTree::from(text).into()))
            }
            other => other,
        }]);
    }
    spanned(tokens, span)
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

/// Tokens of text that this file wrote.
fn parse(text: &str) -> TokenStream {
    text.parse().expect("ferry-macros wrote tokens that do not lex")
}

fn expand(input: TokenStream) -> Result<TokenStream, (Span, &'static str)> {
    let mut input = input.into_iter().peekable();
    skip_attributes_and_visibility(&mut input);
    let keyword = ident(&mut input)?;
    let name = ident(&mut input)?;
    let is_enum = match keyword.to_string().as_str() {
        "struct" => false,
        "enum" => true,
        _ => {
            return Err((
                keyword.span(),
                "a union cannot be Plain: nothing says which field is valid",
            ));
        }
    };
    let generics = Generics::read(&mut input)?;

    // A where clause stands before the braces of a struct or enum, but after the
    // parentheses of a tuple struct.
    let mut bounds = Vec::new();
    let mut types = Vec::new();
    for tree in input {
        match tree {
            TokenTree::Group(group) if is_body(&group, &bounds) => match is_enum {
                true => variants(group.stream(), &mut types),
                false => fields(&group, &mut types),
            },
            TokenTree::Punct(p) if p.as_char() == ';' => {}
            other => bounds.push(other),
        }
    }
    Ok(generics.implementation(&name, bounds.into_iter().collect(), &types))
}

/// Whether a group at the top level holds the fields, and is no part of a where
/// clause such as `where [T; N]: Sized` or `where (T, U): Copy`.
fn is_body(group: &Group, before: &[TokenTree]) -> bool {
    match group.delimiter() {
        Delimiter::Brace => true,
        Delimiter::Parenthesis => before.is_empty(),
        _ => false,
    }
}

fn ident(input: &mut Tokens) -> Result<Ident, (Span, &'static str)> {
    match input.next() {
        Some(TokenTree::Ident(ident)) => Ok(ident),
        Some(other) => Err((other.span(), "derive(Plain) expects a struct or an enum")),
        None => Err((Span::call_site(), "derive(Plain) expects a struct or an enum")),
    }
}

fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

fn skip_attributes_and_visibility(input: &mut Tokens) {
    while is_punct(input.peek(), '#') {
        input.next();
        input.next();
    }
    if matches!(input.peek(), Some(TokenTree::Ident(i)) if i.to_string() == "pub") {
        input.next();
        if matches!(input.peek(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis)
        {
            input.next();
        }
    }
}

/// Splits at the commas that stand in no angle brackets; other brackets are
/// groups already.
fn split_commas(stream: TokenStream) -> Vec<TokenStream> {
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

/// The types in `{ a: A, b: B }` or `(A, B)`.
fn fields(group: &Group, types: &mut Vec<TokenStream>) {
    for field in split_commas(group.stream()) {
        let mut field = field.into_iter().peekable();
        skip_attributes_and_visibility(&mut field);
        if group.delimiter() == Delimiter::Brace {
            field.next();
            field.next();
        }
        types.push(field.collect());
    }
}

/// The types in all variants of an enum. A discriminant has its groups behind `=`.
fn variants(stream: TokenStream, types: &mut Vec<TokenStream>) {
    for variant in split_commas(stream) {
        let mut variant = variant.into_iter().peekable();
        skip_attributes_and_visibility(&mut variant);
        variant.next();
        if let Some(TokenTree::Group(group)) = variant.next() {
            fields(&group, types);
        }
    }
}

struct Generics {
    /// `T: Bound + Plain, const N: usize,`
    parameters: TokenStream,
    /// `T, N,`
    arguments: TokenStream,
}

impl Generics {
    fn read(input: &mut Tokens) -> Result<Generics, (Span, &'static str)> {
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
            generics.add(parameter)?;
        }
        Ok(generics)
    }

    fn add(&mut self, parameter: TokenStream) -> Result<(), (Span, &'static str)> {
        let mut trees = parameter.into_iter().peekable();
        while is_punct(trees.peek(), '#') {
            trees.next();
            trees.next();
        }
        if is_punct(trees.peek(), '\'') {
            let span = trees.nth(1).map_or(Span::call_site(), |tree| tree.span());
            return Err((
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
            self.parameters.extend(parse(if colon {
                "+ ::ferry::Plain"
            } else {
                ": ::ferry::Plain"
            }));
        }
        self.parameters.extend(parse(","));
        Ok(())
    }

    /// `ferry::__plain!` for the type, and a function that compiles only if all
    /// fields are plain.
    fn implementation(
        &self,
        name: &Ident,
        bounds: TokenStream,
        types: &[TokenStream],
    ) -> TokenStream {
        let mut itself = TokenStream::from(TokenTree::Ident(name.clone()));
        itself.extend(parse("<"));
        itself.extend(self.arguments.clone());
        itself.extend(parse(">"));

        let bracket = |stream| TokenTree::from(Group::new(Delimiter::Bracket, stream));
        let mut operands = TokenStream::new();
        operands.extend([
            bracket(self.parameters.clone()),
            bracket(itself),
            bracket(bounds.clone()),
        ]);
        let mut output = parse("::ferry::__plain!");
        output.extend([TokenTree::from(Group::new(Delimiter::Brace, operands))]);

        let mut checks = TokenStream::new();
        for field in types {
            // The whole check takes the field's place in the source, so that an
            // error underlines the field's type.
            let spans: Vec<Span> = field.clone().into_iter().map(|tree| tree.span()).collect();
            if let (Some(&first), Some(&last)) = (spans.first(), spans.last()) {
                checks.extend(spanned(parse("is_plain::<"), first));
                checks.extend(field.clone());
                checks.extend(spanned(parse(">();"), last));
            }
        }
        let mut check = parse("#[allow(dead_code, non_camel_case_types)] fn fields_are_plain<");
        check.extend(self.parameters.clone());
        check.extend(parse(">()"));
        check.extend(bounds);
        check.extend([TokenTree::from(Group::new(Delimiter::Brace, checks))]);
        let mut scope = parse("fn is_plain<T: ::ferry::Plain>() {}");
        scope.extend(check);
        output.extend(parse("const _: () ="));
        output.extend([TokenTree::from(Group::new(Delimiter::Brace, scope))]);
        output.extend(parse(";"));
        output
    }
}
