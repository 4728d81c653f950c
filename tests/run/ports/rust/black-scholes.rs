//! Black and Scholes' formula for European options.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

macro_rules! formula {
    ($name:ident, $float:ty) => {
        fn $name(s: $float, x: $float, years: $float, rate: $float, volatility: $float) -> ($float, $float) {
            let normal = |d: $float| {
                let k = 1.0 / (1.0 + 0.2316419 * d.abs());
                let tail = 0.3989422804014327
                    * (-0.5 * d * d).exp()
                    * (k * (0.31938153
                        + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
                if d > 0.0 { 1.0 - tail } else { tail }
            };
            let root = years.sqrt();
            let d1 = ((s / x).ln() + (rate + 0.5 * volatility * volatility) * years) / (volatility * root);
            let d2 = d1 - volatility * root;
            let discounted = x * (-rate * years).exp();
            (
                s * normal(d1) - discounted * normal(d2),
                discounted * (1.0 - normal(d2)) - s * (1.0 - normal(d1)),
            )
        }
    };
}
formula!(prices, f32);
formula!(exact_prices, f64);

fn black_scholes(s: &[f32], x: &[f32], years: &[f32], rate: f32, volatility: f32, call: &mut f32, put: &mut f32) {
    let i = gpu::global_id();
    (*call, *put) = prices(s[i], x[i], years[i], rate, volatility);
}

fn main() -> ferry::Result<()> {
    let n = 5003;
    let scaled = |seed, middle, spread| -> Vec<f32> {
        port::floats(n, seed).into_iter().map(|v| middle + spread * v).collect()
    };
    let (s, x, years) = (scaled(1, 17.5, 12.5), scaled(2, 50.0, 49.0), scaled(3, 5.1, 4.9));
    let (mut call, mut put) = (vec![0.0; n], vec![0.0; n]);
    launch(black_scholes, over(n), (&s, &x, &years, 0.02, 0.3, each(&mut call), each(&mut put)))?;
    for i in 0..n {
        let (c, p) = exact_prices(s[i] as f64, x[i] as f64, years[i] as f64, 0.02f32 as f64, 0.3f32 as f64);
        port::near(call[i] as f64, c, 1e-4);
        port::near(put[i] as f64, p, 1e-4);
    }
    println!("priced"); // CHECK: priced
    Ok(())
}
