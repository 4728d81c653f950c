// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The head of a function: all that its derivative repeats.

use crate::plain::{Tokens, split_commas};
use crate::{Refusal, is_punct};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// What a parameter's type is by its look.
pub enum Kind {
    Value,
    /// `&T`, `&mut T`, `*const T`, `*mut T`.
    Reference,
    /// `&[T]`, `&mut [T]`.
    Slice,
}

/// A parameter, `self` among them.
pub struct Parameter {
    /// For messages.
    pub name: String,
    /// What the parameter is called in the derivative.
    pub ident: TokenTree,
    /// As written, without attributes and `mut`: `x: &[f64]`, `&self`.
    pub declaration: TokenStream,
    /// The type: `&[f64]`, `&Self`.
    pub ty: TokenStream,
    /// What a reference leads to, with its sign before it: `& mut` and `[f64]`.
    pub sign: TokenStream,
    pub target: TokenStream,
    pub kind: Kind,
    pub is_self: bool,
}

/// A function up to its body.
pub struct Function {
    /// `#[cfg(…)]`.
    pub conditions: TokenStream,
    pub visibility: TokenStream,
    pub is_unsafe: bool,
    pub name: Ident,
    /// `T: Bound, const N: usize` and `T, N,`.
    pub generics: TokenStream,
    pub turbofish: TokenStream,
    pub parameters: Vec<Parameter>,
    pub result: Option<TokenStream>,
    /// The where clause.
    pub bounds: TokenStream,
    /// Whether `Self` is named.
    pub names_self: bool,
}

fn is_ident(tree: Option<&TokenTree>, text: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident.to_string() == text)
}

fn no_function(tree: Option<&TokenTree>) -> Refusal {
    Refusal::new(
        tree.map_or_else(Span::call_site, TokenTree::span),
        "the attributes of autodiff stand on functions",
    )
}

impl Function {
    pub fn read(item: TokenStream) -> Result<Function, Refusal> {
        let names_self = mentions_self(&item);
        let mut input = item.into_iter().peekable();
        let conditions = read_conditions(&mut input);
        let visibility = read_visibility(&mut input);
        let mut is_unsafe = false;
        loop {
            match input.next() {
                Some(TokenTree::Ident(word)) => match word.to_string().as_str() {
                    "fn" => break,
                    "unsafe" => is_unsafe = true,
                    "const" | "extern" | "default" => {}
                    "async" => {
                        return Err(Refusal::new(
                            word.span(),
                            "an async function returns a future, which has no derivative",
                        ));
                    }
                    _ => return Err(no_function(Some(&TokenTree::Ident(word)))),
                },
                // The ABI.
                Some(TokenTree::Literal(_)) => {}
                other => return Err(no_function(other.as_ref())),
            }
        }
        let Some(TokenTree::Ident(name)) = input.next() else {
            return Err(no_function(None));
        };
        let (generics, turbofish) = read_generics(&mut input);
        let Some(TokenTree::Group(parameters)) = input.next() else {
            return Err(no_function(None));
        };
        let result = read_result(&mut input);
        let mut bounds = TokenStream::new();
        for tree in input {
            let is_body = matches!(&tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
            if is_body || is_punct(Some(&tree), ';') {
                break;
            }
            bounds.extend([tree]);
        }
        let parameters = split_commas(parameters.stream())
            .into_iter()
            .map(read_parameter)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Function {
            conditions,
            visibility,
            is_unsafe,
            name,
            generics,
            turbofish,
            parameters,
            result,
            bounds,
            names_self,
        })
    }
}

/// In the head: a body may name the `Self` of an impl of its own.
fn mentions_self(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => matches!(ident.to_string().as_str(), "Self" | "self"),
        TokenTree::Group(group) => {
            group.delimiter() != Delimiter::Brace && mentions_self(&group.stream())
        }
        _ => false,
    })
}

/// Skips attributes, and keeps those that say whether the function exists.
fn read_conditions(input: &mut Tokens) -> TokenStream {
    let mut conditions = TokenStream::new();
    while is_punct(input.peek(), '#') {
        let sign = input.next();
        let Some(TokenTree::Group(attribute)) = input.next() else { break };
        if is_ident(attribute.stream().into_iter().next().as_ref(), "cfg") {
            conditions.extend(sign);
            conditions.extend([TokenTree::Group(attribute)]);
        }
    }
    conditions
}

fn read_visibility(input: &mut Tokens) -> TokenStream {
    let mut visibility = TokenStream::new();
    if is_ident(input.peek(), "pub") {
        visibility.extend(input.next());
        let is_scope = |tree: &TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis);
        visibility.extend(input.next_if(is_scope));
    }
    visibility
}

/// What stands between `<` and its `>`, and the names of types and constants.
fn read_generics(input: &mut Tokens) -> (TokenStream, TokenStream) {
    let (mut inside, mut names) = (TokenStream::new(), TokenStream::new());
    if !is_punct(input.peek(), '<') {
        return (inside, names);
    }
    input.next();
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
    for parameter in split_commas(inside.clone()) {
        let mut trees = parameter.into_iter().peekable();
        read_conditions(&mut trees);
        // Lifetimes are inferred.
        if is_punct(trees.peek(), '\'') {
            continue;
        }
        trees.next_if(|tree| is_ident(Some(tree), "const"));
        names.extend(trees.next());
        names.extend(crate::parse(","));
    }
    (inside, names)
}

/// The type behind `->`, unless it is `()`.
fn read_result(input: &mut Tokens) -> Option<TokenStream> {
    if !is_punct(input.peek(), '-') {
        return None;
    }
    input.next();
    input.next();
    let ends = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(p) => p.as_char() == ';',
        TokenTree::Ident(ident) => ident.to_string() == "where",
        _ => false,
    };
    let mut ty = TokenStream::new();
    while let Some(tree) = input.next_if(|tree| !ends(tree)) {
        ty.extend([tree]);
    }
    let is_nothing = matches!(ty.to_string().as_str(), "()" | "!");
    (!is_nothing).then_some(ty)
}

fn read_parameter(tokens: TokenStream) -> Result<Parameter, Refusal> {
    let mut input = tokens.into_iter().peekable();
    read_conditions(&mut input);
    let all: Vec<TokenTree> = input.collect();
    let colon = (0..all.len()).find(|&i| {
        let is_path = |j: Option<&TokenTree>| is_punct(j, ':');
        is_punct(all.get(i), ':')
            && !is_path(all.get(i + 1))
            && (i == 0 || !is_path(all.get(i - 1)))
    });
    let pattern = &all[..colon.unwrap_or(all.len())];
    let without_mut = match pattern {
        [first, rest @ ..] if is_ident(Some(first), "mut") => rest,
        other => other,
    };
    if is_ident(pattern.last(), "self") {
        let own = pattern.last().map_or_else(Span::call_site, TokenTree::span);
        let own_type = TokenTree::Ident(Ident::new("Self", own));
        let ty = match colon {
            Some(colon) => all[colon + 1..].iter().cloned().collect(),
            // `&'a mut self`: the signs and lifetimes, then `Self`.
            None if is_punct(pattern.first(), '&') => {
                let sign = &pattern[..pattern.len() - 1];
                sign.iter().cloned().chain([own_type]).collect()
            }
            None => TokenStream::from(own_type),
        };
        let declaration = match (colon, is_punct(pattern.first(), '&')) {
            (None, false) => without_mut.iter().cloned().collect(),
            (None, true) => pattern.iter().cloned().collect(),
            (Some(colon), _) => without_mut.iter().chain(&all[colon..]).cloned().collect(),
        };
        return Ok(Parameter::new(TokenTree::Ident(Ident::new("self", own)), declaration, ty));
    }
    match (without_mut, colon) {
        ([TokenTree::Ident(name)], Some(colon)) if name.to_string() != "_" => {
            let ty: TokenStream = all[colon + 1..].iter().cloned().collect();
            let name = TokenTree::Ident(name.clone());
            let declaration = std::iter::once(name.clone()).chain(all[colon..].iter().cloned());
            Ok(Parameter::new(name, declaration.collect(), ty))
        }
        _ => Err(Refusal::new(
            pattern.first().map_or_else(Span::call_site, TokenTree::span),
            "an argument of a function with a derivative has a name, not a pattern",
        )),
    }
}

impl Parameter {
    fn new(ident: TokenTree, declaration: TokenStream, ty: TokenStream) -> Parameter {
        let (sign, target) = split_reference(&ty);
        let only = target.clone().into_iter().collect::<Vec<_>>();
        let is_slice = match only.as_slice() {
            [TokenTree::Group(group)] => {
                group.delimiter() == Delimiter::Bracket && !is_array(group)
            }
            _ => false,
        };
        let kind = match (sign.is_empty(), is_slice) {
            (true, _) => Kind::Value,
            (false, false) => Kind::Reference,
            (false, true) => Kind::Slice,
        };
        let name = ident.to_string();
        Parameter { is_self: name == "self", name, ident, declaration, ty, sign, target, kind }
    }

    pub fn is_pointer(&self) -> bool {
        is_punct(self.sign.clone().into_iter().next().as_ref(), '*')
    }
}

/// `[T; N]` is no slice.
fn is_array(group: &Group) -> bool {
    group.stream().into_iter().any(|tree| is_punct(Some(&tree), ';'))
}

/// `&'a mut` and `T`, or nothing and all of the type. A macro's fragment `$t:ty`
/// comes in a group without delimiters.
fn split_reference(ty: &TokenStream) -> (TokenStream, TokenStream) {
    let mut trees = ty.clone().into_iter().peekable();
    if let Some(TokenTree::Group(group)) = trees.peek()
        && group.delimiter() == Delimiter::None
    {
        return split_reference(&group.stream());
    }
    let mut sign = TokenStream::new();
    if is_punct(trees.peek(), '*') {
        sign.extend(trees.next());
        sign.extend(trees.next());
    } else if is_punct(trees.peek(), '&') {
        sign.extend(trees.next());
        if is_punct(trees.peek(), '\'') {
            sign.extend(trees.next());
            sign.extend(trees.next());
        }
        sign.extend(trees.next_if(|tree| is_ident(Some(tree), "mut")));
    }
    (sign, trees.collect())
}
