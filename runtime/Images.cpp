//===- Images.cpp - Modules as libomptarget knows them --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is one __tgt_bin_desc with all of its images, as clang makes them:
// kernels and globals are entries, found by host address and by symbol.
//
// libomptarget loads images onto a device when the device is next used, and
// ends the program if one fails. So what can go wrong is tried before:
//  - When it loads images, each registered module must have one that fits the
//    device, or the device is refused for good. We refuse the launch instead.
//  - An image for the virtual devices is loaded and searched for its symbols
//    here first, the way libomptarget's plugin will do it: from a file in /tmp.
//  - Bitcode for an NVIDIA GPU is compiled with ptxas, which must be there.
//
//===----------------------------------------------------------------------===//

#include "Images.h"
#include "Modules.h"
#include "Omptarget.h"
#include "Process.h"
#include "Trace.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <new>
#include <sched.h>
#include <sys/mman.h>

namespace ferry::rt {

static_assert(FERRY_PANIC_RECORDS == 64, "a word has one bit a record");

namespace {
struct Registration {
  TgtBinDesc Desc = {};
  /// A bit for each panic record that no launch has.
  std::atomic<uint64_t> FreeRecords{~uint64_t(0)};
  char *VirtualProblem = nullptr;
  std::atomic<OnDevice *> On[MostDevices] = {};
};
} // namespace

static Registration *registrationOf(const ferry_module &M) {
  void *R = __atomic_load_n(&M.registration, __ATOMIC_ACQUIRE);
  return static_cast<Registration *>(R);
}

//===----------------------------------------------------------------------===//
// Checks that libomptarget would answer with abort()
//===----------------------------------------------------------------------===//

static bool hasSymbols(void *Handle, const ferry_module &M, Text &Why) {
  auto Has = [&](const char *Symbol) {
    if (dlsym(Handle, Symbol))
      return true;
    Why.add("the image for virtual has no symbol %s", Symbol);
    return false;
  };
  for (uint32_t I = 0; I < M.num_kernels; ++I)
    if (!Has(M.kernels[I]->symbol) ||
        (M.kernels[I]->apart_symbol && !Has(M.kernels[I]->apart_symbol)))
      return false;
  for (uint64_t I = 0; I < M.num_globals; ++I)
    if (!Has(M.globals[I]->symbol))
      return false;
  return (!M.panic_records || Has(M.panic_symbol)) &&
         (!M.print_symbol || Has(M.print_symbol));
}

static bool loadsHere(const ferry_image &I, const ferry_module &M, Text &Why) {
  char Path[] = "/tmp/ferry-image-XXXXXX";
  int File = mkstemp(Path);
  size_t Size =
      static_cast<const char *>(I.end) - static_cast<const char *>(I.begin);
  bool Written = File >= 0;
  for (size_t Done = 0; Written && Done < Size;) {
    ssize_t N =
        write(File, static_cast<const char *>(I.begin) + Done, Size - Done);
    Written = N > 0;
    Done += Written ? N : 0;
  }
  if (File >= 0)
    close(File);
  void *Handle = Written ? dlopen(Path, RTLD_LAZY | RTLD_LOCAL) : nullptr;
  bool Good = Handle && hasSymbols(Handle, M, Why);
  if (!Written)
    Why.add("the image for virtual can't be written to a file in /tmp");
  else if (!Handle)
    Why.add("the image for virtual can't be loaded (%s)", dlerror());
  if (Handle)
    dlclose(Handle);
  if (File >= 0)
    unlink(Path);
  return Good;
}

static bool isBitcode(const ferry_image &I) {
  return memcmp(I.begin, "BC\xC0\xDE", 4) == 0;
}

static bool hasPtxas() {
  const char *Path = getenv("PATH");
  while (Path && *Path) {
    size_t Length = strcspn(Path, ":");
    Text File;
    File.addBytes(Path, Length).add("/ptxas");
    if (access(File.chars(), X_OK) == 0)
      return true;
    Path += Length + (Path[Length] == ':');
  }
  return false;
}

/// What keeps `D` from loading the module's image.
static bool canLoad(const ferry_module &M, const Device &D, Text &Why) {
  if (!hasImageFor(M, D)) {
    Why.add("the program has no code for device %s: it is built for cpu",
            D.Name);
    for (uint32_t I = 0; I < M.num_images; ++I)
      Why.add(", %s", M.images[I].target);
    Why.add("; name the device's target in FERRY_TARGETS=cpu,...");
    return false;
  }
  Registration *R = registrationOf(M);
  if (D.Kind == DeviceKind::Virtual && R && R->VirtualProblem) {
    Why.add("%s", R->VirtualProblem);
    return false;
  }
  if (D.Kind == DeviceKind::Nvptx && !hasPtxas())
    for (uint32_t I = 0; I < M.num_images; ++I)
      if (!strncmp(M.images[I].target, "sm_", 3) && isBitcode(M.images[I])) {
        Why.add("the code for device %s was built without ptxas, and ptxas, "
                "which could finish it now, is not in PATH: install the CUDA "
                "toolkit",
                D.Name);
        return false;
      }
  return true;
}

static bool allCanLoad(const Device &D, Text &Why) {
  for (ferry_module *Other = Modules; Other; Other = Other->next) {
    if (!registrationOf(*Other) || hasImageFor(*Other, D))
      continue;
    Why.add("device %s can't be used together with other devices here: a part "
            "of the program that was launched on another device is built "
            "without code for this one; build all parts for the same "
            "FERRY_TARGETS",
            D.Name);
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// libomptarget finds a global by its host address, which must be the only one
/// of its kind: several modules may have copies of one host global, and after a
/// dlclose another library may come to lie at the same place, while
/// libomptarget still has the old addresses. So globals go by addresses in a
/// piece of address space that nobody touches and that is never given back.
static char *reserveKeys(const ferry_module &M) {
  uint64_t Bytes = FERRY_PANIC_RECORDS * sizeof(ferry_panic_record) +
                   sizeof(ferry_print_buffer);
  for (uint64_t I = 0; I < M.num_globals; ++I)
    Bytes += M.globals[I]->bytes;
  void *Keys = mmap(nullptr, Bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Keys == MAP_FAILED ? nullptr : static_cast<char *>(Keys);
}

static TgtEntry *makeEntries(const ferry_module &M, uint64_t &Count) {
  uint64_t Apart = 0;
  for (uint32_t I = 0; I < M.num_kernels; ++I)
    Apart += M.kernels[I]->apart_symbol != nullptr;
  Count = M.num_kernels + Apart + M.num_globals + (M.panic_records ? 1 : 0) +
          (M.print_symbol ? 1 : 0);
  auto *Entries = static_cast<TgtEntry *>(calloc(Count + 1, sizeof(TgtEntry)));
  char *Key = reserveKeys(M);
  if (!Entries || !Key) {
    free(Entries);
    return nullptr;
  }
  TgtEntry *E = Entries;
  for (uint32_t I = 0; I < M.num_kernels; ++I) {
    TgtEntry Kernel;
    Kernel.Address = const_cast<ferry_kernel *>(M.kernels[I]);
    Kernel.SymbolName = M.kernels[I]->symbol;
    *E++ = Kernel;
  }
  auto AddGlobal = [&](const char *Symbol, uint64_t Bytes) {
    TgtEntry Global;
    Global.Address = Key;
    Global.SymbolName = Symbol;
    Global.Size = Bytes;
    Key += Bytes;
    *E++ = Global;
  };
  for (uint64_t I = 0; I < M.num_globals; ++I)
    AddGlobal(M.globals[I]->symbol, M.globals[I]->bytes);
  if (M.panic_records)
    AddGlobal(M.panic_symbol, FERRY_PANIC_RECORDS * sizeof(ferry_panic_record));
  if (M.print_symbol)
    AddGlobal(M.print_symbol, sizeof(ferry_print_buffer));
  for (uint32_t I = 0; I < M.num_kernels; ++I)
    if (M.kernels[I]->apart_symbol) {
      TgtEntry Kernel;
      Kernel.Address = static_cast<void *>(
          const_cast<const char **>(&M.kernels[I]->apart_symbol));
      Kernel.SymbolName = M.kernels[I]->apart_symbol;
      *E++ = Kernel;
    }
  return Entries;
}

static void destroy(Registration *R) {
  for (auto &On : R->On)
    free(On.load());
  free(R->Desc.Images);
  free(R->Desc.EntriesBegin);
  free(R->VirtualProblem);
  free(R);
}

/// Fills R->Desc. False: the host has no memory.
static bool describe(const ferry_module &M, Registration *R) {
  uint64_t Count;
  TgtBinDesc &D = R->Desc;
  D.EntriesBegin = makeEntries(M, Count);
  D.Images = static_cast<TgtImage *>(calloc(M.num_images, sizeof(TgtImage)));
  if (!D.EntriesBegin || !D.Images)
    return false;
  D.EntriesEnd = D.EntriesBegin + Count;
  for (uint32_t I = 0; I < M.num_images; ++I) {
    const ferry_image &Image = M.images[I];
    Text Problem;
    if (!strcmp(Image.target, "virtual") && !loadsHere(Image, M, Problem)) {
      R->VirtualProblem = Problem.release();
      continue;
    }
    D.Images[D.NumImages++] = {Image.begin, Image.end, D.EntriesBegin,
                               D.EntriesEnd};
  }
  return true;
}

bool registerWithOmptarget(ferry_module &M, Text &Why) {
  if (registrationOf(M) || M.num_images == 0)
    return true;
  auto *Memory = malloc(sizeof(Registration));
  if (!Memory) {
    Why.add("the host has no memory left");
    return false;
  }
  auto *R = new (Memory) Registration;
  if (!describe(M, R)) {
    destroy(R);
    Why.add("the host has no memory left");
    return false;
  }
  if (R->VirtualProblem)
    Why.add("%s", R->VirtualProblem);
  if (R->Desc.NumImages)
    Omp.RegisterLib(&R->Desc);
  __atomic_store_n(&M.registration, static_cast<void *>(R), __ATOMIC_RELEASE);
  return true;
}

void unregisterFromOmptarget(ferry_module &M) {
  Registration *R = registrationOf(M);
  // At exit libomptarget may be gone already, and needs no tidying.
  if (!R || exiting())
    return;
  if (R->Desc.NumImages)
    Omp.UnregisterLib(&R->Desc);
  destroy(R);
  M.registration = nullptr;
}

//===----------------------------------------------------------------------===//
// First use on a device
//===----------------------------------------------------------------------===//

/// A device that loads the new module's image loads all that are registered.
static bool fitsDevicesInUse(const ferry_module &M, Text &Why) {
  for (ferry_module *Other = Modules; Other; Other = Other->next) {
    Registration *R = registrationOf(*Other);
    for (int I = 0; R && I < MostDevices; ++I) {
      OnDevice *On = R->On[I].load();
      const Device *D = On ? deviceOfOmpId(I) : nullptr;
      if (D && hasImageFor(M, *D) && !allCanLoad(*D, Why))
        return false;
    }
  }
  return true;
}

static OnDevice *locate(ferry_module &M, Device &D, Text &Why) {
  Registration *R = registrationOf(M);
  auto *On = static_cast<OnDevice *>(
      calloc(1, sizeof(OnDevice) + M.num_globals * sizeof(void *)));
  if (!On) {
    Why.add("the host has no memory left");
    return nullptr;
  }
  On->Globals = reinterpret_cast<void **>(On + 1);
  for (uint32_t &Generation : On->Generations)
    Generation = 1; // a fresh record's state is 0
  TgtEntry *E = R->Desc.EntriesBegin + M.num_kernels;
  bool Found = true;
  auto Next = [&] {
    void *Place = Omp.GetMappedPtr(E++->Address, D.OmpId);
    Found &= Place != nullptr;
    return static_cast<char *>(Place);
  };
  for (uint64_t I = 0; I < M.num_globals; ++I)
    On->Globals[I] = Next();
  if (M.panic_records)
    On->PanicRecords = Next();
  if (M.print_symbol)
    On->PrintBuffer = Next();
  if (Found)
    return On;
  free(On);
  Why.add("a global of the image for device %s can't be found", D.Name);
  return nullptr;
}

/// At exit LLVM closes the images that libomptarget's plugin for the virtual
/// devices has opened, before static objects older than it are destroyed, whose
/// destructors may launch. They stay if they are pinned by name, which works
/// although the plugin has removed the files.
static void pinVirtualImages() {
  // Names first: opening while iterating could deadlock with other threads.
  Text Names;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Names) {
        if (!strncmp(Info->dlpi_name, "/tmp/tmpfile_", 13))
          static_cast<Text *>(Names)->addBytes(Info->dlpi_name,
                                               strlen(Info->dlpi_name) + 1);
        return 0;
      },
      &Names);
  for (const char *Name = Names.chars(), *End = Name + Names.size();
       Name != End; Name += strlen(Name) + 1)
    dlopen(Name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static OnDevice *prepared(const ferry_module &M, const Device &D) {
  Registration *R = registrationOf(M);
  return R ? R->On[D.OmpId].load(std::memory_order_acquire) : nullptr;
}

OnDevice *prepare(ferry_module &M, Device &D, Text &Why) {
  if (D.isGpu() && exiting()) {
    Why.add("the program is exiting and the driver of device %s has shut down",
            D.Name);
    return nullptr;
  }
  if (OnDevice *On = prepared(M, D))
    return On;
  TraceScope Preparing(ActionKind::Prepare, D.Name, "the program's kernels");
  Guard G(ModulesLock);
  // Another thread's first launch may have been at it meanwhile. There must be
  // one OnDevice only: it counts the generations of the panic records.
  if (OnDevice *On = prepared(M, D))
    return On;
  if (!registrationOf(M) &&
      !(fitsDevicesInUse(M, Why) && registerWithOmptarget(M, Why)))
    return nullptr;
  if (!canLoad(M, D, Why) || !allCanLoad(D, Why))
    return nullptr;
  OnDevice *On = locate(M, D, Why);
  if (D.Kind == DeviceKind::Virtual)
    pinVirtualImages();
  if (On)
    registrationOf(M)->On[D.OmpId].store(On, std::memory_order_release);
  return On;
}

//===----------------------------------------------------------------------===//
// Panic records
//===----------------------------------------------------------------------===//

unsigned takePanicRecord(ferry_module &M) {
  std::atomic<uint64_t> &Free = registrationOf(M)->FreeRecords;
  uint64_t Seen = Free.load(std::memory_order_relaxed);
  while (true) {
    if (Seen == 0) {
      sched_yield();
      Seen = Free.load(std::memory_order_relaxed);
    } else if (Free.compare_exchange_weak(Seen, Seen & (Seen - 1),
                                          std::memory_order_acquire)) {
      return __builtin_ctzll(Seen);
    }
  }
}

void returnPanicRecord(ferry_module &M, unsigned Index) {
  registrationOf(M)->FreeRecords.fetch_or(uint64_t(1) << Index,
                                          std::memory_order_release);
}

} // namespace ferry::rt
