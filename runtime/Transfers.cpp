//===- Transfers.cpp - Bytes that go to a device and back -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transfers.h"
#include <cstring>

namespace ferry::rt {

bool nothingButZeros(const void *Begin, size_t Bytes) {
  auto *P = static_cast<const char *>(Begin);
  uint64_t Word = 0;
  // Data that only begins with many zeros is told from the rest by samples.
  constexpr size_t Samples = 16;
  for (size_t I = 0; I <= Samples && Bytes > sizeof(Word); ++I) {
    memcpy(&Word, P + (Bytes - sizeof(Word)) / Samples * I, sizeof(Word));
    if (Word != 0)
      return false;
  }
  // The first is zero, and each is as the one before it.
  return Bytes > 0 && *P == 0 && memcmp(P, P + 1, Bytes - 1) == 0;
}

bool fillWithZeros(const Device &D, void *Begin, size_t Bytes) {
  if (D.isGpu())
    return fillGpuWithZeros(D, Begin, Bytes);
  // A virtual device's memory is the host's.
  memset(Begin, 0, Bytes);
  return true;
}

} // namespace ferry::rt
