//===- Modules.cpp - What the program's compiles contributed --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is put into a list when its constructor runs, and nothing more:
// libomptarget sees it when a launch first needs a device other than cpu.
//
//===----------------------------------------------------------------------===//

#include "Modules.h"
#include "Images.h"
#include "Trace.h"
#include <cstdio>
#include <cstdlib>
#include <pthread.h>

namespace ferry::rt {

constinit Lock ModulesLock;
constinit ferry_module *Modules = nullptr;
constinit std::atomic<uint64_t> ModulesEver{0};

/// A forked child has one thread, and none that could release a lock.
static void resetLocks() {
  ModulesLock.reset();
  resetDeviceLocks();
}

} // namespace ferry::rt

using namespace ferry::rt;

extern "C" void __ferry_register_module(ferry_module *Module) {
  // A constructor has nobody to return an error to.
  if (Module->version != FERRY_RECORD_VERSION) {
    fprintf(stderr,
            "ferry: a module was compiled by a plugin with records of version "
            "%u, and this libferry reads version %u: compile and link with the "
            "same Ferry\n",
            Module->version, FERRY_RECORD_VERSION);
    abort();
  }
  Guard G(ModulesLock);
  static bool AtFork = false;
  if (!AtFork)
    AtFork = pthread_atfork(nullptr, nullptr, resetLocks) == 0;
  startTracing();
  Module->next = Modules;
  Modules = Module;
  ModulesEver.fetch_add(1, std::memory_order_release);
}

extern "C" void __ferry_unregister_module(ferry_module *Module) {
  Guard G(ModulesLock);
  for (ferry_module **Link = &Modules; *Link; Link = &(*Link)->next)
    if (*Link == Module) {
      *Link = Module->next;
      break;
    }
  unregisterFromOmptarget(*Module);
}
