//! Philox 4x32-10, the counter-based generator: known answers of its authors, the
//! same numbers as on the host, and a mean of uniform floats.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
#[path = "Inputs/port.rs"]
mod port;

fn philox(mut c: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let (a, b) = (0xD2511F53 * c[0] as u64, 0xCD9E8D57 * c[2] as u64);
        c = [(b >> 32) as u32 ^ c[1] ^ key[0], b as u32, (a >> 32) as u32 ^ c[3] ^ key[1], a as u32];
        key = [key[0].wrapping_add(0x9E3779B9), key[1].wrapping_add(0xBB67AE85)];
    }
    c
}

fn known(counter: [u32; 4], key: [u32; 2], out: &mut [u32; 4]) {
    *out = philox(counter, key);
}

fn generate(out: &mut [u32; 4], seed: u64) {
    let i = gpu::global_id() as u64;
    *out = philox([i as u32, (i >> 32) as u32, 0, 0], [seed as u32, (seed >> 32) as u32]);
}

fn uniform(out: &mut [f32], seed: u32) {
    let random = philox([gpu::global_id() as u32, 0, 0, 0], [seed, 0]);
    for (out, r) in out.iter_mut().zip(random) {
        *out = (r >> 8) as f32 / 16777216.0;
    }
}

fn main() -> ferry::Result<()> {
    let answers = [
        ([0; 4], [0; 2], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
        ([u32::MAX; 4], [u32::MAX; 2], [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]),
        (
            [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
            [0xa4093822, 0x299f31d0],
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
        ),
    ];
    for (counter, key, answer) in answers {
        let mut out = [[0; 4]];
        launch(known, over(1), (counter, key, each(&mut out)))?;
        assert_eq!(out[0], answer);
    }

    let seed = 0x123456789abcdef;
    let mut many = vec![[0; 4]; 1000];
    launch(generate, over(many.len()), (each(&mut many), seed))?;
    for (i, numbers) in many.iter().enumerate() {
        assert_eq!(*numbers, philox([i as u32, 0, 0, 0], [seed as u32, (seed >> 32) as u32]));
    }

    let mut floats = vec![0.0; 40001];
    launch(uniform, over(floats.len().div_ceil(4)), (chunks(&mut floats, 4), 7))?;
    assert!(floats.iter().all(|f| (0.0..1.0).contains(f)));
    port::near(floats.iter().map(|&f| f as f64).sum::<f64>() / floats.len() as f64, 0.5, 0.01);
    println!("drawn"); // CHECK: drawn
    Ok(())
}
