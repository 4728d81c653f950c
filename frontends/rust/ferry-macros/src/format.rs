// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The grammar of `std::fmt`, rewritten for the device.
//!
//! A format is read field by field and written again with a number for every
//! argument: `{x:>w$.2}` becomes `{0:>1$.2}`. What a field does with its argument
//! decides which values it may have.

use std::iter::Peekable;
use std::str::Chars;

/// What a value must be for the fields that show it; a later one implies the
/// earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    Anything,
    Number,
    Integer,
    /// Of type `usize`: a width or precision.
    Count,
}

/// An argument as the macro's user gave it, or as a field captured it.
pub struct Argument {
    pub name: Option<String>,
    pub captured: bool,
    /// `None`: no field has used it.
    pub needs: Option<Needs>,
}

pub struct Format<'a> {
    rest: Peekable<Chars<'a>>,
    arguments: &'a mut Vec<Argument>,
    explicit: usize,
    next: usize,
    output: String,
}

type Result<T> = std::result::Result<T, String>;

/// Writes `text` again with numbered arguments, to which it adds those that it
/// captures.
pub fn rewrite(text: &str, arguments: &mut Vec<Argument>) -> Result<String> {
    let explicit = arguments.len();
    let rest = text.chars().peekable();
    let mut format = Format { rest, arguments, explicit, next: 0, output: String::new() };
    while let Some(c) = format.rest.next() {
        format.output.push(c);
        match c {
            '{' | '}' if format.rest.next_if_eq(&c).is_some() => format.output.push(c),
            '{' => format.field()?,
            '}' => return Err("unmatched `}`: to print one, write `}}`".to_string()),
            _ => {}
        }
    }
    Ok(format.output)
}

impl Format<'_> {
    fn skip_spaces(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn number(&mut self) -> Result<Option<usize>> {
        let mut digits = String::new();
        while let Some(c) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(c);
        }
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse() {
            Ok(number) if number <= usize::from(u16::MAX) => Ok(Some(number)),
            _ => Err(format!("the number {digits} is too large")),
        }
    }

    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        let first = |c: &char| c.is_alphabetic() || *c == '_';
        name.push(self.rest.next_if(first)?);
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            name.push(c);
        }
        Some(name)
    }

    fn use_number(&mut self, number: usize, needs: Needs) -> Result<usize> {
        if number >= self.explicit {
            let have = match self.explicit {
                0 => "there are none".to_string(),
                1 => "there is one".to_string(),
                n => format!("there are {n}"),
            };
            return Err(format!(
                "the format asks for argument {number}, counted from 0, but {have}"
            ));
        }
        let argument = &mut self.arguments[number];
        argument.needs = argument.needs.max(Some(needs));
        Ok(number)
    }

    fn use_name(&mut self, name: String, needs: Needs) -> usize {
        let known = self.arguments.iter().position(|a| a.name.as_ref() == Some(&name));
        let number = known.unwrap_or_else(|| {
            self.arguments.push(Argument { name: Some(name), captured: true, needs: None });
            self.arguments.len() - 1
        });
        let argument = &mut self.arguments[number];
        argument.needs = argument.needs.max(Some(needs));
        number
    }

    fn use_next(&mut self, needs: Needs) -> Result<usize> {
        self.next += 1;
        self.use_number(self.next - 1, needs)
    }

    /// What stands between the braces, and the closing one.
    fn field(&mut self) -> Result<()> {
        self.skip_spaces();
        let number = self.number()?;
        let name = self.name();
        self.skip_spaces();
        let mut spec = String::new();
        let mut needs = Needs::Anything;
        if self.rest.next_if_eq(&':').is_some() {
            spec.push(':');
            needs = self.spec(&mut spec)?;
            self.skip_spaces();
        }
        match self.rest.next() {
            Some('}') => {}
            Some(c) => return Err(format!("a field does not go on with `{c}`")),
            None => return Err("`{` without `}`: to print one, write `{{`".to_string()),
        }
        let number = match (number, name) {
            (Some(number), None) => self.use_number(number, needs)?,
            (None, Some(name)) => self.use_name(name, needs),
            (None, None) => self.use_next(needs)?,
            (Some(number), Some(name)) => {
                return Err(format!("`{number}{name}` is neither a number nor a name"));
            }
        };
        self.output.push_str(&format!("{number}{spec}}}"));
        Ok(())
    }

    /// `[[fill]align][sign]['#']['0'][width]['.' precision][type]`
    fn spec(&mut self, spec: &mut String) -> Result<Needs> {
        const ALIGN: [char; 3] = ['<', '^', '>'];
        let mut ahead = self.rest.clone();
        let (first, second) = (ahead.next(), ahead.next());
        if second.is_some_and(|c| ALIGN.contains(&c)) {
            spec.extend(first);
            spec.extend(second);
            self.rest = ahead;
        } else if let Some(c) = self.rest.next_if(|c| ALIGN.contains(c)) {
            spec.push(c);
        }
        spec.extend(self.rest.next_if(|c| ['+', '-'].contains(c)));
        spec.extend(self.rest.next_if_eq(&'#'));
        // In `0$` the zero is the number of an argument.
        let mut ahead = self.rest.clone();
        if ahead.next() == Some('0') && ahead.next() != Some('$') {
            spec.extend(self.rest.next());
        }
        // A name before `$` is a width; any other is the type.
        let mut name = self.count(spec)?;
        if name.is_none() && self.rest.next_if_eq(&'.').is_some() {
            spec.push('.');
            if self.rest.next_if_eq(&'*').is_some() {
                let number = self.use_next(Needs::Count)?;
                spec.push_str(&format!("{number}$"));
            } else {
                let before = spec.len();
                name = self.count(spec)?;
                if spec.len() == before {
                    return Err("`.` without a precision".to_string());
                }
            }
        }
        if name.is_none() {
            name = self.name();
        }
        let debug = self.rest.next_if_eq(&'?').is_some();
        let name = name.unwrap_or_default();
        let needs = match (name.as_str(), debug) {
            ("", _) => Needs::Anything,
            ("x" | "X", _) | ("o" | "b", false) => Needs::Integer,
            ("e" | "E", false) => Needs::Number,
            ("p", false) => {
                return Err(
                    "a kernel does not print pointers: its addresses mean nothing elsewhere"
                        .to_string(),
                );
            }
            _ => {
                let mark = if debug { "?" } else { "" };
                return Err(format!("unknown format type `{name}{mark}`"));
            }
        };
        spec.push_str(&name);
        spec.extend(debug.then_some('?'));
        Ok(needs)
    }

    /// A width or precision: `5`, `1$` or `name$`. Returns a name that is no count.
    fn count(&mut self, spec: &mut String) -> Result<Option<String>> {
        if let Some(number) = self.number()? {
            spec.push_str(&number.to_string());
            if self.rest.next_if_eq(&'$').is_some() {
                self.use_number(number, Needs::Count)?;
                spec.push('$');
            }
            return Ok(None);
        }
        let Some(name) = self.name() else { return Ok(None) };
        if self.rest.next_if_eq(&'$').is_none() {
            return Ok(Some(name));
        }
        let number = self.use_name(name, Needs::Count);
        spec.push_str(&format!("{number}$"));
        Ok(None)
    }
}
