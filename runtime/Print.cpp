//===- Print.cpp - Lines that kernels print -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On cpu a line is printed when its thread gets there. Elsewhere lines lie in a
// buffer of the image (runtime.h, ferry_print_buffer): after the launch its
// header comes back, then the part that is in use, and a new header goes there.
//
// Everything goes through the program's own stdout, which is flushed before and
// after, so that a line is one write and stands where the program was.
//
//===----------------------------------------------------------------------===//

#include "Print.h"
#include "Format.h"
#include "OffloadParts.h"
#include "Stats.h"
#include "Trace.h"
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace ferry::rt {

static void writeOut(const Text &T) {
  flockfile(stdout);
  fflush_unlocked(stdout);
  fwrite_unlocked(T.chars(), 1, T.size(), stdout);
  fflush_unlocked(stdout);
  funlockfile(stdout);
}

static int failPrint(const Offload &O) {
  Text Why;
  Why.add("copying the lines that the kernel printed from device %s failed: "
          "the device may be lost",
          O.D.Name);
  return failLaunch(O.L, FERRY_STATUS_LAUNCH_FAILED, Why);
}

static void printBuffered(const ferry_module &M, const uint64_t *Lines,
                          uint64_t Bytes) {
  Text T;
  for (uint64_t At = 0, End = Bytes / 8; At < End;) {
    uint32_t Site = uint32_t(Lines[At]), Values = Lines[At] >> 32;
    // Also where a damaged buffer would lead astray.
    if (Site >= M.num_print_sites || Values > End - At - 1 ||
        Values != M.print_sites[Site].num_values)
      break;
    addPrinted(T, M.print_sites[Site], Lines + At + 1);
    At += 1 + Values;
  }
  writeOut(T);
}

static bool copyFromBuffer(const Offload &O, void *To, size_t Bytes,
                           size_t At) {
  TraceScope Copying(ActionKind::ToHost, O.D.Name, "printed lines", Bytes);
  if (Omp.Memcpy(To, O.On->PrintBuffer, Bytes, 0, At, Omp.GetInitialDevice(),
                 O.D.OmpId) != 0)
    return false;
  countToHost(Bytes);
  return true;
}

static bool copyToBuffer(const Offload &O, const void *From, size_t Bytes) {
  TraceScope Copying(ActionKind::ToDevice, O.D.Name, "printed lines", Bytes);
  if (Omp.Memcpy(O.On->PrintBuffer, From, Bytes, 0, 0, O.D.OmpId,
                 Omp.GetInitialDevice()) != 0)
    return false;
  countToDevice(Bytes);
  return true;
}

int printLines(Offload &O) {
  constexpr size_t HeaderBytes = offsetof(ferry_print_buffer, lines);
  constexpr uint64_t Room = sizeof(ferry_print_buffer::lines);
  uint64_t Header[HeaderBytes / 8];
  if (!copyFromBuffer(O, Header, HeaderBytes, 0))
    return failPrint(O);
  uint64_t Used = std::min(Header[0], Room), Lost = Header[1];
  if (!Used)
    return FERRY_STATUS_OK;

  auto *Lines = static_cast<uint64_t *>(malloc(Used));
  uint64_t Empty[HeaderBytes / 8] = {};
  bool Copied = Lines && copyFromBuffer(O, Lines, Used, HeaderBytes);
  Copied &= copyToBuffer(O, Empty, HeaderBytes);
  if (Copied)
    printBuffered(*O.L.Kernel.module, Lines, Used);
  free(Lines);
  if (!Copied)
    return failPrint(O);
  if (Lost)
    fprintf(stderr,
            "ferry: %llu more lines were printed than the device's buffer "
            "holds\n",
            static_cast<unsigned long long>(Lost));
  return FERRY_STATUS_OK;
}

} // namespace ferry::rt

using namespace ferry::rt;

/// Outside a kernel it prints as it does inside one.
extern "C" __attribute__((weak, visibility("default"))) void
__ferry_print(const char *Format, uint64_t Length, uint64_t Count,
              ...) noexcept {
  constexpr uint64_t Most = 64;
  uint32_t Kinds[Most];
  uint64_t Values[Most];
  Count = std::min(Count, Most);
  va_list Arguments;
  va_start(Arguments, Count);
  for (uint64_t I = 0; I < Count; ++I) {
    Kinds[I] = uint32_t(va_arg(Arguments, uint64_t));
    Values[I] = va_arg(Arguments, uint64_t);
  }
  va_end(Arguments);
  Text T;
  addPrinted(T, {Format, Length, Count, Kinds}, Values);
  writeOut(T);
}

extern "C" void __ferry_print_line(const ferry_print_site *Site,
                                   const uint64_t *Values) {
  Text T;
  addPrinted(T, *Site, Values);
  writeOut(T);
}
