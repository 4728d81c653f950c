//===- Devices.cpp - ferry devices ----------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list comes from libferry, which this program is linked with like any
// other, so that the numbers are those that every program sees. libferry counts
// a GPU only when the program has code for it; Probe.cpp holds a kernel
// compiled for every kind of GPU.
//
// libferry knows nothing of memory sizes. The host's are asked from the system
// and NVIDIA's from its driver, which numbers GPUs as libomptarget does.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Probe.h"
#include "ferry/runtime.h"
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace ferry {

namespace {
struct NvidiaFacts {
  std::string Memory;
  int ThreadsPerBlock, SharedBytes;
};

struct Row {
  std::string Number, Name, Kind, Memory, Limits;
};
} // namespace

static std::string inGigabytes(uint64_t Bytes) {
  return fmt::format("{:.1f} GB", double(Bytes) / (1 << 30));
}

static std::string hostMemory() {
  return inGigabytes(uint64_t(sysconf(_SC_PHYS_PAGES)) *
                     uint64_t(sysconf(_SC_PAGESIZE)));
}

/// What CUDA's driver says of GPU `Ordinal`.
static std::optional<NvidiaFacts> askNvidia(int Ordinal) {
  constexpr int MaxThreadsPerBlock = 1, MaxSharedMemoryPerBlock = 8;
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Driver)
    return std::nullopt;
  auto Init = reinterpret_cast<int (*)(unsigned)>(dlsym(Driver, "cuInit"));
  auto Get =
      reinterpret_cast<int (*)(int *, int)>(dlsym(Driver, "cuDeviceGet"));
  auto TotalMemory = reinterpret_cast<int (*)(size_t *, int)>(
      dlsym(Driver, "cuDeviceTotalMem_v2"));
  auto Attribute = reinterpret_cast<int (*)(int *, int, int)>(
      dlsym(Driver, "cuDeviceGetAttribute"));
  int Device;
  size_t Bytes;
  NvidiaFacts Facts;
  if (!Init || !Get || !TotalMemory || !Attribute || Init(0) ||
      Get(&Device, Ordinal) || TotalMemory(&Bytes, Device) ||
      Attribute(&Facts.ThreadsPerBlock, MaxThreadsPerBlock, Device) ||
      Attribute(&Facts.SharedBytes, MaxSharedMemoryPerBlock, Device))
    return std::nullopt;
  Facts.Memory = inGigabytes(Bytes);
  return Facts;
}

static std::string limits(int ThreadsPerBlock, int SharedBytes) {
  return fmt::format("{} threads and {} KB shared memory a block",
                     ThreadsPerBlock, SharedBytes / 1024);
}

static Row describe(int Number) {
  std::string Name = ferry_device_name(Number);
  Row R{std::to_string(Number), Name, "GPU", "unknown", ""};
  if (Name == "cpu") {
    R.Kind = fmt::format("{} host threads", sysconf(_SC_NPROCESSORS_ONLN));
    R.Memory = hostMemory() + ", the program's own";
    R.Limits = limits(1024, 64 * 1024);
  } else if (Name.starts_with("virtual")) {
    R.Kind = "simulated GPU";
    R.Memory = "copies in host memory";
    R.Limits = limits(1024, 64 * 1024);
  } else if (Name.starts_with("nvptx:")) {
    R.Kind = "NVIDIA GPU";
    if (auto Facts =
            askNvidia(int(std::strtol(Name.c_str() + 6, nullptr, 10)))) {
      R.Memory = Facts->Memory;
      R.Limits = limits(Facts->ThreadsPerBlock, Facts->SharedBytes);
    }
  } else if (Name.starts_with("amdgpu:")) {
    R.Kind = "AMD GPU";
  }
  return R;
}

int listDevices() {
  linkProbe();
  std::vector<Row> Rows{{"", "name", "kind", "memory", "limits"}};
  for (int I = 0, Count = ferry_device_count(); I != Count; ++I)
    Rows.push_back(describe(I));
  size_t Name = 0, Kind = 0, Memory = 0;
  for (const Row &R : Rows) {
    Name = std::max(Name, R.Name.size());
    Kind = std::max(Kind, R.Kind.size());
    Memory = std::max(Memory, R.Memory.size());
  }
  for (const Row &R : Rows)
    fmt::print("{:>3}  {:<{}}  {:<{}}  {:<{}}  {}\n", R.Number, R.Name, Name,
               R.Kind, Kind, R.Memory, Memory, R.Limits);
  int Current = ferry_current_device();
  if (Current < 0) {
    fmt::print(stderr, "ferry: error: {}\n", ferry_last_error());
    return 1;
  }
  fmt::print("programs start on device {}; FERRY_DEVICE=<name or number> "
             "chooses another\n",
             Current);
  return 0;
}

} // namespace ferry
