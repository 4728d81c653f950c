// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Writes the function that computes a derivative.
//!
//! Its own variables are hygienic, so they cannot meet the user's names. It stands
//! where the attribute names it: that is the line of the engine's messages.

use super::Mode;
use super::attribute::{Activity::*, Assigned, Attribute, Written};
use super::function::{Function, Kind, Parameter};
use crate::parse;
use proc_macro::{Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

pub fn write(function: &Function, attribute: &Attribute, assigned: &Assigned) -> TokenStream {
    let site = Span::mixed_site().located_at(attribute.name.span());
    Writer { function, attribute, assigned, site }.write()
}

struct Writer<'a> {
    function: &'a Function,
    attribute: &'a Attribute,
    assigned: &'a Assigned<'a>,
    site: Span,
}

/// Puts a stream in the place of each `$name`.
fn quote(text: &str, site: Span, parts: &[(&str, &TokenStream)]) -> TokenStream {
    fill(parse(text), site, parts)
}

fn fill(text: TokenStream, site: Span, parts: &[(&str, &TokenStream)]) -> TokenStream {
    let mut output = TokenStream::new();
    let mut trees = text.into_iter();
    while let Some(mut tree) = trees.next() {
        match &tree {
            TokenTree::Punct(p) if p.as_char() == '$' => {
                let name = trees.next().map(|name| name.to_string()).unwrap_or_default();
                let part = parts.iter().find(|(known, _)| *known == name);
                output.extend(part.expect("ferry-macros knows its templates").1.clone());
            }
            TokenTree::Group(group) => {
                let inside = fill(group.stream(), site, parts);
                let mut group = Group::new(group.delimiter(), inside);
                group.set_span(site);
                output.extend([TokenTree::Group(group)]);
            }
            _ => {
                tree.set_span(site);
                output.extend([tree]);
            }
        }
    }
    output
}

fn comma() -> TokenTree {
    TokenTree::Punct(Punct::new(',', Spacing::Alone))
}

/// `(a, b)`, `a`, or nothing at all.
fn tuple(members: Vec<TokenStream>, site: Span) -> TokenStream {
    if let [only] = members.as_slice() {
        return only.clone();
    }
    let mut inside = TokenStream::new();
    for member in members {
        inside.extend(member);
        inside.extend([comma()]);
    }
    quote("($inside)", site, &[("inside", &inside)])
}

impl Writer<'_> {
    fn quote(&self, text: &str, parts: &[(&str, &TokenStream)]) -> TokenStream {
        quote(text, self.site, parts)
    }

    fn ident(&self, text: &str) -> TokenStream {
        TokenTree::Ident(Ident::new(text, self.site)).into()
    }

    fn number(&self, number: usize) -> TokenStream {
        TokenTree::Literal(Literal::usize_unsuffixed(number)).into()
    }

    fn arguments(&self) -> impl Iterator<Item = (&Parameter, &Written)> {
        self.function.parameters.iter().zip(self.assigned.arguments)
    }

    fn lanes(&self) -> std::ops::Range<usize> {
        0..self.attribute.width
    }

    /// `[T; N]`, or T if only one derivative is wanted.
    fn one_a_lane(&self, ty: &TokenStream) -> TokenStream {
        match self.attribute.width {
            1 => ty.clone(),
            width => self.quote("[$ty; $width]", &[("ty", ty), ("width", &self.number(width))]),
        }
    }

    /// The shadows of a parameter in the derivative's head: names and type.
    fn shadow_names(&self, parameter: &Parameter, written: &Written) -> Vec<TokenStream> {
        let name = parameter.name.trim_start_matches("r#");
        match (written.activity, self.attribute.width) {
            (Const | Active, _) => Vec::new(),
            (Dualv, _) | (_, 1) => vec![self.ident(&format!("d{name}"))],
            _ => self.lanes().map(|lane| self.ident(&format!("d{name}_{lane}"))).collect(),
        }
    }

    fn shadow_type(&self, parameter: &Parameter) -> TokenStream {
        let target = [("target", &parameter.target)];
        match self.attribute.mode {
            Mode::Forward => parameter.ty.clone(),
            Mode::Reverse if parameter.is_pointer() => self.quote("*mut $target", &target),
            Mode::Reverse => self.quote("&mut $target", &target),
        }
    }

    fn parameters(&self) -> TokenStream {
        let mut output = TokenStream::new();
        for (parameter, written) in self.arguments() {
            output.extend(parameter.declaration.clone());
            output.extend([comma()]);
            for name in self.shadow_names(parameter, written) {
                let ty = self.shadow_type(parameter);
                output.extend(self.quote("$name: $ty,", &[("name", &name), ("ty", &ty)]));
            }
        }
        if let Some(result) = self.seeded_result() {
            let ty = self.one_a_lane(result);
            output.extend(self.quote("seed: $ty,", &[("ty", &ty)]));
        }
        output
    }

    /// The result's type, if the derivative takes a seed for it.
    fn seeded_result(&self) -> Option<&TokenStream> {
        let written = self.assigned.result?;
        let is_active = matches!(written.activity, Active | ActiveOnly);
        self.function.result.as_ref().filter(|_| is_active)
    }

    fn result_type(&self) -> TokenStream {
        let mut members = Vec::new();
        if let (Some(ty), Some(written)) = (&self.function.result, self.assigned.result) {
            match (written.activity, self.attribute.width) {
                (ActiveOnly, _) => {}
                (Dual, 1) => members.extend([ty.clone(), ty.clone()]),
                (Dual, width) => {
                    let count = self.number(width + 1);
                    members.push(self.quote("[$ty; $count]", &[("ty", ty), ("count", &count)]));
                }
                (DualOnly, _) => members.push(self.one_a_lane(ty)),
                _ => members.push(ty.clone()),
            }
        }
        for (parameter, written) in self.arguments() {
            if written.activity == Active {
                members.push(self.one_a_lane(&parameter.ty));
            }
        }
        tuple(members, self.site)
    }

    /// Shadows must be as large as what they belong to.
    fn checks(&self) -> TokenStream {
        let mut output = TokenStream::new();
        if let Some(ty) = self.seeded_result() {
            output.extend(
                self.quote("::ferry::__private::autodiff::is_active::<$ty>();", &[("ty", ty)]),
            );
        }
        for (parameter, written) in self.arguments() {
            let text = TokenStream::from(TokenTree::from(Literal::string(&parameter.name)));
            let ident = TokenStream::from(parameter.ident.clone());
            let width = self.number(self.attribute.width);
            for name in self.shadow_names(parameter, written) {
                let template = match (written.activity, &parameter.kind) {
                    _ if parameter.is_pointer() => continue,
                    (Dualv, _) => {
                        "::ferry::__private::autodiff::check_strided(&*$own, &*$shadow, $width, $text);"
                    }
                    (_, Kind::Value) => {
                        "(&&::ferry::__private::autodiff::Pair(&$own, &$shadow)).check($text);"
                    }
                    _ => "(&&::ferry::__private::autodiff::Pair(&*$own, &*$shadow)).check($text);",
                };
                output.extend(self.quote(
                    template,
                    &[("own", &ident), ("shadow", &name), ("width", &width), ("text", &text)],
                ));
            }
        }
        output
    }

    /// Each lane's shadow of each member of the tuple of what is differentiated.
    fn places(&self) -> TokenStream {
        let mut output = TokenStream::new();
        let differentiated = self.arguments().filter(|(_, written)| written.activity != Const);
        for (index, (parameter, written)) in differentiated.enumerate() {
            let names = self.shadow_names(parameter, written);
            for lane in self.lanes() {
                let parts = (self.number(lane), self.number(index));
                let parts = [("lane", &parts.0), ("index", &parts.1)];
                let place = self.quote("&raw mut (*shadows[$lane].as_mut_ptr()).$index", &parts);
                let (template, name) = match written.activity {
                    Active => ("::ferry::__private::autodiff::zero::<$ty>($place);", None),
                    Dualv => (
                        "::ferry::__private::autodiff::place_strided($place, $shadow.as_ptr(), \
                         args.$index.len(), $lane);",
                        names.first(),
                    ),
                    _ => ("::ferry::__private::autodiff::place($place, $shadow);", names.get(lane)),
                };
                let name = name.cloned().unwrap_or_default();
                output.extend(self.quote(
                    template,
                    &[
                        ("place", &place),
                        ("shadow", &name),
                        ("ty", &parameter.ty),
                        parts[0],
                        parts[1],
                    ],
                ));
            }
        }
        output
    }

    /// The arguments that are constant, or those that are not; as the closure and
    /// as the derivative call them.
    fn members(&self, constant: bool, in_closure: bool) -> TokenStream {
        let mut output = TokenStream::new();
        for (parameter, written) in self.arguments() {
            if (written.activity == Const) == constant {
                output.extend(self.name(parameter, in_closure));
                output.extend([comma()]);
            }
        }
        output
    }

    fn name(&self, parameter: &Parameter, in_closure: bool) -> TokenStream {
        match parameter.is_self && in_closure {
            true => self.ident("this"),
            false => parameter.ident.clone().into(),
        }
    }

    /// The closure that is differentiated: `|(n,), (x,)| f(x, n)`.
    fn closure(&self) -> TokenStream {
        let function = self.function;
        let name = TokenStream::from(TokenTree::Ident(function.name.clone()));
        let mut call = match self.attribute.is_associated || function.names_self {
            true => self.quote("Self::$name", &[("name", &name)]),
            false => name,
        };
        if !function.turbofish.is_empty() {
            call.extend(self.quote("::<$all>", &[("all", &function.turbofish)]));
        }
        let mut arguments = TokenStream::new();
        for parameter in &function.parameters {
            arguments.extend(self.name(parameter, true));
            arguments.extend([comma()]);
        }
        self.quote(
            "|($constants), ($args)| unsafe { $call($arguments) }",
            &[
                ("constants", &self.members(true, true)),
                ("args", &self.members(false, true)),
                ("call", &call),
                ("arguments", &arguments),
            ],
        )
    }

    fn request(&self) -> TokenStream {
        let is_active = self.assigned.result.is_some_and(|written| written.activity != Const);
        let (function, more) = match (self.attribute.mode, is_active, self.attribute.width) {
            (Mode::Reverse, true, 1) => ("reverse", "[seed]"),
            (Mode::Reverse, true, _) => ("reverse", "seed"),
            (Mode::Reverse, false, _) => ("reverse_const", ""),
            (Mode::Forward, true, _) => ("forward", ""),
            (Mode::Forward, false, _) => ("forward_const", ""),
        };
        self.quote(
            "unsafe { ::ferry::__private::autodiff::$function($closure, constants, args, \
             &mut shadows, $more) }",
            &[
                ("function", &self.ident(function)),
                ("closure", &self.closure()),
                ("more", &self.quote(more, &[])),
            ],
        )
    }

    /// What the derivative returns, of `outcome`, the request's result.
    fn result(&self) -> TokenStream {
        let mut members = Vec::new();
        let activity = self.assigned.result.map(|written| written.activity);
        let width = self.attribute.width;
        match (activity, width) {
            (None | Some(ActiveOnly), _) => {}
            (Some(Dual), 1) => {
                members.push(self.quote("outcome.0", &[]));
                members.push(self.quote("{ let [tangent] = outcome.1; tangent }", &[]));
            }
            (Some(Dual), _) => {
                let mut names = TokenStream::new();
                for lane in self.lanes() {
                    names.extend(self.ident(&format!("tangent_{lane}")));
                    names.extend([comma()]);
                }
                members.push(self.quote(
                    "{ let [$names] = outcome.1; [outcome.0, $names] }",
                    &[("names", &names)],
                ));
            }
            (Some(DualOnly), 1) => {
                members.push(self.quote("{ let [tangent] = outcome.1; tangent }", &[]));
            }
            (Some(DualOnly), _) => members.push(self.quote("outcome.1", &[])),
            _ => members.push(self.quote("outcome", &[])),
        }
        let differentiated = self.arguments().filter(|(_, written)| written.activity != Const);
        for (index, (_, written)) in differentiated.enumerate() {
            if written.activity != Active {
                continue;
            }
            let mut lanes = TokenStream::new();
            for lane in self.lanes() {
                let parts = (self.number(lane), self.number(index));
                lanes.extend(self.quote(
                    "unsafe { (*shadows[$lane].as_ptr()).$index },",
                    &[("lane", &parts.0), ("index", &parts.1)],
                ));
            }
            members.push(match width {
                1 => self.quote("{ let [gradient] = [$lanes]; gradient }", &[("lanes", &lanes)]),
                _ => self.quote("[$lanes]", &[("lanes", &lanes)]),
            });
        }
        tuple(members, self.site)
    }

    fn body(&self) -> TokenStream {
        self.quote(
            "{
                #[allow(unused_imports)]
                use ::ferry::__private::autodiff::{BySize as _, ByType as _};
                $checks
            }
            let constants = ($constants);
            let args = ($args);
            let mut shadows = ::ferry::__private::autodiff::shadows::<_, $width>(&args);
            unsafe { $places }
            let outcome = $request;
            $result",
            &[
                ("checks", &self.checks()),
                ("constants", &self.members(true, false)),
                ("args", &self.members(false, false)),
                ("width", &self.number(self.attribute.width)),
                ("places", &self.places()),
                ("request", &self.request()),
                ("result", &self.result()),
            ],
        )
    }

    fn write(&self) -> TokenStream {
        let function = self.function;
        let is_unsafe = function.is_unsafe
            || self
                .assigned
                .arguments
                .iter()
                .any(|written| matches!(written.activity, DuplicatedOnly | DualOnly));
        let mode = match self.attribute.mode {
            Mode::Forward => "Forward",
            Mode::Reverse => "Reverse",
        };
        let mut text = format!("{mode}-mode derivative of `{}`.", function.name);
        if is_unsafe {
            text += "\n\n# Safety\nThat of the function. Memory of arguments that are `…Only` holds \
                     anything afterwards.";
        }
        let text = TokenStream::from(TokenTree::from(Literal::string(&text)));
        let name = TokenStream::from(TokenTree::Ident(self.attribute.name.clone()));
        let keyword = if is_unsafe { self.ident("unsafe") } else { TokenStream::new() };
        self.quote(
            "$conditions
            #[doc = $text]
            #[track_caller]
            #[allow(unused_unsafe, unused_mut, unused_variables, clippy::all)]
            $visibility $keyword fn $name<$generics>($parameters) -> $result $bounds { $body }",
            &[
                ("conditions", &function.conditions),
                ("text", &text),
                ("visibility", &function.visibility),
                ("keyword", &keyword),
                ("name", &name),
                ("generics", &function.generics),
                ("parameters", &self.parameters()),
                ("result", &self.result_type()),
                ("bounds", &function.bounds),
                ("body", &self.body()),
            ],
        )
    }
}
