//! What can be a kernel: functions, generic instances, methods, functions of other
//! modules and of std, captureless closures; identical bodies stay distinct;
//! recursion, function pointers, trait objects, matches, iterators, statics and
//! constants inside.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use std::ops::*;
use std::sync::atomic::*;

fn scale<T: Plain + Mul<Output = T>>(a: T, v: &mut T) {
    *v = *v * a;
}
struct Math;
impl Math {
    fn half(v: &mut i32) {
        *v /= 2;
    }
}
trait Step {
    fn step(v: &mut i32);
}
impl Step for Math {
    fn step(v: &mut i32) {
        *v += 3;
    }
}
fn by_trait<S: Step, const N: usize>(v: &mut i32) {
    for _ in 0..N {
        S::step(v);
    }
}
mod inner {
    pub fn plus(v: &mut i32) {
        *v += 1;
    }
}

fn first(limit: i32, v: &mut i32) {
    assert!(limit < 5);
    *v += 1;
}
fn second(limit: i32, v: &mut i32) {
    assert!(limit < 5);
    *v += 1;
}

fn fibonacci(n: u32) -> u32 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}
fn recursion(v: &mut u32) {
    *v = fibonacci(gpu::global_id() as u32);
}
fn pick(i: usize) -> fn(i32, i32) -> i32 {
    fn add(a: i32, b: i32) -> i32 {
        a + b
    }
    fn sub(a: i32, b: i32) -> i32 {
        a - b
    }
    const OPS: [fn(i32, i32) -> i32; 3] = [add, sub, i32::wrapping_mul];
    OPS[i % 3]
}
fn pointers(v: &mut i32) {
    let i = gpu::global_id();
    *v = pick(i)(i as i32, 7);
}
trait Area {
    fn area(&self) -> i32;
}
struct Square(i32);
struct Oblong(i32, i32);
impl Area for Square {
    fn area(&self) -> i32 {
        self.0 * self.0
    }
}
impl Area for Oblong {
    fn area(&self) -> i32 {
        self.0 * self.1
    }
}
fn objects(v: &mut i32) {
    let i = gpu::global_id() as i32;
    let (s, o) = (Square(i), Oblong(i, 2));
    let a: &dyn Area = if i % 2 == 1 { &s } else { &o };
    *v = a.area();
}
fn collatz(x: &[u64], steps: &mut u32) {
    let mut n = x[gpu::global_id()];
    *steps = 0;
    while n != 1 {
        n = match n % 2 {
            0 => n / 2,
            _ => 3 * n + 1,
        };
        *steps += 1;
    }
}
fn iterators(x: &[f32], out: &mut f32) {
    let i = gpu::global_id();
    *out = x.iter().zip(x.iter().rev()).map(|(a, b)| a * b).filter(|p| *p > 1.0).sum::<f32>()
        + x.chunks(3).map(|c| c[0]).fold(0.0, f32::max)
        + x.windows(2).filter(|w| w[0] > w[1]).count() as f32
        + x.get(i).copied().unwrap_or(100.0);
}
fn sorted(v: &mut [i32]) {
    v.sort_unstable();
}
static TABLE: [u16; 4] = [1, 20, 300, 4000];
static COUNTER: AtomicU64 = AtomicU64::new(100);
static mut PLAIN: [i32; 3] = [1, 2, 3];
fn statics(v: &mut u64) {
    COUNTER.fetch_add(1, Ordering::Relaxed);
    *v = TABLE[gpu::global_id() % 4] as u64;
}
fn mutable_static(v: &mut i32) {
    // SAFETY: one thread.
    unsafe {
        PLAIN[1] += 10;
        *v = PLAIN[0] + PLAIN[1];
    }
}
fn math(x: &[f64], y: &mut f64) {
    let v = x[gpu::global_id()];
    *y = v.sin() + v.powi(3) + v.sqrt() + v.mul_add(2.0, 1.0) + v.exp() + v.atan2(2.0) + v.floor() + v.abs().ln();
}
fn wide(x: i128, y: &mut i128) {
    *y = x / 1234567891011 + x % 987654321987 * 3;
}

fn main() -> ferry::Result<()> {
    let (mut v, mut f) = (vec![10, 20, 30], vec![1.5, 2.5]);
    launch(scale::<i32>, over(3), (3, each(&mut v)))?;
    launch(scale::<f64>, over(2), (2.0, each(&mut f)))?;
    launch(scale, over(2), (2.0f64, each(&mut f)))?;
    assert_eq!((v[2], f[1]), (90, 10.0));
    launch(Math::half, over(3), (each(&mut v),))?;
    launch(by_trait::<Math, 4>, over(3), (each(&mut v),))?;
    launch(inner::plus, over(3), (each(&mut v),))?;
    assert_eq!(v, [28, 43, 58]);
    launch(|v: &mut i32| *v -= 1, over(3), (each(&mut v),))?;
    launch(|a: i32, v: &mut i32| *v *= a, over(3), (2, each(&mut v)))?;
    assert_eq!(v, [54, 84, 114]);

    launch(first, over(3), (1, each(&mut v)))?;
    launch(second, over(3), (1, each(&mut v)))?;
    assert_eq!(v, [56, 86, 116]);
    let a = launch(first, over(3), (9, each(&mut v))).unwrap_err().to_string();
    let b = launch(second, over(3), (9, each(&mut v))).unwrap_err().to_string();
    assert!(a.contains("first' panicked") && a.contains("kernels.rs:40:"), "{a}");
    assert!(b.contains("second' panicked") && b.contains("kernels.rs:44:"), "{b}");

    let mut u = vec![0; 20];
    launch(recursion, over(20), (each(&mut u),))?;
    assert_eq!(u[19], 4181);
    let mut v = vec![0; 20];
    launch(pointers, over(20), (each(&mut v),))?;
    assert!(v.iter().enumerate().all(|(i, v)| *v == [i as i32 + 7, i as i32 - 7, i as i32 * 7][i % 3]));
    launch(objects, over(20), (each(&mut v),))?;
    assert!((0..20).all(|i| v[i as usize] == if i % 2 == 1 { i * i } else { i * 2 }));
    let x: Vec<u64> = (1..=1000).collect();
    let mut steps = vec![0; 1000];
    launch(collatz, over(1000), (&x, each(&mut steps)))?;
    assert_eq!((steps[26], steps[870]), (111, 178));
    let x = [1.0, 3.0, 2.0, 5.0, 0.5];
    let mut out = [0.0; 6];
    launch(iterators, over(6), (&x, each(&mut out)))?;
    assert_eq!(out, [42.0, 44.0, 43.0, 46.0, 41.5, 141.0]);
    let mut v: Vec<i32> = (0..100).map(|i| i * 37 % 101).collect();
    launch(sorted, over(4), (chunks(&mut v, 25),))?;
    assert!(v.chunks(25).all(|c| c.is_sorted()));

    let mut w = vec![0; 1000];
    launch(statics, over(1000), (each(&mut w),))?;
    assert_eq!((w[5], COUNTER.load(Ordering::Relaxed)), (20, 1100));
    COUNTER.store(5, Ordering::Relaxed);
    launch(statics, over(10), (each(&mut w),))?;
    assert_eq!(COUNTER.load(Ordering::Relaxed), 15);
    let mut v = [0];
    launch(mutable_static, over(1), (each(&mut v),))?;
    launch(mutable_static, over(1), (each(&mut v),))?;
    assert_eq!(v, [23]);
    assert_eq!(unsafe { PLAIN }, [1, 22, 3]);

    let x: Vec<f64> = (1..50).map(|i| i as f64 * 0.1).collect();
    let mut y = vec![0.0; 49];
    launch(math, over(49), (&x, each(&mut y)))?;
    for (v, y) in x.iter().zip(&y) {
        let v = std::hint::black_box(*v);
        let e = v.sin() + v.powi(3) + v.sqrt() + v.mul_add(2.0, 1.0) + v.exp() + v.atan2(2.0) + v.floor() + v.abs().ln();
        assert!((y - e).abs() <= 1e-13 * e.abs(), "{v}: {y} {e}");
    }
    let mut y = [0i128];
    for x in [-(1i128 << 100) + 12345, 1 << 90, 17] {
        launch(wide, over(1), (x, each(&mut y)))?;
        assert_eq!(y[0], x / 1234567891011 + x % 987654321987 * 3);
    }
    Ok(())
}
