//! Every mathematical method of f32 and f64, against the host's: to 2 units in the
//! last place, and exactly where the result is exact.
//
// RUN: %run-rust-everywhere --output %t %s
//
// They are built for GPUs as well.
// RUN: cd %t && env CARGO_TARGET_DIR=%t/target %cargo-ferry build --offline -q --release --targets=cpu,sm_90,gfx90a
use ferry::prelude::*;

macro_rules! methods {
    ($module:ident, $float:ident, $bits:ident, $signed:ident) => {
        mod $module {
            use super::*;

            pub const ROUNDED: usize = 35;
            pub const EXACT: usize = 37;

            /// What may differ in the last places.
            #[inline(always)]
            pub fn rounded(x: $float, y: $float) -> [$float; ROUNDED] {
                let unit = (x - x.floor()) * 2.0 - 1.0;
                let (sin, cos) = x.sin_cos();
                [
                    x.sin(), x.cos(), x.tan(), sin, cos,
                    unit.asin(), unit.acos(), x.atan(), x.atan2(y),
                    x.sinh(), x.cosh(), x.tanh(), x.asinh(), (x.abs() + 1.0).acosh(), (unit * 0.99).atanh(),
                    x.exp(), x.exp2(), x.exp_m1(), x.abs().ln(), x.abs().log(y.abs() + 2.0), x.abs().log2(), x.abs().log10(), x.abs().ln_1p(),
                    x.abs().powf(y), x.powi(3), x.powi(-2), x.cbrt(), x.hypot(y),
                    x.to_degrees(), x.to_radians(), x.recip(), x / y, x.powi(0), (-x.abs()).exp(), x.abs().sqrt(),
                ]
            }

            /// What is the same everywhere.
            #[inline(always)]
            #[allow(clippy::float_cmp)]
            pub fn exact(x: $float, y: $float) -> [$float; EXACT] {
                let flag = |b: bool| b as u8 as $float;
                [
                    x.floor(), x.ceil(), x.round(), x.round_ties_even(), x.trunc(), x.fract(),
                    x.abs(), x.signum(), x.copysign(y), x.mul_add(y, 0.5), x.abs().sqrt(),
                    x.div_euclid(y), x.rem_euclid(y), x % y,
                    x.min(y), x.max(y), x.clamp(-1.0, 1.0), x.midpoint(y),
                    x.next_up(), x.next_down(),
                    x as i32 as $float, y as u8 as $float, (x * 1e9) as i64 as $float, x as u64 as $float, (y as i8) as $float,
                    x.total_cmp(&y) as i8 as $float, x.partial_cmp(&y).unwrap() as i8 as $float,
                    flag(x.is_nan()), flag(x.is_finite()), flag(x.is_infinite()), flag(x.is_normal()), flag(x.is_subnormal()),
                    flag(x.is_sign_negative()), flag(x.is_sign_positive()), flag(x.classify() == std::num::FpCategory::Normal),
                    $float::from_bits(x.to_bits() ^ 1), (x as f32 + y as f32) as $float,
                ]
            }

            fn all_rounded(x: &[$float], y: &[$float], out: &mut [$float]) {
                out.copy_from_slice(&rounded(x[gpu::global_id()], y[gpu::global_id()]));
            }
            fn all_exact(x: &[$float], y: &[$float], out: &mut [$float]) {
                out.copy_from_slice(&exact(x[gpu::global_id()], y[gpu::global_id()]));
            }

            /// Distance in units of the last place.
            fn ulps(a: $float, b: $float) -> u64 {
                if a == b || (a.is_nan() && b.is_nan()) {
                    return 0;
                }
                let ordered = |x: $float| {
                    let bits = x.to_bits() as $signed;
                    if bits < 0 { $signed::MIN.wrapping_sub(bits) } else { bits }
                };
                ordered(a).abs_diff(ordered(b)).into()
            }

            pub fn check() -> ferry::Result<()> {
                let n = 2000;
                let mut state = 1u32;
                let mut next = |scale: $float| {
                    state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                    ((state >> 8) as $float / (1 << 23) as $float - 1.0) * scale
                };
                let mut x: Vec<$float> = (0..n).map(|i| next([0.01, 1.0, 5.0, 20.0][i % 4])).collect();
                let mut y: Vec<$float> = (0..n).map(|i| next([2.0, 0.5, 30.0][i % 3])).collect();
                x[..6].copy_from_slice(&[2.5, -2.5, 3.5, -0.5, 1.0, -1.0]);
                y[..6].copy_from_slice(&[2.0, -2.0, 0.5, 0.25, 1.0, 2.0]);
                let mut out = vec![0.0; n * ROUNDED];
                launch(all_rounded, over(n), (&x, &y, rows(&mut out, ROUNDED)))?;
                for (i, out) in out.chunks(ROUNDED).enumerate() {
                    for (k, (found, expected)) in out.iter().zip(rounded(x[i], y[i])).enumerate() {
                        assert!(
                            ulps(*found, expected) <= 2,
                            "{} {k} of {} and {}: {found:e} is not {expected:e}",
                            stringify!($float), x[i], y[i]
                        );
                    }
                }
                let mut out = vec![0.0; n * EXACT];
                launch(all_exact, over(n), (&x, &y, rows(&mut out, EXACT)))?;
                for (i, out) in out.chunks(EXACT).enumerate() {
                    for (k, (found, expected)) in out.iter().zip(exact(x[i], y[i])).enumerate() {
                        assert_eq!(found.to_bits(), expected.to_bits(), "{} {k} of {} and {}", stringify!($float), x[i], y[i]);
                    }
                }
                Ok(())
            }
        }
    };
}

methods!(single, f32, u32, i32);
methods!(double, f64, u64, i64);

fn main() -> ferry::Result<()> {
    single::check()?;
    double::check()
}
