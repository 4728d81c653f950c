//===- Launch.h - One launch under way --------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_LAUNCH_H
#define FERRY_RUNTIME_LAUNCH_H

#include "Public.h"

namespace ferry::rt {

struct LaunchRequest {
  const ferry_kernel &Kernel;
  const ferry_launch_site &Site;
  const ferry_launch_shape &Shape;
  const ferry_source_place &Place;
  const uint64_t *Values, *Bytes; ///< one per slot
  ferry_geometry Geometry;
};

/// Runs it, here and now. Returns a FERRY_STATUS_*.
int runLaunch(LaunchRequest &L);

/// Buffers have memory of their size.
int checkBuffers(const LaunchRequest &L);

/// Why settleRegions has failed.
inline constexpr const char *InUseAround =
    "an argument reaches over the edge of a resident that is in use by the "
    "with_device around it";
int failMapped(const LaunchRequest &L);

/// Reports that a CPU kernel found no scratch memory.
int failScratch(const LaunchRequest &L);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_LAUNCH_H
