//===- RuntimeKernels.c - Kernels as the plugin would lower them ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by hand after runtime.h, so that libferry is tested without the
// plugin. Compiled twice: into the tests for device cpu, and with
// -DVIRTUAL_IMAGE into a shared object, the image for the virtual devices. Each
// NAME is NAME_cpu, which runs a box of threads, and in the image also NAME,
// with libomptarget's first pointer and the hidden arguments.
//
//===----------------------------------------------------------------------===//

#include "ferry/markers.h"
#include "ferry/runtime.h"
#include <stddef.h>

#define HIDDEN                                                                 \
  uint64_t ex, uint64_t ey, uint64_t ez, uint64_t bx, uint64_t by,             \
      uint64_t bz, uint64_t shared, ferry_cpu_runner run
#define CPU(NAME)                                                              \
  void NAME(const uint64_t *slots, const struct ferry_geometry *g,             \
            const uint64_t *begin, const uint64_t *end, void *scratch)
#define RUN(NAME, PANIC, GENERATION, ...)                                      \
  struct ferry_geometry g = {                                                  \
      {ex, ey, ez}, {bx, by, bz}, GENERATION, PANIC, shared, 0, 1};            \
  uint64_t slots[] = {__VA_ARGS__};                                            \
  run(NAME, slots, &g)

// y[i] += a * x[i]
CPU(saxpy_cpu) {
  union {
    uint64_t bits;
    float value;
  } a = {slots[0]};
  const float *x = (const float *)slots[1];
  float *y = (float *)slots[2];
  for (uint64_t i = begin[0]; i < end[0]; ++i)
    y[i] += a.value * x[i];
}

// Writes the first argument too, which the launch says is read only.
CPU(scribble_cpu) {
  uint32_t *in = (uint32_t *)slots[0], *out = (uint32_t *)slots[1];
  for (uint64_t i = begin[0]; i < end[0]; ++i) {
    out[i] = in[i];
    in[i] = 0xdead;
  }
}

// whole[i] += 1; the thread of the part's first element tells what is there.
CPU(overlap_cpu) {
  uint32_t *whole = (uint32_t *)slots[0];
  const uint32_t *part = (const uint32_t *)slots[1];
  uint32_t *seen = (uint32_t *)slots[2];
  for (uint64_t i = begin[0]; i < end[0]; ++i) {
    whole[i] += 1;
    if (part ? &whole[i] == part : i == 0)
      *seen = part ? *part : 0xffff;
  }
}

// Tells which version of it ran: the plain one, 1, or the one for buffers that
// lie apart, 2.
CPU(version_cpu) { *(uint32_t *)slots[0] = 1; }
#ifdef VIRTUAL_IMAGE
CPU(version_apart_cpu) { *(uint32_t *)slots[0] = 2; }
#endif

#ifdef VIRTUAL_IMAGE
struct ferry_panic_record test_panics[FERRY_PANIC_RECORDS];
struct ferry_print_buffer test_prints;
uint64_t device_counters[4];
#define COUNTERS device_counters
#else
extern const struct ferry_print_site print_sites[];
uint64_t host_counters[4] = {10, 20, 30, 40};
#define COUNTERS host_counters
#endif

// counters[i] += i + 1, counters a mutable global
CPU(count_cpu) {
  for (uint64_t i = begin[0]; i < end[0]; ++i)
    COUNTERS[i] += i + 1;
}

// The same with the global given as an argument as well.
CPU(count_twice_cpu) {
  uint64_t *also = (uint64_t *)slots[0];
  for (uint64_t i = begin[0]; i < end[0]; ++i) {
    COUNTERS[i] += 1;
    also[i] *= 2;
  }
}

// x[i] = i + 1 for i < slots[1]; the other threads panic.
CPU(bounds_cpu) {
  uint32_t *x = (uint32_t *)slots[0];
  uint64_t length = slots[1];
  for (uint64_t k = begin[2]; k < end[2]; ++k)
    for (uint64_t j = begin[1]; j < end[1]; ++j)
      for (uint64_t i = begin[0]; i < end[0]; ++i) {
        uint64_t id = (k * g->extent[1] + j) * g->extent[0] + i;
        if (id < length) {
          x[id] = id + 1;
          continue;
        }
        struct ferry_panic_record *r = g->panic;
        if (__atomic_exchange_n(&r->state, g->generation, __ATOMIC_RELAXED) ==
            g->generation)
          continue;
        uint64_t at[3] = {i, j, k};
        r->site = 1;
        for (int d = 0; d < 3; ++d) {
          r->block[d] = at[d] / g->block[d];
          r->thread[d] = at[d] % g->block[d];
        }
        r->values[0] = id;
        r->values[1] = length;
      }
}

// Each thread prints its number and slots[0].
CPU(print_cpu) {
  for (uint64_t i = begin[0]; i < end[0]; ++i) {
    uint64_t values[] = {i, slots[0]};
#ifdef VIRTUAL_IMAGE
    uint64_t at =
        __atomic_fetch_add(&test_prints.used, 24, __ATOMIC_RELAXED) / 8;
    uint64_t room = sizeof(test_prints.lines) / 8;
    if (at + 3 <= room) {
      test_prints.lines[at] = (uint64_t)2 << 32;
      test_prints.lines[at + 1] = values[0];
      test_prints.lines[at + 2] = values[1];
    } else {
      __atomic_fetch_add(&test_prints.lost, 1, __ATOMIC_RELAXED);
      if (at < room)
        test_prints.lines[at] = FERRY_PRINT_END;
    }
#else
    __ferry_print_line(&print_sites[0], values);
#endif
  }
}

#ifdef VIRTUAL_IMAGE
void print(void *omp, uint64_t what, HIDDEN) { RUN(print_cpu, NULL, 0, what); }
void saxpy(void *omp, uint64_t a, uint64_t x, uint64_t y, HIDDEN) {
  RUN(saxpy_cpu, NULL, 0, a, x, y);
}
void scribble(void *omp, uint64_t in, uint64_t out, HIDDEN) {
  RUN(scribble_cpu, NULL, 0, in, out);
}
void overlap(void *omp, uint64_t whole, uint64_t part, uint64_t seen, HIDDEN) {
  RUN(overlap_cpu, NULL, 0, whole, part, seen);
}
void version(void *omp, uint64_t out, uint64_t in, HIDDEN) {
  RUN(version_cpu, NULL, 0, out, in);
}
void version_apart(void *omp, uint64_t out, uint64_t in, HIDDEN) {
  RUN(version_apart_cpu, NULL, 0, out, in);
}
void count(void *omp, HIDDEN) { RUN(count_cpu, NULL, 0, 0); }
void count_twice(void *omp, uint64_t also, HIDDEN) {
  RUN(count_twice_cpu, NULL, 0, also);
}
void bounds(void *omp, uint64_t x, uint64_t length, HIDDEN, uint64_t record) {
  RUN(bounds_cpu, &test_panics[(uint32_t)record], record >> 32, x, length);
}
#endif
