//===- Devices.cpp - The numbering of devices, and the choice -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "Error.h"
#include <cstdlib>
#include <cstring>

namespace ferry::rt {

static const Device Cpu = {DeviceKind::Cpu, -1, "cpu",
                           {1024, 64 * 1024, {UINT64_MAX, UINT64_MAX, UINT64_MAX}}};

const Device *findDevice(int64_t Number) {
  const char *Choice = getenv("FERRY_DEVICE");
  if (Number == 0 ||
      (Number == -1 && (!Choice || !*Choice || !strcmp(Choice, "cpu") || !strcmp(Choice, "0"))))
    return &Cpu;
  Text T;
  T.add("there is no device %lld: this program has device 0 (cpu)",
        static_cast<long long>(Number));
  fail(FERRY_STATUS_NO_DEVICE, T);
  return nullptr;
}

} // namespace ferry::rt

using namespace ferry::rt;

extern "C" int ferry_device_count(void) { return 1; }
extern "C" const char *ferry_device_name(int Number) {
  return Number == 0 ? Cpu.Name : nullptr;
}
extern "C" int ferry_set_device(int Number) {
  return findDevice(Number) ? FERRY_STATUS_OK : FERRY_STATUS_NO_DEVICE;
}
extern "C" int ferry_current_device(void) { return 0; }
