//===- Section.h - A section of an object file ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_SECTION_H
#define FERRY_TOOLS_FERRY_SECTION_H

#include <filesystem>
#include <string>

namespace ferry {

/// The content of section `Name` in a 64-bit ELF file; empty when the file has
/// none. Throws std::runtime_error when the file is something else.
std::string readSection(const std::filesystem::path &File,
                        const std::string &Name);

} // namespace ferry

#endif // FERRY_TOOLS_FERRY_SECTION_H
