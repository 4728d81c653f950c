//===- Panic.cpp - Reports of threads that panicked -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats a panic record:
//   kernel 'saxpy' panicked at src/main.rs:12:5: index 16 out of bounds (len
//   16), block 3, thread 7
// Places are (x, y, z) where the launch has more than one dimension.
//
//===----------------------------------------------------------------------===//

#include "Panic.h"
#include "Error.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ferry::rt {

/// The shortest digits that read back as the same number, like Rust's.
static void addDouble(Text &T, double Value) {
  if (!std::isfinite(Value)) {
    T.add("%s", std::isnan(Value) ? "NaN" : Value < 0 ? "-inf" : "inf");
    return;
  }
  char Digits[40];
  for (int Precision = 1; Precision <= 17; ++Precision) {
    snprintf(Digits, sizeof(Digits), "%.*g", Precision, Value);
    if (strtod(Digits, nullptr) == Value)
      break;
  }
  // The program's locale may have a decimal comma.
  for (char *C = Digits; *C; ++C)
    if (*C == ',')
      *C = '.';
  T.add("%s%s", Digits, strpbrk(Digits, ".e") ? "" : ".0");
}

static void addMessage(Text &T, const char *Message, const uint64_t *Values) {
  for (const char *C = Message; *C;) {
    bool IsValue = C[0] == '{' && C[1] >= '0' && C[1] <= '3' && C[2] == ':' &&
                   C[3] && C[4] == '}';
    uint64_t Value = IsValue ? Values[C[1] - '0'] : 0;
    if (IsValue && C[3] == 'u') {
      T.add("%llu", static_cast<unsigned long long>(Value));
    } else if (IsValue && C[3] == 'i') {
      T.add("%lld", static_cast<long long>(Value));
    } else if (IsValue && C[3] == 'f') {
      double Number;
      memcpy(&Number, &Value, sizeof(Number));
      addDouble(T, Number);
    } else {
      T.addBytes(C, 1);
      C += C[0] == '{' && C[1] == '{' ? 2 : 1;
      continue;
    }
    C += 5;
  }
}

static void addPlace(Text &T, const char *What, const uint32_t *At,
                     bool Scalar) {
  if (Scalar)
    T.add(", %s %u", What, At[0]);
  else
    T.add(", %s (%u, %u, %u)", What, At[0], At[1], At[2]);
}

int failWithPanic(const ferry_kernel &Kernel, const ferry_geometry &Geometry,
                  const ferry_panic_record &Record) {
  Text T;
  T.add("kernel '%s' panicked", Kernel.name);
  if (Record.site < Kernel.module->num_sites) {
    const ferry_panic_site &Site = Kernel.module->sites[Record.site];
    if (Site.file && *Site.file)
      T.add(" at %s:%u", Site.file, Site.line);
    if (Site.file && *Site.file && Site.column)
      T.add(":%u", Site.column);
    T.add(": ");
    addMessage(T, Site.message, Record.values);
  } else {
    T.add(": the report names site %u of %u: the record is damaged",
          Record.site, Kernel.module->num_sites);
  }
  bool Scalar = true;
  for (int D = 1; D < 3; ++D)
    Scalar &= Geometry.extent[D] == 1 && Geometry.block[D] == 1;
  addPlace(T, "block", Record.block, Scalar);
  addPlace(T, "thread", Record.thread, Scalar);
  return fail(FERRY_STATUS_PANIC, T);
}

} // namespace ferry::rt
