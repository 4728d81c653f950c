//===- omptarget.cpp - A libomptarget that fails on demand ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands before LLVM's own in the loader's path, and passes on what libferry
// calls. A test arms it, and the Nth call of a kind fails instead. It also counts
// the blocks of device memory that nobody has freed.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>

static void *real(const char *Name) {
  static void *Library = dlopen(REAL_OMPTARGET, RTLD_NOW | RTLD_GLOBAL);
  return dlsym(Library, Name);
}
template <class F> static F *as(const char *Name) {
  return reinterpret_cast<F *>(real(Name));
}

static std::atomic<const char *> Kind{""};
static std::atomic<int> Left{0}, Live{0};

extern "C" {
/// The Nth call of the kind from now on fails: "to", "from" or "kernel"; of "alloc"
/// those after it, too.
void fault_arm(const char *Which, int N) {
  Kind = Which;
  Left = N;
}
/// Whether it has failed; disarms.
int fault_happened() {
  Kind = "";
  return Left.exchange(0) <= 0;
}
int fault_live() { return Live; }
}

/// Memory that has run out stays so.
static bool fails(const char *Which) {
  if (strcmp(Kind, Which))
    return false;
  int Now = --Left;
  return Now == 0 || (Now < 0 && !strcmp(Which, "alloc"));
}

#define PASS_ON(RESULT, NAME, PARAMETERS, ARGUMENTS)                           \
  extern "C" RESULT NAME PARAMETERS {                                          \
    static auto *Real = as<RESULT PARAMETERS>(#NAME);                          \
    return Real ARGUMENTS;                                                     \
  }
PASS_ON(void, __tgt_rtl_init, (), ())
PASS_ON(void, __tgt_register_lib, (void *Description), (Description))
PASS_ON(void, __tgt_unregister_lib, (void *Description), (Description))
PASS_ON(int, omp_get_num_devices, (), ())
PASS_ON(int, omp_get_initial_device, (), ())
PASS_ON(const char *, omp_get_uid_from_device, (int Device), (Device))
PASS_ON(void *, omp_get_mapped_ptr, (const void *P, int Device), (P, Device))

extern "C" int __tgt_target_kernel(void *Ident, int64_t Device, int32_t Teams,
                                   int32_t Threads, void *Host, void *Args) {
  static auto *Real = as<decltype(__tgt_target_kernel)>("__tgt_target_kernel");
  return fails("kernel") ? 1 : Real(Ident, Device, Teams, Threads, Host, Args);
}

extern "C" void *omp_target_alloc(size_t Bytes, int Device) {
  static auto *Real = as<decltype(omp_target_alloc)>("omp_target_alloc");
  void *P = fails("alloc") || Bytes >> 45 ? nullptr : Real(Bytes, Device);
  Live += P != nullptr;
  return P;
}

extern "C" void omp_target_free(void *P, int Device) {
  static auto *Real = as<decltype(omp_target_free)>("omp_target_free");
  Live -= P != nullptr;
  Real(P, Device);
}

extern "C" int omp_target_memcpy(void *To, const void *From, size_t Bytes,
                                 size_t ToOffset, size_t FromOffset,
                                 int ToDevice, int FromDevice) {
  static auto *Real = as<decltype(omp_target_memcpy)>("omp_target_memcpy");
  bool Home = ToDevice == omp_get_initial_device();
  return fails(Home ? "from" : "to")
             ? 1
             : Real(To, From, Bytes, ToOffset, FromOffset, ToDevice,
                    FromDevice);
}
