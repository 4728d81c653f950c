//===- RuntimeTestPlugin.c - A library that is loaded and unloaded --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeModule.h"
#include "ferry/markers.h"
#include <stdio.h>

/// Returns the status, or -1 for a wrong result.
int plugin_launch(int64_t device) {
  register_test_module();
  host_counters[0] = 41;
  struct ferry_launch_site site = {test_module.kernels[3], 0, 0, NULL};
  struct ferry_launch_shape shape = {{4, 1, 1}, {1, 1, 1}, 0, device};
  struct ferry_source_place place = {"plugin.c", 8, 1, 1};
  int status = __ferry_run(&site, &shape, &place, NULL, NULL);
  if (status)
    puts(ferry_last_error());
  return status || host_counters[0] == 42 ? status : -1;
}

__attribute__((destructor)) static void unload(void) {
  __ferry_unregister_module(&test_module);
}
