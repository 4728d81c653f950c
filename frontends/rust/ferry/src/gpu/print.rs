// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What `gpu::print!` expands to: checks of the values' types, and the call that
//! hands them over. The macro has checked the format; libferry reads it when the
//! launch is over.

use crate::marker;

/// A value as the marker takes it.
#[derive(Clone, Copy)]
pub struct Printed {
    kind: u64,
    bits: u64,
}

/// What `{}` and `{:?}` show in kernels.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot print a `{Self}`",
    label = "neither a number nor a `bool` or `char`",
    note = "`gpu::print!` shows numbers of up to 64 bits, `bool` and `char`: print the parts one by one"
)]
pub trait Printable {
    #[doc(hidden)]
    fn show(&self) -> Printed;
}

/// What `{:e}` shows too.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot print a `{Self}` by `{{:e}}`",
    label = "not a number"
)]
pub trait Number: Printable {
    #[doc(hidden)]
    #[inline(always)]
    fn show_number(&self) -> Printed {
        self.show()
    }
}

/// What `{:x}`, `{:o}` and `{:b}` show too.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot print a `{Self}` by `{{:x}}`, `{{:o}}` or `{{:b}}`",
    label = "not an integer"
)]
pub trait Integer: Printable {
    #[doc(hidden)]
    #[inline(always)]
    fn show_integer(&self) -> Printed {
        self.show()
    }
}

macro_rules! printable {
    ($($kind:ident: $($T:ty)*, $value:ident => $bits:expr;)*) => { $($(
        impl Printable for $T {
            #[inline(always)]
            fn show(&self) -> Printed {
                let $value = *self;
                Printed {
                    kind: const {
                        marker::$kind
                            | marker::PRINT_RUST
                            | (size_of::<$T>() as u64) << marker::PRINT_BYTES_SHIFT
                    },
                    bits: $bits,
                }
            }
        }
    )*)* };
}

printable! {
    PRINT_UNSIGNED: u8 u16 u32 u64 usize, value => value as u64;
    PRINT_SIGNED: i8 i16 i32 i64 isize, value => value as i64 as u64;
    PRINT_FLOAT: f32, value => value.to_bits() as u64;
    PRINT_DOUBLE: f64, value => value.to_bits();
    PRINT_BOOL: bool, value => value as u64;
    PRINT_CHAR: char, value => value as u64;
}

macro_rules! references {
    ($($Reference:ty)*) => { $(
        impl<T: Printable> Printable for $Reference {
            #[inline(always)]
            fn show(&self) -> Printed {
                T::show(self)
            }
        }
        impl<T: Number> Number for $Reference {}
        impl<T: Integer> Integer for $Reference {}
    )* };
}

references! { &T &mut T }

macro_rules! numbers {
    ($($Trait:ident: $($T:ty)*;)*) => { $($( impl $Trait for $T {} )*)* };
}

numbers! {
    Number: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64;
    Integer: u8 u16 u32 u64 usize i8 i16 i32 i64 isize;
}

/// A width or precision.
#[inline(always)]
pub fn show_count(count: &usize) -> Printed {
    count.show()
}

/// The values of one `print!`.
pub trait Values {
    fn print(self, format: &str);
}

/// Prints by a format that fits the values.
#[inline(always)]
pub fn print(format: &'static str, values: impl Values) {
    values.print(format);
}

macro_rules! values {
    ([$($value:ident)*]) => {
        impl Values for [Printed; const { <[&str]>::len(&[$(stringify!($value)),*]) }] {
            #[inline(always)]
            fn print(self, format: &str) {
                let [$($value),*] = self;
                marker::print!(
                    format.as_ptr(),
                    format.len() as u64,
                    const { <[&str]>::len(&[$(stringify!($value)),*]) as u64 }
                    $(, $value.kind, $value.bits)*
                );
            }
        }
    };
    ([$($done:ident)*] $next:ident $($rest:ident)*) => {
        values!([$($done)*]);
        values!([$($done)* $next] $($rest)*);
    };
}

values!([] a b c d e f g h i j k l m n o p q r s t u v w x);
