//===- Unplugged.cpp - What runs where the plugin did not -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin replaces launches by __ferry_run and removes thread queries from
// the host's code. A program that reaches the functions below was compiled
// without it, or asks for a thread's place where there is no thread. They are
// weak, so that a definition from elsewhere is no clash.
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include <cstdio>
#include <cstdlib>

using namespace ferry::rt;

extern "C" __attribute__((weak, visibility("default"))) int
__ferry_launch(uint64_t /*Version*/, void * /*Shim*/, const char *Name,
               uint64_t NameLength, const char *File, uint64_t FileLength,
               uint64_t Line, uint64_t Column, ...) {
  Text T;
  T.add("kernel '").addBytes(Name, NameLength).add("' launched at ");
  T.addBytes(File, FileLength)
      .add(":%llu:%llu", static_cast<unsigned long long>(Line),
           static_cast<unsigned long long>(Column));
  T.add(": built without the Ferry plugin: compile with ferry-c++, or add "
        "-fpass-plugin=.../FerryPlugin.so to clang++-22; in Rust build with "
        "cargo ferry build");
  return fail(FERRY_STATUS_NO_PLUGIN, T);
}

[[noreturn]] static void outsideOfKernel(const char *What) {
  fprintf(stderr,
          "ferry: %s called outside a kernel: only code that a launch runs has "
          "a thread and a block\n",
          What);
  abort();
}

#define FERRY_QUERY(TYPE, FUNCTION, WHAT)                                      \
  extern "C"                                                                   \
      __attribute__((weak, visibility("default"))) TYPE FUNCTION noexcept {    \
    outsideOfKernel(WHAT);                                                     \
  }
FERRY_QUERY(uint32_t, __ferry_thread_idx(uint32_t), "thread_idx()")
FERRY_QUERY(uint32_t, __ferry_block_idx(uint32_t), "block_idx()")
FERRY_QUERY(uint32_t, __ferry_block_dim(uint32_t), "block_dim()")
FERRY_QUERY(uint32_t, __ferry_grid_dim(uint32_t), "grid_dim()")
FERRY_QUERY(uint64_t, __ferry_global_idx(uint32_t), "global_idx()")
FERRY_QUERY(uint64_t, __ferry_global_dim(uint32_t), "global_dim()")
FERRY_QUERY(uint64_t, __ferry_global_id(void), "global_id()")
FERRY_QUERY(void *,
            __ferry_shared(const void *, const void *, uint64_t, uint64_t),
            "shared()")
FERRY_QUERY(const void *, __ferry_instance(void), "shared()")
FERRY_QUERY(void *, __ferry_dynamic_shared(void), "dynamic_shared()")
FERRY_QUERY(uint64_t, __ferry_dynamic_shared_bytes(void), "dynamic_shared()")
FERRY_QUERY(void, __ferry_sync_threads(void), "sync_threads()")
FERRY_QUERY(uint32_t, __ferry_on_gpu(void), "on_gpu()")
FERRY_QUERY(uint32_t, __ferry_warp_size(void), "warp::size()")
FERRY_QUERY(uint32_t, __ferry_warp_lane(void), "warp::lane()")
FERRY_QUERY(uint64_t, __ferry_warp_ballot(uint32_t), "warp::ballot()")
FERRY_QUERY(uint32_t, __ferry_warp_shuffle(uint32_t, uint32_t),
            "warp::shuffle()")
