//! Every plain scalar, by value, by reference and in slices, keeps all its bits.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
// CHECK: 29 types
use ferry::prelude::*;
use std::num::*;

fn by_value<T: Plain>(v: T, out: &mut T) {
    *out = v;
}
fn by_reference<T: Plain>(v: &T, out: &mut T) {
    *out = *v;
}
fn by_slice<T: Plain>(v: &[T], out: &mut T) {
    *out = v[gpu::global_id()];
}

fn bytes<T>(v: &[T]) -> &[u8] {
    unsafe { std::slice::from_raw_parts(v.as_ptr().cast(), size_of_val(v)) }
}

fn round_trip<T: Plain>(types: &mut u32, values: &[T]) {
    // Something else than the value, in valid representation: the first one.
    let other = values[0];
    for v in values {
        let mut out = [other; 3];
        ferry::launch(by_value::<T>, over(3), (*v, each(&mut out))).unwrap();
        assert_eq!(bytes(&out), bytes(&[*v; 3]));
        let mut out = [other; 2];
        ferry::launch(by_reference::<T>, over(2), (v, each(&mut out))).unwrap();
        assert_eq!(bytes(&out), bytes(&[*v; 2]));
    }
    let mut out = vec![other; values.len()];
    ferry::launch(by_slice::<T>, over(values.len()), (values, each(&mut out))).unwrap();
    assert_eq!(bytes(&out), bytes(values));
    *types += 1;
}

macro_rules! integers {
    ($n:ident: $($T:ty)*) => { $( {
        let mut pattern: $T = 0;
        for i in 0..size_of::<$T>() {
            pattern |= ((0x80u8.wrapping_add(7 * i as u8)) as $T) << (8 * i as u32);
        }
        round_trip::<$T>(&mut $n, &[0, 1, 42, <$T>::MIN, <$T>::MAX, !0, pattern]);
    } )* };
}

fn main() {
    let mut n = 0;
    integers!(n: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
    round_trip(&mut n, &[false, true]);
    round_trip(&mut n, &['\0', 'a', 'ß', '\u{d7ff}', '\u{10ffff}', '🦀']);
    round_trip(&mut n, &[0x0u32, 0x8000_0000, 1, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc1_2345, 0x7f81_2345]
        .map(f32::from_bits));
    round_trip(&mut n, &[0x0u64, 1 << 63, 1, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48, 0xfff8_1234_5678_9abc, 0x7ff0_1234_5678_9abc]
        .map(f64::from_bits));
    round_trip(&mut n, &[()]);
    round_trip(&mut n, &[[1u8, 2, 3], [4, 5, 6]]);
    round_trip(&mut n, &[[[1u16; 5]; 7]]);
    round_trip(&mut n, &[(1u8, 2.5f64, 'x', true), (255, -0.0, 'y', false)].map(|t| t.1));
    round_trip(&mut n, &[NonZeroU32::MIN, NonZeroU32::MAX]);
    round_trip(&mut n, &[NonZeroI128::MIN, NonZeroI128::MAX]);
    round_trip(&mut n, &[Wrapping(-3i64), Wrapping(i64::MAX)]);
    round_trip(&mut n, &[Some(NonZeroU8::MIN), None]);
    round_trip(&mut n, &[[0.0f64; 100]]);
    // Padding need not survive in values; fields do.
    for v in [Some(-5i32), None] {
        let mut out = [Some(1); 2];
        ferry::launch(by_value::<Option<i32>>, over(2), (v, each(&mut out))).unwrap();
        assert_eq!(out, [v; 2]);
    }
    n += 1;
    for v in [(1u8, 2.5f64, 'x', true), (255, -0.0, 'y', false)] {
        let mut out = [(0u8, 0f64, ' ', false); 2];
        ferry::launch(by_value::<(u8, f64, char, bool)>, over(2), (v, each(&mut out))).unwrap();
        assert_eq!(out, [v; 2]);
    }
    n += 1;
    for v in [None, Some(u128::MAX)] {
        let mut out = [Some(1); 2];
        ferry::launch(by_value::<Option<u128>>, over(2), (v, each(&mut out))).unwrap();
        assert_eq!(out, [v; 2]);
    }
    n += 1;
    round_trip(&mut n, &[u8::MAX; 1]);
    println!("{n} types");
}
