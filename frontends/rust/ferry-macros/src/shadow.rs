// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `#[derive(Shadow)]`: a struct's shadow is checked field by field. Read as for
//! `#[derive(Plain)]`.

use crate::plain::{Generics, Tokens, fields, ident, is_body, skip_attributes_and_visibility};
use crate::{Refusal, is_punct, parse, spanned};
use proc_macro::{Delimiter, Group, Ident, TokenStream, TokenTree};

pub fn expand(input: TokenStream) -> Result<TokenStream, Refusal> {
    let mut input: Tokens = input.into_iter().peekable();
    skip_attributes_and_visibility(&mut input);
    let keyword = ident(&mut input)?;
    let name = ident(&mut input)?;
    if keyword.to_string() != "struct" {
        return Err(Refusal::new(
            keyword.span(),
            "Shadow is derived for structs: a value and its shadow could be different variants",
        ));
    }
    let generics = Generics::read(&mut input, "::ferry::autodiff::Shadow")?;
    let (mut bounds, mut all) = (Vec::new(), Vec::new());
    for tree in input {
        match tree {
            TokenTree::Group(group) if is_body(&group, &bounds) => fields(&group, &mut all),
            TokenTree::Punct(p) if p.as_char() == ';' => {}
            other => bounds.push(other),
        }
    }
    let mut is_flat = parse("true");
    let mut checks = TokenStream::new();
    for field in &all {
        let span = field.ty.clone().into_iter().next().map_or(name.span(), |tree| tree.span());
        let mut of_type = spanned(parse("<"), span);
        of_type.extend(field.ty.clone());
        of_type.extend(spanned(parse("as ::ferry::autodiff::Shadow>::"), span));
        is_flat.extend(parse("&&"));
        is_flat.extend(of_type.clone());
        is_flat.extend(parse("FLAT"));
        checks.extend(of_type);
        checks.extend(parse("check"));
        let member = |of: &str| {
            let mut place = parse(of);
            place.extend([field.name.clone()]);
            place
        };
        let mut operands = member("&self.");
        operands.extend(parse(","));
        operands.extend(member("&shadow."));
        operands.extend(parse(", name"));
        checks.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, operands))]);
        checks.extend(parse(";"));
    }
    Ok(implementation(&name, &generics, bounds, is_flat, checks))
}

fn implementation(
    name: &Ident,
    generics: &Generics,
    bounds: Vec<TokenTree>,
    is_flat: TokenStream,
    checks: TokenStream,
) -> TokenStream {
    let mut flat = parse("const FLAT: bool =");
    flat.extend(is_flat);
    let mut body = flat;
    body.extend(parse("; #[track_caller] fn check(&self, shadow: &Self, name: &str)"));
    body.extend([TokenTree::Group(Group::new(Delimiter::Brace, checks))]);

    let mut output = parse("unsafe impl<");
    output.extend(generics.parameters.clone());
    output.extend(parse("> ::ferry::autodiff::Shadow for"));
    output.extend([TokenTree::Ident(name.clone())]);
    output.extend(parse("<"));
    output.extend(generics.arguments.clone());
    output.extend(parse(">"));
    if bounds.iter().any(|tree| !is_punct(Some(tree), ';')) {
        output.extend(bounds);
    }
    output.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
    output
}
