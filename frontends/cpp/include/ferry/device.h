//===- ferry/device.h - Which devices there are -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One numbering everywhere, here, in .device(i) and in FERRY_DEVICE: 0 is the
// CPU, then come the virtual devices, then the GPUs that the program carries
// code for. FERRY_DEVICE=cpu|gpu|virtual|<number> sets the device that a
// program starts with; without it that is the first usable GPU, else the CPU.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DEVICE_H
#define FERRY_DEVICE_H

#include "ferry/error.h"

namespace ferry {

/// How many devices this program can use; at least 1, the CPU.
inline int devices() noexcept { return ferry_device_count(); }

/// The device's name: "cpu", "virtual:0", "nvptx:0 (NVIDIA H200)" ...
/// Throws ferry::error (errc::no_device) when there is no device `i`.
///
/// \code
/// void list() {
///   for (int i = 0; i < ferry::devices(); ++i)
///     std::printf("%d %s\n", i, ferry::device_name(i).c_str());
/// }
/// \endcode
inline std::string device_name(int i) {
  if (const char *Name = ferry_device_name(i))
    return Name;
  std::string Message = "there is no device " + std::to_string(i) +
                        ": devices are numbered 0 to " +
                        std::to_string(ferry_device_count() - 1);
  detail::raise(
      ferry_fail(FERRY_STATUS_NO_DEVICE, Message.data(), Message.size()));
}

/// The launches of this host thread run on device `i` from now on. Throws
/// ferry::error (errc::no_device) when there is no device `i`.
inline void set_device(int i) {
  if (int Code = ferry_set_device(i))
    detail::raise(Code);
}

/// The device that launches of this host thread run on.
inline int current_device() noexcept { return ferry_current_device(); }

/// What Ferry has done since the program's start, over all host threads and
/// devices. See stats().
struct statistics {
  std::uint64_t launches;         ///< kernels that ran
  std::uint64_t copies_to_device; ///< copies from host memory to a device
  std::uint64_t bytes_to_device;  ///< bytes in those copies
  std::uint64_t copies_to_host;   ///< copies from a device to host memory
  std::uint64_t bytes_to_host;    ///< bytes in those copies
};

/// What Ferry has launched and copied so far. On cpu nothing is copied.
///
/// \code
/// void zero(std::span<float> v) { v[ferry::global_id()] = 0; }
/// std::uint64_t bytesMoved(std::vector<float> &v) {
///   std::uint64_t before = ferry::stats().bytes_to_device;
///   ferry::launch<zero>(ferry::over(v.size()), v);
///   return ferry::stats().bytes_to_device - before;
/// }
/// \endcode
inline statistics stats() noexcept {
  struct ferry_stats Raw;
  ferry_get_stats(&Raw);
  return {Raw.launches, Raw.copies_to_device, Raw.bytes_to_device,
          Raw.copies_to_host, Raw.bytes_to_host};
}

} // namespace ferry

#endif // FERRY_DEVICE_H
