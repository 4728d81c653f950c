// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! One picture of the Mandelbrot set, computed by all devices at the same time: on
//! all GPUs, or else the virtual devices, or else the CPU.
//!
//! The picture is cut into bands of rows, several for each device, since some take
//! longer. Each device has a stream that does its bands one after the other while
//! the others do theirs. Bands come home as they are done.
//!
//! `cargo ferry run --release [width [height]]`

use ferry::prelude::*;

const MOST_STEPS: u32 = 500;
const BANDS_A_DEVICE: usize = 8;

/// What a device is told of the picture.
#[derive(Clone, Copy, Plain)]
struct View {
    width: usize,
    height: usize,
    first_row: usize,
}

fn steps(pixel: &mut u32, view: View) {
    *pixel = steps_at(gpu::global_id(), view);
}

fn steps_at(number: usize, view: View) -> u32 {
    let (x, y) = (number % view.width, number / view.width + view.first_row);
    let re = x as f64 / view.width as f64 * 3.0 - 2.25;
    let im = y as f64 / view.height as f64 * 2.5 - 1.25;
    let (mut a, mut b) = (0.0, 0.0);
    let mut count = 0;
    while count < MOST_STEPS && a * a + b * b <= 4.0 {
        (a, b) = (a * a - b * b + re, 2.0 * a * b + im);
        count += 1;
    }
    count
}

fn devices_to_use() -> Vec<usize> {
    let (others, gpus): (Vec<_>, Vec<_>) = (1..ferry::devices())
        .partition(|&i| ferry::device_name(i).is_some_and(|name| name.starts_with("virtual")));
    match (gpus.is_empty(), others.is_empty()) {
        (false, _) => gpus,
        (true, false) => others,
        (true, true) => vec![0],
    }
}

fn main() -> ferry::Result<()> {
    let mut sizes = std::env::args().skip(1).map(|size| size.parse().expect("a number"));
    let width: usize = sizes.next().unwrap_or(640);
    let height: usize = sizes.next().unwrap_or(480);
    let devices = devices_to_use();
    let rows = height.div_ceil(devices.len() * BANDS_A_DEVICE).max(1);

    let mut picture = vec![0; width * height];
    ferry::scope(|scope| {
        let streams =
            devices.iter().map(|&i| scope.stream_on(i)).collect::<ferry::Result<Vec<_>>>()?;
        for (number, band) in picture.chunks_mut((rows * width).max(1)).enumerate() {
            let view = View { width, height, first_row: number * rows };
            let stream = &streams[number % streams.len()];
            launch(steps, over(band.len()).stream(stream), (each(band), view))?;
        }
        Ok(())
    })?;

    let view = View { width, height, first_row: 0 };
    let right = picture.iter().enumerate().all(|(i, &count)| count == steps_at(i, view));
    println!(
        "{width} x {height} pixels in bands of {rows} rows on {} device(s), the first {}: {}",
        devices.len(),
        ferry::device_name(devices[0]).unwrap_or_default(),
        if right { "verified" } else { "WRONG" }
    );
    std::process::exit(if right { 0 } else { 1 });
}
