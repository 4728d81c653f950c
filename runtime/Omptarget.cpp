//===- Omptarget.cpp - Opens libomptarget 22 ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that itself uses OpenMP offload has libomptarget already, and must
// not get a second one. Otherwise the library is opened from the loader's
// search path, and then from where LLVM's packages put it; globally, since
// libomp, which it brings along, looks libomptarget's functions up by name.
//
//===----------------------------------------------------------------------===//

#include "Omptarget.h"
#include "Process.h"
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>

namespace ferry::rt {

constinit OmptargetApi Omp = {};
constinit bool OmpTraced = false;

static constexpr const char *Library = "libomptarget.so.22.1";
static constexpr const char *LibraryInLlvm =
    "/usr/lib/llvm-22/lib/libomptarget.so.22.1";

/// A static program can open libraries that need nothing but a libc of their
/// own, and libomptarget is none: it crashes when it comes to use it.
static bool isStaticProgram() { return !dlsym(RTLD_DEFAULT, "dlopen"); }

static void *openLibrary(Text &Why) {
  if (isStaticProgram()) {
    Why.add("a statically linked program can't load %s: link without -static",
            Library);
    return nullptr;
  }
  if (void *Handle = dlopen(Library, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL))
    return Handle;
  Dl_info Other;
  void *Symbol = dlsym(RTLD_DEFAULT, "__tgt_register_lib");
  if (Symbol && dladdr(Symbol, &Other)) {
    Why.add("the program has already loaded another libomptarget (%s), and "
            "Ferry needs %s",
            Other.dli_fname, Library);
    return nullptr;
  }
  for (const char *Name : {Library, LibraryInLlvm})
    if (void *Handle = dlopen(Name, RTLD_NOW | RTLD_GLOBAL))
      return Handle;
  Why.add("%s can't be loaded (%s)", Library, dlerror());
  return nullptr;
}

template <typename F>
static bool find(void *Handle, const char *Name, F *&Function, Text &Why) {
  Function = reinterpret_cast<F *>(dlsym(Handle, Name));
  if (!Function)
    Why.add("%s has no function %s", Library, Name);
  return Function != nullptr;
}

static bool findFunctions(void *H, Text &Why) {
  return find(H, "__tgt_rtl_init", Omp.RtlInit, Why) &&
         find(H, "__tgt_register_lib", Omp.RegisterLib, Why) &&
         find(H, "__tgt_unregister_lib", Omp.UnregisterLib, Why) &&
         find(H, "__tgt_target_kernel", Omp.TargetKernel, Why) &&
         find(H, "omp_get_num_devices", Omp.GetNumDevices, Why) &&
         find(H, "omp_get_initial_device", Omp.GetInitialDevice, Why) &&
         find(H, "omp_get_uid_from_device", Omp.GetUid, Why) &&
         find(H, "omp_target_alloc", Omp.Alloc, Why) &&
         find(H, "omp_target_free", Omp.Free, Why) &&
         find(H, "omp_target_memcpy", Omp.Memcpy, Why) &&
         find(H, "omp_get_mapped_ptr", Omp.GetMappedPtr, Why);
}

const OmptargetApi *openOmptarget(Text &Why) {
  // Called with the device table's lock held.
  static enum : uint8_t { Untried, Works, Fails } State = Untried;
  static char *Reason = nullptr;
  if (State == Untried) {
    Text T;
    void *Handle = openLibrary(T);
    if (Handle && findFunctions(Handle, T)) {
      // Without it the other functions crash until a library is registered.
      Omp.RtlInit();
      watchForExit();
      OmpTraced = getenv("LIBOMPTARGET_INFO") || getenv("LIBOMPTARGET_DEBUG") ||
                  getenv("LIBOMPTARGET_PROFILE");
      State = Works;
    } else {
      State = Fails;
      Reason = T.release();
    }
  }
  if (State == Fails && Reason)
    Why.add("%s", Reason);
  return State == Works ? &Omp : nullptr;
}

} // namespace ferry::rt
