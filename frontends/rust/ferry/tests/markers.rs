// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! The numbers of the marker ABI are those of the header.

#[allow(dead_code, unused_imports, unused_macros)]
#[path = "../src/marker.rs"]
mod marker;

#[cfg(not(ferry_plugin))]
mod error {
    pub const NO_PLUGIN: &str = "";
}

const HEADER: &str = include_str!("../../../../runtime/include/ferry/markers.h");

/// The value of `#define FERRY_<name>`.
fn defined(name: &str) -> u64 {
    let define = format!("#define FERRY_{name} ");
    let line = HEADER.lines().find_map(|line| line.strip_prefix(&define)).expect(name);
    let value = line.split_whitespace().next().unwrap();
    match value.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => value.parse().unwrap(),
    }
}

#[test]
fn numbers_agree_with_the_header() {
    use marker::*;
    assert_eq!(VERSION, defined("MARKER_VERSION"));
    for (name, value) in [
        ("OVER", OVER),
        ("BLOCKS", BLOCKS),
        ("FIELD_BYTES", FIELD_BYTES),
        ("FIELD_BUFFER", FIELD_BUFFER),
        ("FIELD_READ", FIELD_READ),
        ("FIELD_WRITE", FIELD_WRITE),
        ("FIELD_UNIQUE", FIELD_UNIQUE),
        ("FIELD_SCRATCH", FIELD_SCRATCH),
        ("FIELD_RESIDENT", FIELD_RESIDENT),
        ("PRINT_UNSIGNED", PRINT_UNSIGNED),
        ("PRINT_SIGNED", PRINT_SIGNED),
        ("PRINT_FLOAT", PRINT_FLOAT),
        ("PRINT_DOUBLE", PRINT_DOUBLE),
        ("PRINT_BOOL", PRINT_BOOL),
        ("PRINT_CHAR", PRINT_CHAR),
        ("PRINT_RUST", PRINT_RUST),
        ("PRINT_BYTES_SHIFT", PRINT_BYTES_SHIFT),
    ] {
        assert_eq!(value, defined(name), "{name}");
    }
    for (name, value) in [
        ("OK", STATUS_OK),
        ("NO_PLUGIN", STATUS_NO_PLUGIN),
        ("NO_DEVICE", STATUS_NO_DEVICE),
        ("INVALID_SHAPE", STATUS_INVALID_SHAPE),
        ("INVALID_ARGUMENT", STATUS_INVALID_ARGUMENT),
        ("OUT_OF_MEMORY", STATUS_OUT_OF_MEMORY),
        ("PANIC", STATUS_PANIC),
        ("CHECK", STATUS_CHECK),
    ] {
        assert_eq!(value as u64, defined(&format!("STATUS_{name}")), "{name}");
    }
}
