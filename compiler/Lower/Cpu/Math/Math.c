//===- Math.c - Mathematical functions for the CPU's kernels --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no vector code for llvm.exp and its like: on x86 each lane becomes a
// call of the C library. These functions are compiled to bitcode when Ferry is
// built, once with and once without fused multiply-add, carried inside it, and
// inlined into kernels. They have neither branches nor tables (but for what is
// said at sin), so a loop around them is vectorised like any other arithmetic,
// at any width, and every lane gives what the scalar code gives. Errors are
// below 2 units in the last place, mostly below 1; docs/math.md has the table.
//
// The rounding mode is taken to be to nearest, errno is left alone, and of the
// exception flags nothing is promised.
//
//===----------------------------------------------------------------------===//

#define FERRY(NAME) __ferry_math_##NAME

#include "Arithmetic.h"
#include "Coefficients.h"

#include "Double.h"

#include "Circular.h"

#include "Float.h"

#include "Rounding.h"
