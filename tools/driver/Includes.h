//===- Includes.h - Does a source use Ferry? --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DRIVER_INCLUDES_H
#define FERRY_DRIVER_INCLUDES_H

#include <filesystem>

namespace ferry::driver {

/// `Source`, or a file that it includes in quotes, includes a header of Ferry.
/// Read as text: a file that cannot be read, or a condition around the
/// #include, is for clang to judge.
bool includesFerry(const std::filesystem::path &Source);

} // namespace ferry::driver

#endif // FERRY_DRIVER_INCLUDES_H
