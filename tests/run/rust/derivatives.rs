//! The attributes of ferry::autodiff: all activities in both modes, widths, methods,
//! traits, generics, nested functions, several attributes on one function.
//
// RUN: %run-rust-everywhere --devices cpu --output %t %s
use ferry::prelude::*;

#[autodiff_reverse(reverse_square, Active, Active)]
#[autodiff_reverse(reverse_square_only, Active, ActiveOnly)]
#[autodiff_reverse(reverse_square_3, 3, Active, Active)]
#[autodiff_forward(forward_square, Dual, Dual)]
#[autodiff_forward(forward_square_only, Dual, DualOnly)]
#[autodiff_forward(forward_square_3, 3, Dual, Dual)]
#[autodiff_forward(forward_square_only_3, 3, Dual, DualOnly)]
fn square(x: f64) -> f64 {
    x * x
}

fn scalars() {
    assert_eq!(reverse_square(3.0, 1.0), (9.0, 6.0));
    assert_eq!(reverse_square(3.0, 0.5), (9.0, 3.0));
    assert_eq!(reverse_square_only(3.0, 1.0), 6.0);
    assert_eq!(reverse_square_3(3.0, [1.0, 2.0, 0.0]), (9.0, [6.0, 12.0, 0.0]));
    assert_eq!(forward_square(3.0, 1.0), (9.0, 6.0));
    assert_eq!(forward_square_only(3.0, 2.0), 12.0);
    assert_eq!(forward_square_3(3.0, 1.0, 2.0, 0.0), [9.0, 6.0, 12.0, 0.0]);
    assert_eq!(forward_square_only_3(3.0, 1.0, 2.0, 0.0), [6.0, 12.0, 0.0]);
}

#[autodiff_reverse(reverse_mixed, Active, Const, Active, Const, Active, Active)]
#[autodiff_forward(forward_mixed, Dual, Const, Dual, Const, Dual, Dual)]
fn mixed(x: f32, n: i32, mut y: f64, text: String, z: f32) -> f32 {
    for _ in 0..n {
        y *= f64::from(x) + text.len() as f64;
    }
    y as f32 * z
}

fn types() {
    let text = || "ab".to_string();
    assert_eq!(mixed(1.0, 2, 3.0, text(), 2.0), 54.0);
    // 2y(x+2)z, (x+2)²z, y(x+2)²
    assert_eq!(reverse_mixed(1.0, 2, 3.0, text(), 2.0, 1.0), (54.0, 36.0, 18.0, 27.0));
    assert_eq!(forward_mixed(1.0, 1.0, 2, 3.0, 0.0, text(), 2.0, 1.0), (54.0, 63.0));
}

#[autodiff_reverse(reverse_scale, Duplicated, Duplicated, Active)]
#[autodiff_reverse(reverse_scale_2, 2, Duplicated, Duplicated, Active)]
#[autodiff_reverse(reverse_scale_only, Duplicated, DuplicatedOnly, Const)]
#[autodiff_forward(forward_scale, Dual, Dual, Const)]
#[autodiff_forward(forward_scale_v, 2, Dualv, Dualv, Dual)]
#[autodiff_forward(forward_scale_only, Const, DualOnly, Dual)]
fn scale(x: &[f64], y: &mut [f64], a: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = a * x * x;
    }
}

// What the function overwrites is zero in the end: the gradient has moved on.
fn slices() {
    let x = [1.0, 2.0, 3.0];
    let (mut y, mut dx, mut dy) = (vec![0.0; 3], [10.0; 3], vec![1.0, 0.0, 2.0]);
    assert_eq!(reverse_scale(&x, &mut dx, &mut y, &mut dy, 2.0), 19.0);
    assert_eq!((y, dx, dy), (vec![2.0, 8.0, 18.0], [14.0, 10.0, 34.0], vec![0.0; 3]));

    let x = [1.0, 2.0];
    let (mut y, mut dx, mut dy) = ([0.0; 2], [[0.0; 2]; 2], [[1.0, 0.0], [0.0, 1.0]]);
    let ([dx0, dx1], [dy0, dy1]) = (&mut dx, &mut dy);
    let da = reverse_scale_2(&x, dx0, dx1, &mut y, dy0, dy1, 3.0);
    assert_eq!((y, dx, da), ([3.0, 12.0], [[6.0, 0.0], [0.0, 12.0]], [1.0, 4.0]));
    let (mut dx, mut dy) = ([0.0; 2], [1.0; 2]);
    // SAFETY: nobody looks at y.
    unsafe { reverse_scale_only(&x, &mut dx, &mut y, &mut dy, 3.0) };
    assert_eq!(dx, [6.0, 12.0]);
}

fn slices_forward() {
    let x = [1.0, 2.0];
    let (mut y, mut dy) = ([0.0; 2], [0.0; 2]);
    forward_scale(&x, &[1.0, 10.0], &mut y, &mut dy, 3.0);
    assert_eq!((y, dy), ([3.0, 12.0], [6.0, 120.0]));
    let (mut y, mut dy) = ([0.0; 2], [0.0; 4]);
    forward_scale_v(&x, &[1.0, 0.0, 0.0, 1.0], &mut y, &mut dy, 3.0, 0.0, 1.0);
    assert_eq!((y, dy), ([3.0, 12.0], [6.0, 0.0, 1.0, 16.0]));
    let mut dy = [0.0; 2];
    // SAFETY: nobody looks at y.
    unsafe { forward_scale_only(&x, &mut y, &mut dy, 3.0, 1.0) };
    assert_eq!(dy, [1.0, 4.0]);
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Spring {
    k: f64,
    rest: f64,
    turns: u8,
}

impl Spring {
    #[autodiff_reverse(d_energy, Duplicated, Active, Active)]
    #[autodiff_forward(f_energy, Dual, Dual, Dual)]
    pub fn energy(&self, x: f64) -> f64 {
        0.5 * self.k * (x - self.rest).powi(2) + f64::from(self.turns)
    }

    #[autodiff_reverse(d_stretch, Duplicated, Active)]
    fn stretch(&mut self, by: f64) {
        self.rest *= by;
    }

    #[autodiff_forward(f_into_energy, Dual, Const, Dual)]
    fn into_energy(self, x: f64) -> f64 {
        self.energy(x)
    }

    #[autodiff_reverse(Self::d_area, Active, Active)]
    fn area(r: f64) -> f64 {
        r * r
    }
}

fn methods() {
    let (spring, mut shadow) = (Spring { k: 2.0, rest: 1.0, turns: 7 }, Spring::default());
    assert_eq!(spring.d_energy(&mut shadow, 3.0, 1.0), (11.0, 4.0));
    assert_eq!(shadow, Spring { k: 2.0, rest: -4.0, turns: 0 });
    let tangent = Spring { k: 1.0, rest: 0.0, turns: 0 };
    assert_eq!(spring.f_energy(&tangent, 3.0, 0.0), (11.0, 2.0));
    assert_eq!(spring.f_into_energy(tangent, 3.0), (11.0, 2.0));
    assert_eq!(Spring::d_area(3.0, 1.0), (9.0, 6.0));
    let (mut spring, mut shadow) = (spring, Spring { k: 0.0, rest: 1.0, turns: 0 });
    assert_eq!(spring.d_stretch(&mut shadow, 5.0), 1.0);
    assert_eq!((spring.rest, shadow.rest), (5.0, 5.0));
}

trait Shape {
    #[autodiff_reverse(d_volume, Duplicated, Active, Active)]
    fn volume(&self, scale: f64) -> f64;

    #[autodiff_reverse(d_twice, Const, Active, Active)]
    fn twice(&self, scale: f64) -> f64 {
        2.0 * self.volume(scale)
    }
}

struct Cube(f64);
struct Brick([f64; 3]);

impl Shape for Cube {
    fn volume(&self, scale: f64) -> f64 {
        (self.0 * scale).powi(3)
    }
}
impl Shape for Brick {
    fn volume(&self, scale: f64) -> f64 {
        self.0.iter().map(|side| side * scale).product()
    }
}

fn traits() {
    let mut shadow = Cube(0.0);
    assert_eq!(Cube(2.0).d_volume(&mut shadow, 3.0, 1.0), (216.0, 216.0));
    assert_eq!(shadow.0, 324.0);
    let mut shadow = Brick([0.0; 3]);
    assert_eq!(Brick([1.0, 2.0, 3.0]).d_volume(&mut shadow, 1.0, 1.0), (6.0, 18.0));
    assert_eq!(shadow.0, [6.0, 3.0, 2.0]);
    assert_eq!(Cube(2.0).d_twice(1.0, 1.0), (16.0, 48.0));
}

trait Number: Copy + std::ops::Mul<Output = Self> + std::ops::Add<Output = Self> {}
impl Number for f32 {}
impl Number for f64 {}

#[autodiff_reverse(d_norm, Duplicated, Active, Active)]
fn norm<'a, T, const N: usize>(x: &'a [T; N], scale: T) -> T
where
    T: Number + ferry::autodiff::Active,
{
    let mut sum = scale;
    for &x in x {
        sum = sum + x * x * scale;
    }
    sum
}

#[autodiff_reverse(d_apply, Const, Active, Active)]
fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[autodiff_reverse(d_apply_any, Const, Active, Active)]
fn apply_any(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

fn generics() {
    let mut dx = [0.0f32; 2];
    assert_eq!(d_norm(&[1.0f32, 2.0], &mut dx, 3.0, 1.0), (18.0, 6.0));
    assert_eq!(dx, [6.0, 12.0]);
    let mut dx = [0.0f64; 3];
    assert_eq!(d_norm::<f64, 3>(&[1.0, 2.0, 3.0], &mut dx, 1.0, 1.0), (15.0, 15.0));
    assert_eq!(dx, [2.0, 4.0, 6.0]);
    let k = 3.0;
    assert_eq!(d_apply(|x| k * x * x, 1.0, 1.0), (27.0, 108.0));
    assert_eq!(d_apply_any(move |x| k * x, 2.0, 1.0), (12.0, 12.0));
}

#[autodiff_reverse(d_pair, Active, Active, Active)]
fn pair(x: [f64; 2], y: (f64, f32)) -> (f64, f64) {
    (x[0] * x[1], x[0] * y.0 * f64::from(y.1))
}

fn aggregates() {
    let (value, dx, dy) = d_pair([2.0, 3.0], (5.0, 7.0), (1.0, 10.0));
    assert_eq!((value, dx, dy), ((6.0, 70.0), [353.0, 2.0], (140.0, 100.0)));
}

fn nested() {
    #[autodiff_reverse(d_inner, Active, Active)]
    fn inner(x: f64) -> f64 {
        x.sin()
    }
    assert_eq!(d_inner(0.0, 1.0), (0.0, 1.0));
}

// A derivative of a derivative.
#[autodiff_forward(second_square, Dual, DualOnly)]
fn slope(x: f64) -> f64 {
    reverse_cube(x, 1.0).1
}
#[autodiff_reverse(reverse_cube, Active, Active)]
fn cube(x: f64) -> f64 {
    x * x * x
}

macro_rules! polynomials {
    ($($name:ident $derivative:ident $ty:ty;)*) => {$(
        #[autodiff_reverse($derivative, Duplicated, Active)]
        fn $name(x: &$ty) -> f64 {
            x.iter().map(|x| f64::from(*x).powi(2)).sum()
        }
    )*};
}
polynomials! { of_slice d_of_slice [f64]; of_array d_of_array [f32; 2]; }

fn from_macros() {
    let (mut dx, mut dy) = ([0.0; 3], [0.0f32; 2]);
    assert_eq!(d_of_slice(&[1.0, 2.0, 3.0], &mut dx, 1.0), 14.0);
    assert_eq!(d_of_array(&[1.0, 2.0], &mut dy, 1.0), 5.0);
    assert_eq!((dx, dy), ([2.0, 4.0, 6.0], [2.0, 4.0]));
}

fn main() {
    scalars();
    types();
    slices();
    slices_forward();
    methods();
    traits();
    generics();
    aggregates();
    nested();
    assert_eq!(second_square(2.0, 1.0), 12.0);
    from_macros();
}
