// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What `launch` accepts and what it finds wrong before anything runs. These
//! tests pass under plain cargo, where a launch that is right gets as far as the
//! missing plugin, and under `cargo ferry test`, where it runs.

use ferry::prelude::*;
use ferry::{ErrorKind, launch_unchecked};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

/// Whether the launch ran; anything but a missing plugin is a failure.
fn ran(result: ferry::Result<()>) -> bool {
    match result {
        Ok(()) => true,
        Err(e) if e.kind() == ErrorKind::NoPlugin => {
            assert!(e.message().contains("built without the Ferry plugin"), "{e}");
            assert_eq!(ferry::devices(), 0);
            false
        }
        Err(e) => panic!("{e}"),
    }
}

fn add(a: f32, x: &[f32], y: &mut f32) {
    *y += a * x[gpu::global_id()];
}

#[test]
fn slices_come_from_everything_that_has_one() {
    let v = vec![1.0; 4];
    let boxed: Box<[f32]> = v.clone().into();
    let array = [1.0; 4];
    let mut y = vec![0.0; 4];
    let mut count = 0;
    count += ran(launch(add, over(4), (2.0, &v, each(&mut y)))) as i32;
    count += ran(launch(add, over(4), (2.0, &v[..], each(&mut y[..])))) as i32;
    count += ran(launch(add, over(4), (2.0, &boxed, each(&mut y)))) as i32;
    count += ran(launch(add, over(4), (2.0, &array, each(&mut y)))) as i32;
    count += ran(launch(add, blocks(2).threads(2), (2.0, v.as_slice(), each(&mut y)))) as i32;
    assert_eq!(y, [2.0 * count as f32; 4]);
}

#[test]
fn literals_take_the_type_that_the_kernel_asks_for() {
    fn wide(a: u8, b: i128, c: f64, d: (f32, u16), e: [i8; 2], out: &mut [f64; 2]) {
        let [x, y] = e;
        *out = [a as f64 + b as f64 + c + d.0 as f64 + d.1 as f64, (x + y) as f64];
    }
    let mut out = [[0.0; 2]; 3];
    if ran(launch(wide, over(3), (1, -2, 0.5, (0.25, 7), [3, -4], each(&mut out)))) {
        assert_eq!(out, [[6.75, -1.0]; 3]);
    }
}

#[test]
fn strings_and_single_references() {
    fn spell(text: &str, offset: &u8, out: &mut u8) {
        *out = text.as_bytes()[gpu::global_id()].wrapping_add(*offset);
    }
    let mut out = [0; 5];
    if ran(launch(spell, over(5), ("ferry", &1, each(&mut out)))) {
        assert_eq!(&out, b"gfssz");
    }
    let text = String::from("hal");
    if ran(launch(spell, over(3), (&text, &1, each(&mut out)))) {
        assert_eq!(&out[..3], b"ibm");
    }
}

#[test]
fn atomics_are_shared() {
    fn count(x: &[u8], histogram: &[AtomicU32], sum: &AtomicI64) {
        let value = x[gpu::global_id()];
        histogram[value as usize].fetch_add(1, Ordering::Relaxed);
        sum.fetch_sub(value as i64, Ordering::Relaxed);
    }
    let x = [1, 2, 2, 3, 3, 3];
    let histogram: Vec<_> = (0..4).map(AtomicU32::new).collect();
    let sum = AtomicI64::new(100);
    if ran(launch(count, over(x.len()), (&x, &histogram, &sum))) {
        let counts: Vec<_> = histogram.iter().map(|n| n.load(Ordering::Relaxed)).collect();
        assert_eq!(counts, [0, 2, 4, 6]);
        assert_eq!(sum.into_inner(), 86);
    }
}

#[test]
fn closures_generics_and_no_arguments() {
    fn fill<T: Plain>(value: T, out: &mut T) {
        *out = value;
    }
    fn through<T: Plain + PartialEq + std::fmt::Debug>(value: T, zero: T) {
        let mut out = vec![zero; 7];
        if ran(launch(fill::<T>, over(7), (value, each(&mut out)))) {
            assert_eq!(out, vec![value; 7]);
        }
    }
    through(7u64, 0);
    through('x', 'y');
    through([true, false], [false; 2]);
    through(Some(3.5f64), None);

    let mut v = [1, 2, 3];
    let double = |x: &mut i32| *x *= 2;
    if ran(launch(double, over(3), (each(&mut v),))) {
        assert_eq!(v, [2, 4, 6]);
    }
    fn nothing() {}
    ran(launch(nothing, over(100), ()));
    ran(launch(|| (), blocks((1, 2, 3)).threads((2, 2)), ()));
}

#[test]
fn twenty_four_arguments() {
    #[allow(clippy::too_many_arguments)]
    #[rustfmt::skip]
    fn sum(
        a: u8, b: u16, c: u32, d: u64, e: i8, f: i16, g: i32, h: i64, i: f32, j: f64, k: bool,
        l: char, m: &[u8], n: &u16, o: &str, p: [u8; 3], q: (u8, u64), r: u128, s: i128, t: usize,
        u: isize, v: &[f32], w: &mut [u64], x: &mut f64,
    ) {
        *x = a as f64 + b as f64 + c as f64 + d as f64 + e as f64 + f as f64 + g as f64
            + h as f64 + i as f64 + j + k as u8 as f64 + l as u32 as f64 + m[0] as f64
            + *n as f64 + o.len() as f64 + p[2] as f64 + q.1 as f64 + r as f64 + s as f64
            + t as f64 + u as f64 + v[1] as f64 + w.len() as f64;
        w[0] = 24;
    }
    let (mut w, mut x) = ([0; 4], [0.0; 2]);
    #[rustfmt::skip]
    let arguments = (
        1, 2, 3, 4, -5, -6, -7, -8, 9.0, 10.0, true, '\x0c', &[13], &14, "fifteen", [0, 0, 16],
        (0, 17), 18, -19, 20, -21, &[0.0, 22.0], rows(&mut w, 2), each(&mut x),
    );
    if ran(launch(sum, over(2), arguments)) {
        assert_eq!(x, [105.0; 2]);
        assert_eq!(w, [24, 0, 24, 0]);
    }
}

#[test]
fn chunks_rows_and_threads_that_are_fewer() {
    fn number(part: &mut [usize]) {
        for (i, x) in part.iter_mut().enumerate() {
            *x = 10 * (gpu::global_id() + 1) + i;
        }
    }
    let mut v = [0; 8];
    if ran(launch(number, over(3), (chunks(&mut v, 3),))) {
        assert_eq!(v, [10, 11, 12, 20, 21, 22, 30, 31]);
    }
    let mut v = [0; 8];
    if ran(launch(number, over(2), (chunks(&mut v, 3),))) {
        assert_eq!(v, [10, 11, 12, 20, 21, 22, 0, 0]);
    }
    let mut m = [0; 6];
    if ran(launch(number, over(2), (rows(&mut m, 2),))) {
        assert_eq!(m, [10, 11, 20, 21, 0, 0]);
    }
}

#[test]
fn nothing_at_all() {
    fn lengths(x: &[f32], text: &str, unit: &(), units: &[()], out: &mut [usize; 3]) {
        let () = *unit;
        *out = [x.len(), text.len(), units.len()];
    }
    let mut out = [[9; 3]; 1];
    let x: Vec<f32> = vec![];
    if ran(launch(lengths, over(1), (&x, "", &(), &[(); 5], each(&mut out)))) {
        assert_eq!(out, [[0, 0, 5]]);
    }
    fn touch(_: &mut (), _: &mut [f32]) {}
    let mut none: [f32; 0] = [];
    ran(launch(touch, over(0), (each(&mut [(); 0]), chunks(&mut none, 4))));
    fn units(unit: &mut ()) {
        *unit = ();
    }
    ran(launch(units, over(5), (each(&mut [(); 5]),)));
}

#[test]
fn unchecked_arguments_are_the_same_for_all_threads() {
    fn reverse(x: &[u32], y: &mut [u32], z: *mut u32, last: &mut u32, one: *mut u64) {
        let i = gpu::global_id();
        y[x.len() - 1 - i] = x[i];
        // SAFETY: each thread writes its own element; the first alone the rest.
        unsafe { *z.add(i) = 2 * x[i] };
        if i == 0 {
            *last = x[x.len() - 1];
            unsafe { *one = 1 };
        }
    }
    let x = [1, 2, 3];
    let (mut y, mut z, mut last, mut one) = (vec![0; 3], [0; 3], 0, 0);
    let arguments = (&x, &mut y, &mut z, &mut last, &mut one);
    // SAFETY: see `reverse`.
    if ran(unsafe { launch_unchecked(reverse, over(3), arguments) }) {
        assert_eq!((&y[..], z, last, one), (&[3, 2, 1][..], [2, 4, 6], 3, 1));
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: ferry::Result<T>, text: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    assert!(error.to_string().contains(text), "{error}");
}

#[test]
fn more_threads_than_parts() {
    fn one(_: f32, _: &mut f32) {
        unreachable!()
    }
    fn many(_: &mut [f32]) {
        unreachable!()
    }
    let mut v = [0.0; 10];
    let line = line!() + 1;
    let error = launch(one, over(11), (1.0, each(&mut v)));
    refused(error.clone(), "argument 2: each(..) has 10 elements for 11 threads");
    refused(error.clone(), "more_threads_than_parts::one' launched at ");
    refused(error, &format!("{}:{line}:17", file!()));
    let shape = blocks((2, 1, 3)).threads((1, 2));
    refused(launch(one, shape, (1.0, each(&mut v))), "has 10 elements for 12 threads");
    refused(launch(many, over(4), (chunks(&mut v, 4),)), "has 3 chunks for 4 threads");
    refused(launch(many, over((3, 2)), (rows(&mut v, 2),)), "has 5 rows for 6 threads");
    refused(launch(many, over(1), (chunks(&mut v, 0),)), "at least one element");
    refused(launch(many, over(1), (rows(&mut v, 0),)), "at least one column");
    refused(launch(many, over(1), (rows(&mut v, 3),)), "length 10 is not a multiple of 3");
    let huge = usize::MAX;
    refused(launch(one, over((huge, huge, huge)), (1.0, each(&mut v))), "has 10 elements");
    assert_eq!(v, [0.0; 10]);
}
