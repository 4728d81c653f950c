//===- ferry/ferry.h - Ferry for C++ ----------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any function is a kernel:
//
//   void saxpy(float a, std::span<const float> x, std::span<float> y) {
//     std::size_t i = ferry::global_id();
//     if (i < y.size()) y[i] += a * x[i];
//   }
//   ...
//   ferry::launch<saxpy>(ferry::over(n), 2.f, x, y);
//
// Compile and link with ferry-c++, which takes clang++'s arguments, or use
// CMake's Ferry::ferry.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_FERRY_H
#define FERRY_FERRY_H

#if !defined(__clang__) || __clang_major__ != 22
#error "Ferry needs clang 22: compile with ferry-c++ or clang++-22"
#elif __cplusplus < 202002L
#error "Ferry needs C++20: compile with -std=c++20 or newer"
#else

// clang-format off
#include "ferry/detail/macros_begin.h"
#include "ferry/arguments.h"
#include "ferry/atomic.h"
#include "ferry/block.h"
#include "ferry/device.h"
#include "ferry/error.h"
#include "ferry/index.h"
#include "ferry/launch.h"
#include "ferry/print.h"
#include "ferry/reduce.h"
#include "ferry/resident.h"
#include "ferry/scan.h"
#include "ferry/shape.h"
#include "ferry/shared.h"
#include "ferry/stream.h"
#include "ferry/sync.h"
#include "ferry/warp.h"
#include "ferry/with_device.h"
#include "ferry/detail/macros_end.h"
// clang-format on

#endif

#endif // FERRY_FERRY_H
