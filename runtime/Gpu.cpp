//===- Gpu.cpp - What the drivers know of their GPUs ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libomptarget tells a device's uid and nothing else, so names, architectures
// and limits come from the drivers' own libraries, which libomptarget's plugins
// have loaded and initialised by then. So do fills: omp_target_memset copies
// the bytes from the host.
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <strings.h>
#include <unistd.h>

namespace ferry::rt {

bool gpuDriverPresent() {
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/kfd", F_OK) == 0 ||
         access("/dev/dxg", F_OK) == 0;
}

template <typename F>
static bool load(void *Library, const char *Name, F *&Function) {
  Function = reinterpret_cast<F *>(dlsym(Library, Name));
  return Function != nullptr;
}

//===----------------------------------------------------------------------===//
// CUDA's driver API (cuda.h)
//===----------------------------------------------------------------------===//

static constexpr int ComputeCapabilityMajor = 75, ComputeCapabilityMinor = 76;

static void describeNvidia(Device &D, const char *Uid, int Ordinal) {
  D.Limits = {1024, 48 * 1024, {0x7fffffff, 65535, 65535}};
  void *Cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  int (*GetCount)(int *);
  int (*Get)(int *, int);
  int (*GetUuid)(unsigned char *, int);
  int (*GetName)(char *, int, int);
  int (*GetAttribute)(int *, int, int);
  int Count = 0;
  if (!Cuda || !load(Cuda, "cuDeviceGetCount", GetCount) ||
      !load(Cuda, "cuDeviceGet", Get) ||
      !load(Cuda, "cuDeviceGetUuid", GetUuid) ||
      !load(Cuda, "cuDeviceGetName", GetName) ||
      !load(Cuda, "cuDeviceGetAttribute", GetAttribute) ||
      GetCount(&Count) != 0)
    return;
  for (int I = 0; I < Count; ++I) {
    int Handle;
    unsigned char Uuid[16];
    if (Get(&Handle, I) != 0 || GetUuid(Uuid, Handle) != 0)
      continue;
    char Hex[33];
    for (int B = 0; B < 16; ++B)
      snprintf(Hex + 2 * B, 3, "%02x", Uuid[B]);
    // The uid is the plugin's name, a dash and the uuid's digits.
    const char *Dash = strchr(Uid, '-');
    if (!Dash || strcasecmp(Dash + 1, Hex) != 0)
      continue;
    char Model[64] = "";
    int Major = 0, Minor = 0;
    GetName(Model, sizeof(Model), Handle);
    if (GetAttribute(&Major, ComputeCapabilityMajor, Handle) == 0 &&
        GetAttribute(&Minor, ComputeCapabilityMinor, Handle) == 0)
      snprintf(D.Arch, sizeof(D.Arch), "sm_%d%d", Major, Minor);
    snprintf(D.Name, sizeof(D.Name), "nvptx:%d (%s)", Ordinal, Model);
  }
}

static constexpr int PointerAttributeContext = 1;

static bool fillNvidia(void *Begin, size_t Bytes) {
  void *Cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  int (*GetAttribute)(void **, int, uintptr_t);
  int (*Push)(void *);
  int (*Pop)(void **);
  int (*Fill)(uintptr_t, unsigned char, size_t);
  int (*Synchronize)(void *);
  if (!Cuda || !load(Cuda, "cuPointerGetAttribute", GetAttribute) ||
      !load(Cuda, "cuCtxPushCurrent_v2", Push) ||
      !load(Cuda, "cuCtxPopCurrent_v2", Pop) ||
      !load(Cuda, "cuMemsetD8_v2", Fill) ||
      !load(Cuda, "cuStreamSynchronize", Synchronize))
    return false;
  auto Address = reinterpret_cast<uintptr_t>(Begin);
  void *Context = nullptr;
  if (GetAttribute(&Context, PointerAttributeContext, Address) != 0 ||
      !Context || Push(Context) != 0)
    return false;
  // The kernel will run in a stream that doesn't wait for this one.
  bool Filled = Fill(Address, 0, Bytes) == 0 && Synchronize(nullptr) == 0;
  Pop(&Context);
  return Filled;
}

//===----------------------------------------------------------------------===//
// HSA (hsa.h, hsa_ext_amd.h)
//===----------------------------------------------------------------------===//

namespace {
struct HsaAgent {
  uint64_t Handle;
};
struct HsaSearch {
  int (*GetInfo)(HsaAgent, int, void *);
  const char *Uid;
  char Arch[64] = "", Model[64] = "";
};
} // namespace

static constexpr int HsaAgentName = 0, HsaAgentDevice = 17,
                     HsaAgentProductName = 0xA009, HsaAgentUuid = 0xA011,
                     HsaDeviceTypeGpu = 1;

static void *openHsa() {
  void *Hsa = dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD);
  return Hsa ? Hsa : dlopen("libhsa-runtime64.so", RTLD_NOW | RTLD_NOLOAD);
}

static void describeAmd(Device &D, const char *Uid, int Ordinal) {
  D.Limits = {1024, 64 * 1024, {0x7fffffff, 65535, 65535}};
  void *Hsa = openHsa();
  int (*Iterate)(int (*)(HsaAgent, void *), void *);
  HsaSearch Search;
  Search.Uid = Uid;
  if (!Hsa || !load(Hsa, "hsa_iterate_agents", Iterate) ||
      !load(Hsa, "hsa_agent_get_info", Search.GetInfo))
    return;
  Iterate(
      [](HsaAgent Agent, void *Data) {
        HsaSearch &S = *static_cast<HsaSearch *>(Data);
        int Type = -1;
        char Uuid[64] = "";
        // The uid is the plugin's name, a dash and HSA's uuid.
        if (S.GetInfo(Agent, HsaAgentDevice, &Type) != 0 ||
            Type != HsaDeviceTypeGpu ||
            S.GetInfo(Agent, HsaAgentUuid, Uuid) != 0 || !strstr(S.Uid, Uuid))
          return 0;
        S.GetInfo(Agent, HsaAgentName, S.Arch);
        S.GetInfo(Agent, HsaAgentProductName, S.Model);
        return 0;
      },
      &Search);
  if (!Search.Arch[0])
    return;
  snprintf(D.Arch, sizeof(D.Arch), "%.31s", Search.Arch);
  snprintf(D.Name, sizeof(D.Name), "amdgpu:%d (%s)", Ordinal,
           Search.Model[0] ? Search.Model : Search.Arch);
}

/// In words of four bytes, which returns when it is done.
static bool fillAmd(void *Begin, size_t Bytes) {
  void *Hsa = openHsa();
  int (*Fill)(void *, uint32_t, size_t);
  bool IsWhole = reinterpret_cast<uintptr_t>(Begin) % 4 == 0 && Bytes % 4 == 0;
  return IsWhole && Hsa && load(Hsa, "hsa_amd_memory_fill", Fill) &&
         Fill(Begin, 0, Bytes / 4) == 0;
}

bool fillGpuWithZeros(const Device &D, void *Begin, size_t Bytes) {
  return D.Kind == DeviceKind::Nvptx ? fillNvidia(Begin, Bytes)
                                     : fillAmd(Begin, Bytes);
}

void describeGpu(Device &D, const char *Uid, int Ordinal) {
  bool IsNvidia = D.Kind == DeviceKind::Nvptx;
  snprintf(D.Name, sizeof(D.Name), "%s:%d", IsNvidia ? "nvptx" : "amdgpu",
           Ordinal);
  if (IsNvidia)
    describeNvidia(D, Uid, Ordinal);
  else
    describeAmd(D, Uid, Ordinal);
}

} // namespace ferry::rt
