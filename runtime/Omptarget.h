//===- Omptarget.h - libomptarget 22's interface ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that Ferry knows of libomptarget's ABI, from LLVM 22's
// offload/include/Shared/APITypes.h, llvm/include/llvm/Frontend/Offloading and
// openmp's omp.h. libferry opens the library at run time, when a launch first
// needs a device other than cpu.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_OMPTARGET_H
#define FERRY_RUNTIME_OMPTARGET_H

#include "Error.h"

namespace ferry::rt {

/// __tgt_offload_entry: a kernel (Size 0) or a global.
struct TgtEntry {
  uint64_t Reserved = 0;
  uint16_t Version = 1;
  uint16_t Kind = 1; ///< OpenMP: libomptarget ignores the others
  uint32_t Flags = 0;
  void *Address = nullptr; ///< the host's key
  const char *SymbolName = nullptr;
  uint64_t Size = 0;
  uint64_t Data = 0;
  void *AuxAddress = nullptr;
};

struct TgtImage {
  const void *Begin, *End;
  TgtEntry *EntriesBegin, *EntriesEnd;
};

struct TgtBinDesc {
  int32_t NumImages;
  TgtImage *Images;
  TgtEntry *EntriesBegin, *EntriesEnd;
};

/// KernelArgs. With version 3 a kernel gets one pointer of libomptarget's
/// before its own arguments.
struct TgtKernelArgs {
  uint32_t Version = 3;
  uint32_t NumArgs = 0;
  void **BasePointers = nullptr;
  void **Pointers = nullptr;
  int64_t *Sizes = nullptr;
  int64_t *Types = nullptr;
  void **Names = nullptr;
  void **Mappers = nullptr;
  uint64_t TripCount = 0;
  uint64_t Flags = 0;
  uint32_t Teams[3] = {1, 1, 1};
  uint32_t Threads[3] = {1, 1, 1};
  uint32_t DynamicSharedBytes = 0;
};

/// ident_t: where in the source we are, as ";file;function;line;column;;".
struct TgtIdent {
  int32_t Reserved1 = 0, Flags = 2, Reserved2 = 0, Reserved3 = 0;
  const char *Source = nullptr;
};

// Map types.
constexpr int64_t MapTo = 0x1, MapFrom = 0x2, MapAlways = 0x4;
constexpr int64_t MapTargetParam = 0x20, MapLiteral = 0x100;

/// The functions that Ferry calls. The omp_* ones report failures by their
/// result; __tgt_target_kernel aborts the program when it fails, as OpenMP's
/// rules for mandatory offloading ask for.
struct OmptargetApi {
  void (*RtlInit)();
  void (*RegisterLib)(TgtBinDesc *);
  void (*UnregisterLib)(TgtBinDesc *);
  int (*TargetKernel)(TgtIdent *, int64_t Device, int32_t Teams,
                      int32_t Threads, void *Host, TgtKernelArgs *);
  int (*GetNumDevices)();
  int (*GetInitialDevice)();
  const char *(*GetUid)(int Device);
  void *(*Alloc)(size_t, int Device);
  void (*Free)(void *, int Device);
  int (*Memcpy)(void *To, const void *From, size_t, size_t ToOffset,
                size_t FromOffset, int ToDevice, int FromDevice);
  void *(*GetMappedPtr)(const void *, int Device);
};

/// Opens libomptarget, at most once. On failure adds the reason to `Why` and
/// returns null.
const OmptargetApi *openOmptarget(Text &Why);

/// The functions, once openOmptarget has succeeded.
extern OmptargetApi Omp;

/// The user watches libomptarget (LIBOMPTARGET_INFO, _DEBUG, _PROFILE).
extern bool OmpTraced;

} // namespace ferry::rt

#endif // FERRY_RUNTIME_OMPTARGET_H
