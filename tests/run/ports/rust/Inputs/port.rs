// What the ports share: a comparison of floats, and numbers to work on.
#![allow(dead_code)]

/// Close enough for sums whose order or rounding differs.
#[track_caller]
pub fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} is not near {b}");
}

pub struct Random(pub u32);
impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
    pub fn below(&mut self, limit: u32) -> u32 {
        self.next() % limit
    }
}

/// Between -1 and 1.
pub fn floats(n: usize, seed: u32) -> Vec<f32> {
    let mut random = Random(seed.wrapping_mul(2654435761).wrapping_add(1));
    (0..n).map(|_| (random.next() >> 8) as f32 / 8388608.0 - 1.0).collect()
}
