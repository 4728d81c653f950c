// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The marker ABI, as runtime/include/ferry/markers.h defines it, and the part
//! of libferry's C interface (runtime.h) that this crate calls. A test compares
//! the numbers with the headers.

pub const VERSION: u64 = 1;

pub const OVER: u64 = 0;
pub const BLOCKS: u64 = 1;

pub const FIELD_BYTES: u64 = 0;
pub const FIELD_BUFFER: u64 = 1;
pub const FIELD_READ: u64 = 0x10;
pub const FIELD_WRITE: u64 = 0x20;
pub const FIELD_UNIQUE: u64 = 0x40;

pub const STATUS_OK: i32 = 0;
pub const STATUS_NO_PLUGIN: i32 = 1;
pub const STATUS_NO_DEVICE: i32 = 2;
pub const STATUS_INVALID_SHAPE: i32 = 3;
pub const STATUS_INVALID_ARGUMENT: i32 = 4;
pub const STATUS_OUT_OF_MEMORY: i32 = 5;
pub const STATUS_PANIC: i32 = 7;

/// Runs one thread. It is never called on the host, and "C-unwind" keeps rustc
/// from wrapping it in a handler that the plugin would have to take off again.
pub type Shim = unsafe extern "C-unwind" fn(block: *const u8);

/// `struct ferry_stats`.
#[repr(C)]
#[derive(Default)]
pub struct RawStats {
    pub launches: u64,
    pub copies_to_device: u64,
    pub bytes_to_device: u64,
    pub copies_to_host: u64,
    pub bytes_to_host: u64,
}

// Naming them makes cargo build and link anew what launches when the targets or
// the tools are others than last time.
#[cfg(ferry_plugin)]
const _: [Option<&str>; 2] = [option_env!("FERRY_TARGETS"), option_env!("FERRY_TOOLS")];

#[cfg(ferry_plugin)]
mod plugin {
    use super::{RawStats, Shim};
    use core::ffi::{c_char, c_int};

    unsafe extern "C" {
        pub fn __ferry_launch(
            version: u64,
            shim: Shim,
            name: *const u8,
            name_length: u64,
            file: *const u8,
            file_length: u64,
            line: u64,
            column: u64,
            shape: u64,
            x: u64,
            y: u64,
            z: u64,
            tx: u64,
            ty: u64,
            tz: u64,
            shared_bytes: u64,
            device: i64,
            num_fields: u64,
            ...
        ) -> i32;

        pub safe fn __ferry_thread_idx(dimension: u32) -> u32;
        pub safe fn __ferry_block_idx(dimension: u32) -> u32;
        pub safe fn __ferry_block_dim(dimension: u32) -> u32;
        pub safe fn __ferry_grid_dim(dimension: u32) -> u32;
        pub safe fn __ferry_global_idx(dimension: u32) -> u64;
        pub safe fn __ferry_global_dim(dimension: u32) -> u64;
        pub safe fn __ferry_global_id() -> u64;

        pub safe fn ferry_device_count() -> c_int;
        pub safe fn ferry_device_name(device: c_int) -> *const c_char;
        pub safe fn ferry_set_device(device: c_int) -> c_int;
        pub safe fn ferry_current_device() -> c_int;
        pub safe fn ferry_last_error() -> *const c_char;
        pub fn ferry_get_stats(stats: *mut RawStats);
    }
}

/// What stands in for plugin and libferry in a plain cargo build: no devices,
/// and thread indices that say why there are none.
#[cfg(not(ferry_plugin))]
mod plugin {
    use super::{RawStats, STATUS_NO_PLUGIN};
    use core::ffi::{c_char, c_int};

    fn no_thread() -> ! {
        panic!("a thread index was asked for outside a kernel; {}", crate::error::NO_PLUGIN)
    }
    pub fn __ferry_thread_idx(_: u32) -> u32 {
        no_thread()
    }
    pub fn __ferry_block_idx(_: u32) -> u32 {
        no_thread()
    }
    pub fn __ferry_block_dim(_: u32) -> u32 {
        no_thread()
    }
    pub fn __ferry_grid_dim(_: u32) -> u32 {
        no_thread()
    }
    pub fn __ferry_global_idx(_: u32) -> u64 {
        no_thread()
    }
    pub fn __ferry_global_dim(_: u32) -> u64 {
        no_thread()
    }
    pub fn __ferry_global_id() -> u64 {
        no_thread()
    }

    pub fn ferry_device_count() -> c_int {
        0
    }
    pub fn ferry_device_name(_: c_int) -> *const c_char {
        core::ptr::null()
    }
    pub fn ferry_set_device(_: c_int) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub fn ferry_current_device() -> c_int {
        0
    }
    pub fn ferry_last_error() -> *const c_char {
        core::ptr::null()
    }
    pub unsafe fn ferry_get_stats(_: *mut RawStats) {}
}

pub use plugin::*;

/// The marker call. Whoever writes it promises that the fields are as
/// `KernelArg`'s implementations say.
#[cfg(ferry_plugin)]
macro_rules! launch {
    ($($operand:expr),*) => {
        // SAFETY: the promise above; the operands are those of the ABI.
        unsafe { $crate::marker::__ferry_launch($crate::marker::VERSION, $($operand),*) }
    };
}
#[cfg(not(ferry_plugin))]
macro_rules! launch {
    ($shim:expr, $($operand:expr),*) => {{
        let _: $crate::marker::Shim = $shim;
        let _ = ($crate::marker::VERSION, $($operand,)*);
        $crate::marker::STATUS_NO_PLUGIN
    }};
}
pub(crate) use launch;
