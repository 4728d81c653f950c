// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! `(NAME[, WIDTH], activity…)`, and which argument each activity belongs to.

use super::Mode;
use super::function::{Function, Kind};
use crate::Refusal;
use proc_macro::{Ident, Span, TokenStream, TokenTree};

/// What an argument or the result is.
#[derive(Clone, Copy, PartialEq)]
pub enum Activity {
    Const,
    Active,
    ActiveOnly,
    Duplicated,
    DuplicatedOnly,
    Dual,
    DualOnly,
    Dualv,
}

use Activity::*;

/// All names, the mode they belong to if it is one, and where they may stand.
const ACTIVITIES: [(&str, Activity, Option<Mode>); 8] = [
    ("Const", Const, None),
    ("Active", Active, Some(Mode::Reverse)),
    ("ActiveOnly", ActiveOnly, Some(Mode::Reverse)),
    ("Duplicated", Duplicated, Some(Mode::Reverse)),
    ("DuplicatedOnly", DuplicatedOnly, Some(Mode::Reverse)),
    ("Dual", Dual, Some(Mode::Forward)),
    ("DualOnly", DualOnly, Some(Mode::Forward)),
    ("Dualv", Dualv, Some(Mode::Forward)),
];

fn of_arguments(mode: Mode) -> (&'static [Activity], &'static str) {
    match mode {
        Mode::Reverse => (
            &[Const, Active, Duplicated, DuplicatedOnly],
            "in reverse mode an argument is `Const`, `Active`, `Duplicated` or `DuplicatedOnly`",
        ),
        Mode::Forward => (
            &[Const, Dual, DualOnly, Dualv],
            "in forward mode an argument is `Const`, `Dual`, `DualOnly` or `Dualv`",
        ),
    }
}

fn of_results(mode: Mode) -> (&'static [Activity], &'static str) {
    match mode {
        Mode::Reverse => (
            &[Const, Active, ActiveOnly],
            "in reverse mode a result is `Const`, `Active` or `ActiveOnly`",
        ),
        Mode::Forward => {
            (&[Const, Dual, DualOnly], "in forward mode a result is `Const`, `Dual` or `DualOnly`")
        }
    }
}

/// An activity where it is written.
pub struct Written {
    pub activity: Activity,
    pub span: Span,
    text: String,
}

/// Which activities a function's arguments and its result have.
pub struct Assigned<'a> {
    pub arguments: &'a [Written],
    /// None: there is no result.
    pub result: Option<&'a Written>,
}

/// What stands in the attribute's parentheses.
pub struct Attribute {
    pub mode: Mode,
    pub name: Ident,
    /// `Self::NAME` was written.
    pub is_associated: bool,
    pub width: usize,
    activities: Vec<Written>,
    /// Where a message about something that is missing goes.
    end: Span,
}

impl Attribute {
    pub fn read(mode: Mode, arguments: TokenStream) -> Result<Attribute, Refusal> {
        let mut parts = crate::plain::split_commas(arguments).into_iter().peekable();
        let Some(first) = parts.next() else {
            return Err(Refusal::new(
                Span::call_site(),
                "the derivative has no name: write #[autodiff_…(NAME, activity…)]",
            ));
        };
        let (name, is_associated) = read_name(first)?;
        let mut attribute = Attribute {
            mode,
            end: name.span(),
            name,
            is_associated,
            width: 1,
            activities: Vec::new(),
        };
        if let Some(TokenTree::Literal(width)) = parts.peek().and_then(single) {
            attribute.width = match width.to_string().parse() {
                Ok(width) if (1..=1024).contains(&width) => width,
                _ => {
                    return Err(Refusal::new(
                        width.span(),
                        "the width is a number of derivatives, from 1 to 1024",
                    ));
                }
            };
            parts.next();
        }
        for part in parts {
            let written = attribute.read_activity(part)?;
            attribute.end = written.span;
            attribute.activities.push(written);
        }
        Ok(attribute)
    }

    fn read_activity(&self, part: TokenStream) -> Result<Written, Refusal> {
        let (_, choice) = of_arguments(self.mode);
        let ident = match single(&part) {
            Some(TokenTree::Ident(ident)) => ident,
            _ => {
                let span = first_span(&part);
                return Err(Refusal::new(span, format!("expected an activity: {choice}")));
            }
        };
        let text = ident.to_string();
        match ACTIVITIES.iter().find(|(name, ..)| *name == text) {
            Some((_, activity, mode)) if mode.is_none_or(|mode| mode == self.mode) => {
                Ok(Written { activity: *activity, span: ident.span(), text })
            }
            Some(_) => {
                let other = match self.mode {
                    Mode::Forward => "reverse",
                    Mode::Reverse => "forward",
                };
                Err(Refusal::new(
                    ident.span(),
                    format!("`{text}` is an activity of {other} mode: {choice}"),
                ))
            }
            None => Err(Refusal::new(ident.span(), format!("no activity `{text}`: {choice}"))),
        }
    }

    pub fn assign<'a>(&'a self, function: &Function) -> Result<Assigned<'a>, Refusal> {
        let wanted = function.parameters.len() + usize::from(function.result.is_some());
        let given = self.activities.len();
        if given != wanted {
            let result = if function.result.is_some() { " and its result" } else { "" };
            let span = self.activities.get(wanted).map_or(self.end, |extra| extra.span);
            let missing = match function.result.is_some() && given + 1 == wanted {
                true => ", so that of the result is missing",
                false => "",
            };
            return Err(Refusal::new(
                span,
                format!(
                    "`{}` has {wanted} activities, of {} argument{}{result}, but {given} stand \
                     here{missing}",
                    function.name,
                    function.parameters.len(),
                    if function.parameters.len() == 1 { "" } else { "s" },
                ),
            ));
        }
        let (arguments, result) = self.activities.split_at(function.parameters.len());
        for (written, parameter) in arguments.iter().zip(&function.parameters) {
            self.check_argument(written, &parameter.name, &parameter.kind)?;
        }
        let result = result.first();
        if let Some(written) = result {
            let (allowed, choice) = of_results(self.mode);
            if !allowed.contains(&written.activity) {
                return Err(Refusal::new(
                    written.span,
                    format!("the result cannot be `{}`: {choice}", written.text),
                ));
            }
        }
        Ok(Assigned { arguments, result })
    }

    fn check_argument(&self, written: &Written, name: &str, kind: &Kind) -> Result<(), Refusal> {
        let (allowed, choice) = of_arguments(self.mode);
        let refuse = |why: String| Err(Refusal::new(written.span, why));
        if !allowed.contains(&written.activity) {
            return refuse(format!("`{name}` cannot be `{}`: {choice}", written.text));
        }
        let is_reference = !matches!(kind, Kind::Value);
        match written.activity {
            Duplicated | DuplicatedOnly if !is_reference => refuse(format!(
                "`{name}` is no reference, so there is no shadow to add its gradient to: `Active` \
                 returns it"
            )),
            Active if is_reference => refuse(format!(
                "`{name}` is a reference: `Duplicated` adds its gradient to a shadow"
            )),
            Dualv if !matches!(kind, Kind::Slice { .. }) => refuse(format!(
                "`{name}` is no slice, whose tangents could stand one behind the other: `Dual` \
                 takes them one by one"
            )),
            _ => Ok(()),
        }
    }
}

fn read_name(part: TokenStream) -> Result<(Ident, bool), Refusal> {
    let span = first_span(&part);
    let trees: Vec<TokenTree> = part.into_iter().collect();
    let is_self = |tree: &TokenTree| matches!(tree, TokenTree::Ident(i) if i.to_string() == "Self");
    match trees.as_slice() {
        [TokenTree::Ident(name)] if ACTIVITIES.iter().all(|(a, ..)| *a != name.to_string()) => {
            Ok((name.clone(), false))
        }
        [first, TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(name)]
            if is_self(first) =>
        {
            Ok((name.clone(), true))
        }
        _ => Err(Refusal::new(
            span,
            "expected the derivative's name: write #[autodiff_…(NAME, activity…)]",
        )),
    }
}

fn single(part: &TokenStream) -> Option<TokenTree> {
    let mut trees = part.clone().into_iter();
    let first = trees.next();
    if trees.next().is_some() { None } else { first }
}

fn first_span(part: &TokenStream) -> Span {
    part.clone().into_iter().next().map_or_else(Span::call_site, |tree| tree.span())
}
