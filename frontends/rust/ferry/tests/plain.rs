// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What `#[derive(Plain)]` accepts. What it refuses is in tests/compile-fail/rust.

#![allow(dead_code)]

use ferry::Plain;

fn plain<T: Plain>() {}

#[derive(Clone, Copy, Plain)]
struct Unit;

#[derive(Clone, Copy, Plain)]
struct Tuple(u8, pub(crate) [(i64, bool); 3], Option<char>);

/// Doc comments are attributes.
#[derive(Clone, Copy, Plain)]
#[repr(C)]
pub struct Named {
    /// One.
    #[allow(dead_code)]
    pub a: u8,
    pub(crate) b: u128,
    c: Tuple,
}

#[derive(Clone, Copy, Plain)]
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: f64,
}

#[derive(Clone, Copy, Plain)]
#[repr(u8)]
enum Colour {
    Red = 1,
    Green = { 1 + 2 },
    Blue = (7),
}

#[derive(Clone, Copy, Plain)]
enum Figure {
    Nothing,
    Circle(f32),
    Polygon { corners: [(f32, f32); 8], colour: Colour },
}

#[derive(Clone, Copy, Plain)]
struct Generic<T: Copy + PartialEq<T>, U: Copy = f32, const N: usize = 4>
where
    [T; N]: Sized,
    (T, U): Copy,
{
    values: [T; N],
    pair: Pair<T, U>,
}

#[derive(Clone, Copy, Plain)]
struct Pair<T: Copy + PartialEq<T>, U, const LAST: bool = { 1 < 2 }>(T, U)
where
    [U; 2]: Sized;

mod shadowed {
    // The derive writes absolute paths, whatever is in scope.
    #[allow(dead_code, non_camel_case_types)]
    struct u32;
    #[allow(dead_code)]
    trait Plain {}

    #[derive(Clone, Copy, ferry::Plain)]
    pub struct Inside(pub f32);
}

#[test]
fn derives() {
    plain::<Unit>();
    plain::<Tuple>();
    plain::<Named>();
    plain::<Packed>();
    plain::<Colour>();
    plain::<Figure>();
    plain::<Pair<u8, f64>>();
    plain::<Generic<u8, u16, 9>>();
    plain::<shadowed::Inside>();
}

#[test]
fn scalars_arrays_and_tuples() {
    plain::<(i8, u16, i32, u64, i128, usize, bool, char, f32, f64)>();
    plain::<[[Option<std::num::NonZeroU32>; 4]; 0]>();
    plain::<std::num::Wrapping<u64>>();
    plain::<()>();
}
