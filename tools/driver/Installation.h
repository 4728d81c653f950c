//===- Installation.h - Where clang and Ferry are ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DRIVER_INSTALLATION_H
#define FERRY_DRIVER_INSTALLATION_H

#include <filesystem>
#include <optional>

namespace ferry::driver {

/// Ferry's own files; a build tree and an installed one look alike:
/// bin/ferry-c++, lib/FerryPlugin.so, lib/libferry.a, include/ferry/ferry.h.
struct Installation {
  std::filesystem::path Plugin, Library, Headers;
};

/// Both print what is missing and how to mend it, and give nothing then.
std::optional<Installation> findInstallation();
std::optional<std::filesystem::path> findClang();

/// The ld.lld that belongs to this clang, or one in PATH.
bool hasLld(const std::filesystem::path &Clang);

} // namespace ferry::driver

#endif // FERRY_DRIVER_INSTALLATION_H
