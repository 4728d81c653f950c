//===- Devices.cpp - The numbering of devices, and the choice -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ferry's table of devices: cpu, then libomptarget's virtual devices, then its
// GPUs. libomptarget numbers devices in the order in which a registered image
// fits them, and shows no others; its uids ("x86_64-0", "CUDA-...") tell which
// is which. So the table is made by registering the program's images and
// looking at what appears. Devices that appear later, when dlopen brings more
// images, go to its end: numbers never change.
//
// Making the table means loading libomptarget and starting drivers, which takes
// from ten milliseconds to a second. It is made when somebody asks for a
// device that isn't cpu: by FERRY_DEVICE, ferry_set_device or a launch's own
// device, or by default if there are images for GPUs and the kernel driver of
// one.
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "Gpu.h"
#include "Images.h"
#include "Modules.h"
#include "Omptarget.h"
#include "Trace.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <strings.h>

namespace ferry::rt {

static constexpr DeviceLimits HostLimits = {
    1024, 64 * 1024, {UINT64_MAX, UINT64_MAX, UINT64_MAX}};

static constinit Device Table[MostDevices] = {
    {DeviceKind::Cpu, -1, 0, "cpu", "", HostLimits, {}, {}}};
static constinit std::atomic<int> TableSize{1};
static constinit Lock TableLock, ChoiceLock;
/// How many modules had been registered when the table was last looked over.
static constinit uint64_t ModulesInTable = 0;
/// Ids of libomptarget that are in the table, or left out for good.
static constinit int OmpSeen = 0;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static bool isGpuImage(const ferry_image &I) {
  return strcmp(I.target, "virtual") != 0;
}

static bool hasGpuImage(const ferry_module &M) {
  for (uint32_t I = 0; I < M.num_images; ++I)
    if (isGpuImage(M.images[I]))
      return true;
  return false;
}

static DeviceKind kindOfUid(const char *Uid) {
  if (!strncasecmp(Uid, "cuda", 4))
    return DeviceKind::Nvptx;
  if (!strncasecmp(Uid, "amdgpu", 6))
    return DeviceKind::Amdgpu;
  return DeviceKind::Virtual;
}

static int countOfKind(DeviceKind Kind) {
  int Count = 0;
  for (int I = 0, E = TableSize.load(); I < E; ++I)
    Count += Table[I].Kind == Kind;
  return Count;
}

static void addDevice(int OmpId, DeviceKind Kind, const char *Uid) {
  int Index = TableSize.load();
  if (Index == MostDevices)
    return;
  Device &D = Table[Index];
  D.Kind = Kind;
  D.OmpId = OmpId;
  D.Index = Index;
  D.Limits = HostLimits;
  int Ordinal = countOfKind(Kind);
  if (Kind == DeviceKind::Virtual)
    snprintf(D.Name, sizeof(D.Name), "virtual:%d", Ordinal);
  else
    describeGpu(D, Uid, Ordinal);
  TableSize.store(Index + 1, std::memory_order_release);
}

/// Adds what libomptarget shows and the table lacks, virtual devices first.
static void addNewDevices() {
  int End = Omp.GetNumDevices();
  for (bool Gpus : {false, true})
    for (int Id = OmpSeen; Id < End; ++Id) {
      const char *Uid = Omp.GetUid(Id);
      DeviceKind Kind = kindOfUid(Uid ? Uid : "");
      if ((Kind != DeviceKind::Virtual) == Gpus)
        addDevice(Id, Kind, Uid ? Uid : "");
    }
  OmpSeen = End;
}

/// Every module with GPU images may bring GPUs that the others don't fit; those
/// without bring nothing but the virtual devices, and one of them is enough.
static void registerForTable(Text &Why) {
  Guard G(ModulesLock);
  ferry_module *AnyVirtual = nullptr;
  bool AnyGpu = false;
  for (ferry_module *M = Modules; M; M = M->next) {
    if (hasGpuImage(*M)) {
      AnyGpu = true;
      registerWithOmptarget(*M, Why);
    } else if (M->num_images) {
      AnyVirtual = M;
    }
  }
  if (!AnyGpu && AnyVirtual)
    registerWithOmptarget(*AnyVirtual, Why);
}

/// `Why`: why there is nothing but cpu.
static void makeTable(Text &Why) {
  Guard G(TableLock);
  uint64_t Now = ModulesEver.load(std::memory_order_acquire);
  if (ModulesInTable == Now && TableSize.load() > 1)
    return;
  TraceScope Preparing(ActionKind::Prepare, "", "the devices");
  if (!openOmptarget(Why))
    return;
  registerForTable(Why);
  ModulesInTable = Now;
  addNewDevices();
  if (TableSize.load() > 1 || Why.size())
    return;
  const char *Policy = getenv("OMP_TARGET_OFFLOAD");
  if (Policy && !strcasecmp(Policy, "disabled"))
    Why.add("OMP_TARGET_OFFLOAD=%s hides all devices but cpu", Policy);
  else
    Why.add("no image of this program fits a device of this machine");
}

void resetDeviceLocks() {
  TableLock.reset();
  ChoiceLock.reset();
  for (Device &D : Table) {
    D.Memory.Mutex.reset();
    D.Printing.reset();
  }
}

const Device *deviceOfOmpId(int OmpId) {
  for (int I = 1, E = TableSize.load(std::memory_order_acquire); I < E; ++I)
    if (Table[I].OmpId == OmpId)
      return &Table[I];
  return nullptr;
}

static void addDeviceList(Text &T) {
  T.add("this program's devices here are ");
  for (int I = 0, E = TableSize.load(); I < E; ++I)
    T.add("%s%d (%s)", I ? ", " : "", I, Table[I].Name);
}

//===----------------------------------------------------------------------===//
// Which images a device runs
//===----------------------------------------------------------------------===//

/// A cubin runs on devices of its major version with the same or a later minor
/// one: "sm_80" on sm_86. Later letters ("sm_90a") ask for the very device.
static bool cudaImageFits(const char *Image, const char *Arch) {
  if (strncmp(Image, "sm_", 3) != 0 || strncmp(Arch, "sm_", 3) != 0)
    return false;
  char *Suffix;
  long ImageSm = strtol(Image + 3, &Suffix, 10);
  long DeviceSm = strtol(Arch + 3, nullptr, 10);
  if (*Suffix)
    return ImageSm == DeviceSm;
  return ImageSm / 10 == DeviceSm / 10 && ImageSm <= DeviceSm;
}

static bool imageFits(const char *Target, const Device &D) {
  switch (D.Kind) {
  case DeviceKind::Cpu:
    return false;
  case DeviceKind::Virtual:
    return strcmp(Target, "virtual") == 0;
  // libomptarget shows a GPU only if some image fits it; where the driver told
  // us no architecture, that has to do.
  case DeviceKind::Nvptx:
    return D.Arch[0] ? cudaImageFits(Target, D.Arch)
                     : strncmp(Target, "sm_", 3) == 0;
  case DeviceKind::Amdgpu: {
    if (!D.Arch[0])
      return strncmp(Target, "gfx", 3) == 0;
    // Features follow after a colon: "gfx90a:sramecc+".
    size_t Length = strcspn(Target, ":");
    return strncmp(Target, D.Arch, Length) == 0 &&
           (D.Arch[Length] == 0 || D.Arch[Length] == ':');
  }
  }
  return false;
}

bool hasImageFor(const ferry_module &Module, const Device &D) {
  for (uint32_t I = 0; I < Module.num_images; ++I)
    if (imageFits(Module.images[I].target, D))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
struct Choice {
  enum : uint8_t { Default, First, Numbered, Unknown } How = Default;
  DeviceKind Kind = DeviceKind::Cpu; ///< First; Nvptx stands for any GPU
  int64_t Number = 0;                ///< Numbered
};
} // namespace

static Choice parseChoice(const char *Text) {
  if (!Text || !*Text)
    return {};
  if (!strcmp(Text, "cpu"))
    return {Choice::Numbered, DeviceKind::Cpu, 0};
  if (!strcmp(Text, "virtual"))
    return {Choice::First, DeviceKind::Virtual, 0};
  if (!strcmp(Text, "gpu"))
    return {Choice::First, DeviceKind::Nvptx, 0};
  char *End;
  long Number = strtol(Text, &End, 10);
  if (*End || Number < 0)
    return {Choice::Unknown, DeviceKind::Cpu, 0};
  return {Choice::Numbered, DeviceKind::Cpu, Number};
}

/// FERRY_DEVICE, as it was when first looked at.
static const Choice &environmentChoice() {
  static constinit std::atomic<int> State{0};
  static constinit Choice Value;
  if (State.load(std::memory_order_acquire) == 0) {
    Guard G(ChoiceLock);
    Value = parseChoice(getenv("FERRY_DEVICE"));
    State.store(1, std::memory_order_release);
  }
  return Value;
}

static thread_local int ThreadDevice = -1;

static Device *deviceNumber(int64_t Number, Text &Why) {
  auto IsInTable = [&] {
    return Number >= 0 && Number < TableSize.load(std::memory_order_acquire);
  };
  if (IsInTable())
    return &Table[Number];
  Text Reason;
  if (Number > 0)
    makeTable(Reason);
  if (IsInTable())
    return &Table[Number];
  Why.add("there is no device %lld: ", static_cast<long long>(Number));
  addDeviceList(Why);
  if (Reason.size())
    Why.add("; %s", Reason.chars());
  return nullptr;
}

/// The first device that `Wanted` accepts.
template <typename F> static Device *firstDevice(F Wanted) {
  for (int I = 1, E = TableSize.load(std::memory_order_acquire); I < E; ++I)
    if (Wanted(Table[I]))
      return &Table[I];
  return nullptr;
}

static Device *firstOfKind(const ferry_module *Module, const Choice &C,
                           Text &Why) {
  Text Reason;
  makeTable(Reason);
  bool WantGpu = C.Kind != DeviceKind::Virtual;
  auto OfKind = [&](const Device &D) { return D.isGpu() == WantGpu; };
  Device *D = nullptr;
  if (Module)
    D = firstDevice(
        [&](const Device &D) { return OfKind(D) && hasImageFor(*Module, D); });
  if (!D)
    D = firstDevice(OfKind);
  if (D)
    return D;
  Why.add("FERRY_DEVICE=%s, but there is no %s device: ",
          WantGpu ? "gpu" : "virtual", WantGpu ? "GPU" : "virtual");
  addDeviceList(Why);
  if (Reason.size())
    Why.add(" (%s)", Reason.chars());
  if (WantGpu)
    Why.add(". Build with your GPU among the targets, for example "
            "FERRY_TARGETS=cpu,sm_90, check the driver with 'ferry doctor', or "
            "run with FERRY_DEVICE=cpu");
  else
    Why.add(". Build with cpu among the targets, which brings virtual along, "
            "and install Debian's package liboffload-22");
  return nullptr;
}

/// The first GPU that runs the module, else cpu.
static Device *defaultDevice(const ferry_module *Module) {
  bool Images = false;
  if (Module) {
    Images = hasGpuImage(*Module);
  } else {
    Guard G(ModulesLock);
    for (ferry_module *M = Modules; M; M = M->next)
      Images |= hasGpuImage(*M);
  }
  if (!Images || !gpuDriverPresent())
    return &Table[0];
  Text Ignored; // A default has nothing to complain about.
  makeTable(Ignored);
  Device *D = firstDevice([&](const Device &D) {
    return D.isGpu() && (!Module || hasImageFor(*Module, D));
  });
  return D ? D : &Table[0];
}

static Device *currentDevice(const ferry_module *Module, Text &Why) {
  if (ThreadDevice >= 0)
    return &Table[ThreadDevice];
  const Choice &C = environmentChoice();
  switch (C.How) {
  case Choice::Default:
    return defaultDevice(Module);
  case Choice::First:
    return firstOfKind(Module, C, Why);
  case Choice::Numbered: {
    Text Reason;
    if (Device *D = deviceNumber(C.Number, Reason))
      return D;
    Why.add("FERRY_DEVICE=%lld: %s", static_cast<long long>(C.Number),
            Reason.chars());
    return nullptr;
  }
  case Choice::Unknown:
    Why.add("FERRY_DEVICE=%s is none of cpu, gpu, virtual or the number of a "
            "device",
            getenv("FERRY_DEVICE"));
    return nullptr;
  }
  return nullptr;
}

Device *findDevice(const ferry_module *Module, int64_t Number, Text &Why) {
  return Number == -1 ? currentDevice(Module, Why) : deviceNumber(Number, Why);
}

} // namespace ferry::rt

using namespace ferry::rt;

extern "C" int ferry_device_count(void) {
  Text Ignored; // A count has no reasons; using a missing device gives them.
  makeTable(Ignored);
  return TableSize.load();
}

extern "C" const char *ferry_device_name(int Number) {
  Text Ignored;
  Device *D = deviceNumber(Number, Ignored);
  return D ? D->Name : nullptr;
}

extern "C" int ferry_set_device(int Number) {
  Text Why;
  if (!deviceNumber(Number, Why))
    return fail(FERRY_STATUS_NO_DEVICE, Why);
  ThreadDevice = Number;
  return FERRY_STATUS_OK;
}

extern "C" int ferry_current_device(void) {
  Text Why;
  Device *D = currentDevice(nullptr, Why);
  if (D)
    return D->Index;
  fail(FERRY_STATUS_NO_DEVICE, Why);
  return -1;
}
