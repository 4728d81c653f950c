//! Derived structs and enums, nested and padded, generic, with data in variants,
//! by value, by reference, in slices, and a megabyte by reference.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;

#[derive(Clone, Copy, Plain, PartialEq, Debug)]
struct Inner {
    c: u8,
    d: f64,
    b: bool,
}
#[derive(Clone, Copy, Plain, PartialEq, Debug)]
struct Padded {
    first: u8,
    nested: [Inner; 2],
    s: i16,
    wide: i128,
    f: [f32; 3],
    last: char,
}
#[derive(Clone, Copy, Plain, PartialEq, Debug)]
#[repr(C, align(64))]
struct Aligned(i32);
#[derive(Clone, Copy, Plain, PartialEq, Debug)]
struct Unit;
#[derive(Clone, Copy, Plain, PartialEq, Debug)]
enum Fieldless {
    A = -3,
    B = 70000,
}
#[derive(Clone, Copy, Plain, PartialEq, Debug)]
enum Shape {
    Empty,
    Circle { radius: f32 },
    Box(f64, u8),
}
#[derive(Clone, Copy, Plain, PartialEq, Debug)]
struct Pair<T: Plain, const N: usize> {
    a: T,
    b: [T; N],
}
#[derive(Clone, Copy, Plain)]
struct Megabyte {
    words: [u32; 262144],
}

fn by_value<T: Plain>(v: T, out: &mut T) {
    *out = v;
}
fn by_reference<T: Plain>(v: &T, out: &mut T) {
    *out = *v;
}
fn by_slice<T: Plain>(v: &[T], out: &mut T) {
    *out = v[gpu::global_id()];
}
fn round_trip<T: Plain + PartialEq + std::fmt::Debug>(v: [T; 2]) {
    for i in 0..2 {
        let mut out = [v[1 - i]; 3];
        launch(by_value::<T>, over(3), (v[i], each(&mut out))).unwrap();
        assert_eq!(out, [v[i]; 3]);
        let mut out = [v[1 - i]; 3];
        launch(by_reference::<T>, over(3), (&v[i], each(&mut out))).unwrap();
        assert_eq!(out, [v[i]; 3]);
    }
    let mut out = vec![v[0]; 2];
    launch(by_slice::<T>, over(2), (&v, each(&mut out))).unwrap();
    assert_eq!(out, v);
}

fn area(s: &[Shape], a: &mut f64) {
    *a = match s[gpu::global_id()] {
        Shape::Empty => 0.0,
        Shape::Circle { radius } => (3 * radius as i32 * radius as i32) as f64,
        Shape::Box(a, b) => a * b as f64,
    };
}
fn sum(m: &Megabyte, out: &mut u64) {
    *out = 0;
    for w in m.words.iter() {
        *out += *w as u64;
    }
}

fn main() -> ferry::Result<()> {
    let inner = Inner { c: 7, d: -0.5, b: true };
    let padded = Padded {
        first: 9,
        nested: [inner, Inner { c: 8, d: 1e300, b: false }],
        s: -3,
        wide: (1 << 100) + 5,
        f: [1.0, 2.0, 3.0],
        last: 'ß',
    };
    round_trip([inner, Inner { c: 0, d: 0.0, b: false }]);
    round_trip([padded, Padded { first: 1, s: 4, wide: -1, ..padded }]);
    round_trip([Aligned(5), Aligned(-1)]);
    round_trip([Unit, Unit]);
    round_trip([Fieldless::A, Fieldless::B]);
    round_trip([Shape::Circle { radius: 2.5 }, Shape::Box(1.5, 200)]);
    round_trip([Shape::Empty, Shape::Box(-1.5, 0)]);
    round_trip([Pair { a: 1u16, b: [2; 5] }, Pair { a: 9, b: [8, 7, 6, 5, 4] }]);
    round_trip([Pair { a: inner, b: [inner; 20] }, Pair { a: inner, b: [Inner { c: 1, ..inner }; 20] }]);
    round_trip([[1.5f64; 90], [2.5; 90]]);
    round_trip([(1u8, (2u64, 'x'), [3i16; 3]), (4, (5, 'y'), [6; 3])]);

    let shapes = [Shape::Empty, Shape::Circle { radius: 2.0 }, Shape::Box(1.5, 4)];
    let mut areas = [0.0; 3];
    launch(area, over(3), (&shapes, each(&mut areas)))?;
    assert_eq!(areas, [0.0, 12.0, 6.0]);

    let mut m: Box<Megabyte> = unsafe { Box::new_zeroed().assume_init() };
    for (i, w) in m.words.iter_mut().enumerate() {
        *w = (i as u32).wrapping_mul(2654435761);
    }
    let expected = m.words.iter().map(|w| *w as u64).sum::<u64>();
    let mut sums = [0; 2];
    launch(sum, over(2), (&*m, each(&mut sums)))?;
    assert_eq!(sums, [expected; 2]);
    Ok(())
}
