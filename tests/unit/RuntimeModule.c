//===- RuntimeModule.c - The hand-made module's records -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeModule.h"
#include "ferry/markers.h"
#include <stdio.h>
#include <stdlib.h>

#define KERNEL(NAME, SLOTS, FLAGS, GLOBALS, LIST)                              \
  VERSIONS(NAME, SLOTS, FLAGS, GLOBALS, LIST, NULL)
#define VERSIONS(NAME, SLOTS, FLAGS, GLOBALS, LIST, APART)                     \
  void NAME##_cpu(const uint64_t *, const struct ferry_geometry *,             \
                  const uint64_t *, const uint64_t *, void *);                 \
  static const struct ferry_kernel NAME##_kernel = {FERRY_RECORD_VERSION,      \
                                                    FLAGS,                     \
                                                    FERRY_OVER,                \
                                                    SLOTS,                     \
                                                    #NAME,                     \
                                                    #NAME,                     \
                                                    &test_module,              \
                                                    NAME##_cpu,                \
                                                    GLOBALS,                   \
                                                    LIST,                      \
                                                    0,                         \
                                                    0,                         \
                                                    NULL,                      \
                                                    APART,                     \
                                                    NULL,                      \
                                                    NULL,                      \
                                                    0,                         \
                                                    NULL,                      \
                                                    0};

static const struct ferry_global counters = {host_counters, 32,
                                             "device_counters", "counters"};
static const struct ferry_global *const globals[] = {&counters};

KERNEL(saxpy, 3, 0, 0, NULL)
KERNEL(scribble, 2, 0, 0, NULL)
KERNEL(overlap, 3, 0, 0, NULL)
VERSIONS(version, 2, 0, 0, NULL, "version_apart")
KERNEL(count, 0, 0, 1, globals)
KERNEL(count_twice, 1, 0, 1, globals)
KERNEL(bounds, 2, FERRY_KERNEL_CAN_PANIC, 0, NULL)
KERNEL(print, 1, FERRY_KERNEL_PRINTS, 0, NULL)

// The same code for blocks: a "unit" is then a block.
static const struct ferry_kernel saxpy_blocks_kernel = {FERRY_RECORD_VERSION,
                                                        0,
                                                        FERRY_BLOCKS,
                                                        3,
                                                        "saxpy",
                                                        "saxpy",
                                                        &test_module,
                                                        saxpy_cpu,
                                                        0,
                                                        NULL,
                                                        0,
                                                        0,
                                                        NULL,
                                                        NULL,
                                                        NULL,
                                                        NULL,
                                                        0,
                                                        NULL,
                                                        0};

static const struct ferry_kernel *const kernels[] = {
    &saxpy_kernel,        &scribble_kernel,    &overlap_kernel,
    &count_kernel,        &count_twice_kernel, &bounds_kernel,
    &saxpy_blocks_kernel, &print_kernel,       &version_kernel};

static const struct ferry_panic_site sites[] = {
    {"an assertion failed", "", 0, 0},
    {"index {0:u} out of bounds (len {1:u})", "src/main.rs", 12, 5}};

static const uint32_t print_kinds[] = {FERRY_PRINT_UNSIGNED,
                                       FERRY_PRINT_SIGNED};
const struct ferry_print_site print_sites[] = {
    {"thread {} says {}\n", 18, 2, print_kinds}};

static struct ferry_panic_record panics[FERRY_PANIC_RECORDS];
static struct ferry_image images[] = {{"virtual", NULL, NULL}};

struct ferry_module test_module = {FERRY_RECORD_VERSION,
                                   1,
                                   9,
                                   2,
                                   1,
                                   images,
                                   kernels,
                                   globals,
                                   sites,
                                   panics,
                                   "test_panics",
                                   1,
                                   print_sites,
                                   "test_prints",
                                   NULL,
                                   NULL};

void register_test_module(void) {
  if (images[0].begin)
    return;
  FILE *file = fopen(FERRY_TEST_IMAGE, "rb");
  if (!file) {
    perror(FERRY_TEST_IMAGE);
    exit(3);
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *bytes = malloc(size);
  if (fread(bytes, 1, size, file) != (size_t)size)
    exit(3);
  fclose(file);
  images[0].begin = bytes;
  images[0].end = bytes + size;
  __ferry_register_module(&test_module);
}
