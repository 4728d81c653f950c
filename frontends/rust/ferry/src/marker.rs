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
pub const FIELD_SCRATCH: u64 = 0x80;
pub const FIELD_RESIDENT: u64 = 0x100;

/// FERRY_ON_STREAM.
pub const fn on_stream(stream: u32, device: i64) -> i64 {
    ((stream as i64) << 32) ^ device
}

pub const RESIDENT_READ_ONLY: u32 = 1;
pub const RESIDENT_BORROWED: u32 = 2;

pub const PRINT_UNSIGNED: u64 = 0;
pub const PRINT_SIGNED: u64 = 1;
pub const PRINT_FLOAT: u64 = 2;
pub const PRINT_DOUBLE: u64 = 3;
pub const PRINT_BOOL: u64 = 4;
pub const PRINT_CHAR: u64 = 5;
pub const PRINT_RUST: u64 = 0x100;
pub const PRINT_BYTES_SHIFT: u64 = 16;

pub const STATUS_OK: i32 = 0;
pub const STATUS_NO_PLUGIN: i32 = 1;
pub const STATUS_NO_DEVICE: i32 = 2;
pub const STATUS_INVALID_SHAPE: i32 = 3;
pub const STATUS_INVALID_ARGUMENT: i32 = 4;
pub const STATUS_OUT_OF_MEMORY: i32 = 5;
pub const STATUS_PANIC: i32 = 7;
pub const STATUS_CHECK: i32 = 8;

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

/// `struct ferry_source_place`.
#[repr(C)]
pub struct RawPlace {
    pub file: *const u8,
    pub file_length: u64,
    pub line: u64,
    pub column: u64,
}

/// `struct ferry_mapping`.
#[repr(C)]
pub struct RawMapping {
    pub host: *const core::ffi::c_void,
    pub bytes: u64,
    pub flags: u32,
    pub reserved: u32,
    pub device: *mut core::ffi::c_void,
}

impl RawPlace {
    pub fn of(place: &core::panic::Location<'static>) -> RawPlace {
        RawPlace {
            file: place.file().as_ptr(),
            file_length: place.file().len() as u64,
            line: place.line().into(),
            column: place.column().into(),
        }
    }
}

// Naming them makes cargo build and link anew what launches when the targets or
// the tools are others than last time.
#[cfg(ferry_plugin)]
const _: [Option<&str>; 2] = [option_env!("FERRY_TARGETS"), option_env!("FERRY_TOOLS")];

#[cfg(ferry_plugin)]
mod plugin {
    use super::{RawMapping, RawPlace, RawStats, Shim};
    use core::ffi::{c_char, c_int, c_void};

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

        pub safe fn __ferry_shared(
            site: *const c_void,
            instance: *const c_void,
            bytes: u64,
            align: u64,
        ) -> *mut c_void;
        pub safe fn __ferry_dynamic_shared() -> *mut c_void;
        pub safe fn __ferry_dynamic_shared_bytes() -> u64;
        pub safe fn __ferry_sync_threads();
        pub safe fn __ferry_on_gpu() -> u32;
        pub safe fn __ferry_warp_size() -> u32;
        pub safe fn __ferry_warp_lane() -> u32;
        pub safe fn __ferry_warp_ballot(predicate: u32) -> u64;
        pub safe fn __ferry_warp_shuffle(value: u32, lane: u32) -> u32;
        pub fn __ferry_print(format: *const u8, length: u64, count: u64, ...);

        pub safe fn ferry_device_count() -> c_int;
        pub safe fn ferry_device_name(device: c_int) -> *const c_char;
        pub safe fn ferry_set_device(device: c_int) -> c_int;
        pub safe fn ferry_current_device() -> c_int;
        pub safe fn ferry_last_error() -> *const c_char;
        pub fn ferry_get_stats(stats: *mut RawStats);

        pub fn ferry_resident_begin(
            p: *const c_void,
            bytes: u64,
            flags: u32,
            place: *const RawPlace,
            id: *mut u64,
        ) -> c_int;
        pub fn ferry_resident_end(p: *const c_void, id: u64);
        pub safe fn ferry_stream_wait(stream: u32) -> c_int;
        pub safe fn ferry_stream_event(stream: u32) -> u64;
        pub safe fn ferry_event_done(stream: u32, event: u64) -> c_int;
        pub safe fn ferry_event_wait(stream: u32, event: u64) -> c_int;
        pub safe fn ferry_stream_after(stream: u32, other: u32, event: u64) -> c_int;
        pub fn ferry_stream_create(device: c_int, stream: *mut u32) -> c_int;
        pub fn ferry_stream_destroy(stream: u32);
        pub fn ferry_stream_to_host(stream: u32, p: *const c_void, bytes: u64, id: u64) -> c_int;
        pub fn ferry_stream_to_device(
            stream: u32,
            p: *const c_void,
            bytes: u64,
            id: u64,
            written: c_int,
        ) -> c_int;
        pub fn ferry_map(
            mappings: *mut RawMapping,
            count: u32,
            place: *const RawPlace,
            state: *mut *mut c_void,
        ) -> c_int;
        pub fn ferry_unmap(state: *mut c_void, abandoned: c_int) -> c_int;
        pub fn ferry_resident_to_host(p: *const c_void, bytes: u64, id: u64) -> c_int;
        pub fn ferry_resident_to_device(p: *const c_void, bytes: u64, id: u64) -> c_int;
    }
}

/// What stands in for plugin and libferry in a plain cargo build: no devices,
/// and thread indices that say why there are none.
#[cfg(not(ferry_plugin))]
mod plugin {
    use super::{RawMapping, RawPlace, RawStats, STATUS_NO_PLUGIN};
    use core::ffi::{c_char, c_int, c_void};

    fn no_thread() -> ! {
        panic!("a thread index was asked for outside a kernel; {}", crate::error::NO_PLUGIN)
    }
    fn no_block() -> ! {
        panic!("threads work together in kernels alone; {}", crate::error::NO_PLUGIN)
    }
    pub fn no_print() {
        no_block()
    }
    macro_rules! in_kernels {
        ($($missing:ident: $($name:ident($($parameter:ty),*) -> $result:ty)*;)*) => {
            $($( pub fn $name($(_: $parameter),*) -> $result { $missing() } )*)*
        };
    }
    in_kernels! {
        no_thread:
            __ferry_thread_idx(u32) -> u32
            __ferry_block_idx(u32) -> u32
            __ferry_block_dim(u32) -> u32
            __ferry_grid_dim(u32) -> u32
            __ferry_global_idx(u32) -> u64
            __ferry_global_dim(u32) -> u64
            __ferry_global_id() -> u64;
        no_block:
            __ferry_shared(*const c_void, *const c_void, u64, u64) -> *mut c_void
            __ferry_dynamic_shared() -> *mut c_void
            __ferry_dynamic_shared_bytes() -> u64
            __ferry_sync_threads() -> ()
            __ferry_on_gpu() -> u32
            __ferry_warp_size() -> u32
            __ferry_warp_lane() -> u32
            __ferry_warp_ballot(u32) -> u64
            __ferry_warp_shuffle(u32, u32) -> u32;
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

    // Without devices everything is at home.
    pub unsafe fn ferry_resident_begin(
        _: *const c_void,
        _: u64,
        _: u32,
        _: *const RawPlace,
        _: *mut u64,
    ) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_resident_end(_: *const c_void, _: u64) {}
    pub fn ferry_stream_wait(_: u32) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub fn ferry_stream_event(_: u32) -> u64 {
        0
    }
    pub fn ferry_event_done(_: u32, _: u64) -> c_int {
        1
    }
    pub fn ferry_event_wait(_: u32, _: u64) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub fn ferry_stream_after(_: u32, _: u32, _: u64) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_stream_create(_: c_int, _: *mut u32) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_stream_destroy(_: u32) {}
    pub unsafe fn ferry_stream_to_host(_: u32, _: *const c_void, _: u64, _: u64) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_stream_to_device(
        _: u32,
        _: *const c_void,
        _: u64,
        _: u64,
        _: c_int,
    ) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_map(
        _: *mut RawMapping,
        _: u32,
        _: *const RawPlace,
        _: *mut *mut c_void,
    ) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_unmap(_: *mut c_void, _: c_int) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_resident_to_host(_: *const c_void, _: u64, _: u64) -> c_int {
        STATUS_NO_PLUGIN
    }
    pub unsafe fn ferry_resident_to_device(_: *const c_void, _: u64, _: u64) -> c_int {
        STATUS_NO_PLUGIN
    }
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

/// The marker of a text to print, by a format that is checked already.
#[cfg(ferry_plugin)]
macro_rules! print {
    ($($operand:expr),*) => {
        // SAFETY: a format and as many values as it says, as the ABI wants them.
        unsafe { $crate::marker::__ferry_print($($operand),*) }
    };
}
#[cfg(not(ferry_plugin))]
macro_rules! print {
    ($($operand:expr),*) => {{
        let _ = ($($operand,)*);
        $crate::marker::no_print();
    }};
}
pub(crate) use print;
