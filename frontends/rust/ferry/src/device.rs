// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Devices and statistics.

use crate::error::{Error, Result};
use crate::marker;
use core::ffi::{CStr, c_int};

/// The C interface counts devices in an `int`; no device has a number past it.
fn number(index: usize) -> c_int {
    c_int::try_from(index).unwrap_or(c_int::MAX)
}

/// How many devices this program can use here. Device 0 is `cpu`, then come the
/// virtual devices, then the GPUs. A program built without the Ferry plugin has
/// none.
///
/// ```no_run
/// for i in 0..ferry::devices() {
///     println!("{i}: {}", ferry::device_name(i).unwrap());
/// }
/// ```
pub fn devices() -> usize {
    marker::ferry_device_count().max(0) as usize
}

/// A device's name, such as `cpu`, `virtual:0` or `nvptx:0 (NVIDIA H200)`. `None`
/// when there is no such device.
pub fn device_name(index: usize) -> Option<String> {
    let name = marker::ferry_device_name(number(index));
    if name.is_null() {
        return None;
    }
    // SAFETY: a device's name is a terminated string that libferry keeps.
    Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// Makes `index` the device of this host thread's launches from now on. The
/// environment variable `FERRY_DEVICE` (`cpu`, `virtual`, `gpu` or a number)
/// chooses the first one.
///
/// # Errors
/// [`ErrorKind::NoDevice`](crate::ErrorKind::NoDevice), and the device stays.
pub fn set_device(index: usize) -> Result<()> {
    match marker::ferry_set_device(number(index)) {
        marker::STATUS_OK => Ok(()),
        status => Err(Error::last(status)),
    }
}

/// The device of this host thread's launches. 0 in a program built without the
/// Ferry plugin, where no launch succeeds.
pub fn current_device() -> usize {
    marker::ferry_current_device().max(0) as usize
}

/// Counts since the program's start, over all host threads and devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Kernels that ran.
    pub launches: u64,
    /// Copies from host memory to a device.
    pub copies_to_device: u64,
    /// Bytes in those copies.
    pub bytes_to_device: u64,
    /// Copies from a device to host memory.
    pub copies_to_host: u64,
    /// Bytes in those copies.
    pub bytes_to_host: u64,
}

/// What Ferry has launched and copied so far.
///
/// ```no_run
/// # use ferry::prelude::*;
/// # fn fill(x: &mut f32) { *x = 1.0; }
/// # let mut v = [0.0; 4];
/// let before = ferry::stats();
/// launch(fill, over(v.len()), (each(&mut v),))?;
/// assert_eq!(ferry::stats().launches - before.launches, 1);
/// # Ok::<(), ferry::Error>(())
/// ```
pub fn stats() -> Stats {
    let mut raw = marker::RawStats::default();
    // SAFETY: `raw` is a `struct ferry_stats` to write to.
    unsafe { marker::ferry_get_stats(&mut raw) };
    Stats {
        launches: raw.launches,
        copies_to_device: raw.copies_to_device,
        bytes_to_device: raw.bytes_to_device,
        copies_to_host: raw.copies_to_host,
        bytes_to_host: raw.bytes_to_host,
    }
}
