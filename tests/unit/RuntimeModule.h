//===- RuntimeModule.h - The hand-made module's records ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records as the plugin would write them, in C, for the tests and the probe.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TESTS_RUNTIMEMODULE_H
#define FERRY_TESTS_RUNTIMEMODULE_H

#include "ferry/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct ferry_module test_module;
extern uint64_t host_counters[4];

/// Reads the image for virtual and registers the module; once.
void register_test_module(void);

#ifdef __cplusplus
}
#endif

#endif // FERRY_TESTS_RUNTIMEMODULE_H
