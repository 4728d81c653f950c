//===- Format.h - Printed values as text ------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_FORMAT_H
#define FERRY_RUNTIME_FORMAT_H

#include "Error.h"

namespace ferry::rt {

/// Adds what `Site` prints with these values. What its format has wrong is
/// shown in place of the rest.
void addPrinted(Text &T, const ferry_print_site &Site, const uint64_t *Values);

/// The shortest decimal digits that read back as `Value`, which is finite and
/// not negative, and the power of ten of the first: 0.15 is "15", -1. `Single`:
/// read back as a float. `Digits` has room for 20.
int shortestDigits(double Value, bool Single, char *Digits);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_FORMAT_H
