//===- Error.h - What a failed call leaves behind ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_ERROR_H
#define FERRY_RUNTIME_ERROR_H

#include "Public.h"
#include <cstdarg>
#include <cstddef>

namespace ferry::rt {

/// A text under construction. Grows as needed; where the host has no memory
/// left the rest of the text is lost, never the program.
class Text {
public:
  Text() = default;
  ~Text();
  Text(const Text &) = delete;
  Text &operator=(const Text &) = delete;

  Text &add(const char *Format, ...) __attribute__((format(printf, 2, 3)));
  Text &addBytes(const char *Bytes, size_t Length);
  const char *chars() const { return Data ? Data : ""; }
  size_t size() const { return Length; }
  /// The characters, now the caller's; null when there are none.
  char *release();

private:
  bool reserve(size_t More);
  char *Data = nullptr;
  size_t Length = 0, Capacity = 0;
};

/// Makes `T` this thread's last error. Returns `Status`.
int fail(int Status, const Text &T);

/// "kernel 'saxpy' launched at src/main.cpp:12:5: "
void addLaunch(Text &T, const ferry_kernel &Kernel,
               const ferry_source_place &Place);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_ERROR_H
