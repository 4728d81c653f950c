//===- Process.cpp - How long libferry lives ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>

namespace ferry::rt {

static constinit std::atomic<bool> Pinned{false}, Exiting{false};

void pinLibrary() {
  Dl_info Info;
  if (!Pinned.exchange(true) &&
      dladdr(reinterpret_cast<void *>(&pinLibrary), &Info) && Info.dli_fname)
    dlopen(Info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

void watchForExit() {
  // In a library that could be unloaded, the handler would run then.
  pinLibrary();
  atexit([] { Exiting.store(true); });
}

bool exiting() { return Exiting.load(); }

} // namespace ferry::rt
