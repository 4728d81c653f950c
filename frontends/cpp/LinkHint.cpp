//===- LinkHint.cpp - A linker's message that says what to do -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects that launch refer to this symbol. Where libferry is missing, its name
// is part of the linker's complaint.
//
//===----------------------------------------------------------------------===//

extern "C" {
extern const char __ferry_link_hint __asm__(
    "a program that uses Ferry is compiled and linked with ferry-c++ "
    "or CMake's Ferry::ferry") __attribute__((visibility("default")));
const char __ferry_link_hint = 0;
}
