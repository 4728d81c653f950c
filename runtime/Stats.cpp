//===- Stats.cpp - Counts of launches and copies --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stats.h"
#include "Public.h"

constinit ferry::rt::Counters ferry::rt::Stats;

extern "C" void ferry_get_stats(ferry_stats *Result) {
  const ferry::rt::Counters &S = ferry::rt::Stats;
  Result->launches = S.Launches.load();
  Result->copies_to_device = S.CopiesToDevice.load();
  Result->bytes_to_device = S.BytesToDevice.load();
  Result->copies_to_host = S.CopiesToHost.load();
  Result->bytes_to_host = S.BytesToHost.load();
}
