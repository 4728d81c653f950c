//===- ferry/runtime.h - libferry's C interface -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two groups of declarations. The first is what front ends call: devices,
// errors, statistics. The second is the layout of the records that the plugin's
// Host stage writes into a program and libferry reads; both sides include this
// header, and tests/unit checks the plugin's LLVM types against it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_H
#define FERRY_RUNTIME_H

#include "ferry/access.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// For front ends
//===----------------------------------------------------------------------===//

// Devices are numbered once for the whole program: 0 is cpu, then the virtual
// devices, then the GPUs that some image of this program fits.
int ferry_device_count(void);
// "cpu", "virtual:0", "nvptx:0 (NVIDIA H200)"... null when there is no such
// device.
const char *ferry_device_name(int device);
// For this host thread, from now on. Returns a FERRY_STATUS_* value.
int ferry_set_device(int device);
int ferry_current_device(void);
// The text of this thread's last failed call; lives until its next one.
const char *ferry_last_error(void);
// Lets a front end that found a mistake at run time report it like any other.
// Returns `status`.
int ferry_fail(int status, const char *message, uint64_t length);

struct ferry_stats {
  uint64_t launches;
  uint64_t copies_to_device, bytes_to_device;
  uint64_t copies_to_host, bytes_to_host;
};
// Counts since the program's start, all threads and devices together.
void ferry_get_stats(struct ferry_stats *stats);

// A *stream* is work that is done in order, by a thread of its own. Streams are
// numbered from 1. What fails stops its stream, up to the next
// ferry_stream_wait, which returns the failure: what was to come after is left
// out.
//
// `device`: for work that doesn't say where; -1: the one that is current when
// the work is given.
int ferry_stream_create(int32_t device, uint32_t *stream);
// Waits until all is done that was given before.
int ferry_stream_wait(uint32_t stream);
// Waits, too. A failure that nobody has waited for is told on stderr.
void ferry_stream_destroy(uint32_t stream);
// An *event* is a place in a stream: after all that it was given before.
uint64_t ferry_stream_event(uint32_t stream);
int ferry_event_done(uint32_t stream, uint64_t event);
// Returns the failure of the work before the event, if there is one.
int ferry_event_wait(uint32_t stream, uint64_t event);
// What the stream is given from now on starts after the event of another.
int ferry_stream_after(uint32_t stream, uint32_t other, uint64_t event);
// ferry_resident_to_host, and the copy to the stream's device, before which the
// host may have written the bytes (ferry_resident_to_device), as work of the
// stream.
int ferry_stream_to_host(uint32_t stream, const void *p, uint64_t bytes,
                         uint64_t id);
int ferry_stream_to_device(uint32_t stream, const void *p, uint64_t bytes,
                           uint64_t id, int written);

struct ferry_source_place;

// A *resident* is memory that the program itself keeps on devices. Launches
// find it by its address, from any thread; it is copied in where they read what
// the device lacks, and comes home when it ends. Between, the host's bytes may
// be out of date.
#define FERRY_RESIDENT_READ_ONLY 1 // what kernels write comes home at once
// The end may be missed, and other memory be at this address then. So only
// launches whose field has FERRY_FIELD_RESIDENT use it, and nothing is copied
// home but when the program asks. Residents that are there already lose what is
// in the new one.
#define FERRY_RESIDENT_BORROWED 2
// Writes a number for the functions below; 0: there is nothing to do for so
// little memory. Returns a FERRY_STATUS_*: INVALID_ARGUMENT where some of the
// memory is a resident's already.
int ferry_resident_begin(const void *p, uint64_t bytes, uint32_t flags,
                         const struct ferry_source_place *place, uint64_t *id);
// What kernels have written comes home, and the device's room is free again.
void ferry_resident_end(const void *p, uint64_t id);
// Brings home what kernels have written of these bytes of it.
int ferry_resident_to_host(const void *p, uint64_t bytes, uint64_t id);
// The host has written these bytes of it: launches that read them copy them in.
int ferry_resident_to_device(const void *p, uint64_t bytes, uint64_t id);

// Memory that host code wants to use where the current device has it, as
// libraries for GPUs do.
struct ferry_mapping {
  const void *host;
  uint64_t bytes;
  uint32_t flags; // FERRY_FIELD_READ, WRITE and RESIDENT, as of a launch
  uint32_t reserved;
  void *device; // written by ferry_map; on cpu the same as `host`
};
// Makes room and copies in what is READ; residents are used where they are.
// Returns a FERRY_STATUS_*; on success `state` is for ferry_unmap, which must
// follow, and `mappings` may go.
int ferry_map(struct ferry_mapping *mappings, uint32_t count,
              const struct ferry_source_place *place, void **state);
// Copies back what is WRITE, unless the work was abandoned, and frees the room.
// Called by the same thread; of several in each other the last one first.
int ferry_unmap(void *state, int abandoned);

//===----------------------------------------------------------------------===//
// Records written by the plugin
//===----------------------------------------------------------------------===//

#define FERRY_RECORD_VERSION 5

// One failed check of one thread, 64 bytes. Records are used again and never
// cleared: `state` holds the generation of the last launch that panicked in
// this one. The first thread that moves it to the own launch's generation fills
// the rest. `values` are the numbers that the site's text names.
struct ferry_panic_record {
  uint32_t state;
  uint32_t site; // index into the module's sites
  uint32_t block[3];
  uint32_t thread[3];
  uint64_t values[4];
};

// A place that can panic. `message` holds {0:u} (unsigned), {0:i} (signed),
// {0:f} (double's bits) where values[0] belongs, and so on; {{ stands for {.
struct ferry_panic_site {
  const char *message;   // "index {0:u} out of bounds (len {1:u})"
  const char *file;      // may be empty: unknown
  uint32_t line, column; // column 0: unknown
};

// Panic records that one image holds; a launch that can panic takes one of
// them.
#define FERRY_PANIC_RECORDS 64

// A line that kernels print.
struct ferry_print_site {
  const char *format;
  uint64_t length; // of the format
  uint64_t num_values;
  const uint32_t *kinds; // FERRY_PRINT_*, one a value
};

// Where kernels in device images put what they print, a global of the image.
// `used` counts bytes of `lines`, and may end up larger than there are. A line
// is its site's index and the number of its values (32 bits each), then the
// values. What found no room is counted in `lost`, and the first such line
// leaves FERRY_PRINT_END as a site where it would have been.
#define FERRY_PRINT_BYTES (1 << 20)
#define FERRY_PRINT_END 0xffffffffu
struct ferry_print_buffer {
  uint64_t used;
  uint64_t lost;
  uint64_t lines[(FERRY_PRINT_BYTES - 16) / 8];
};

// What generated CPU code reads about a launch. `extent` counts threads for
// OVER and blocks for BLOCKS; `block` is the block's shape in both.
struct ferry_geometry {
  uint64_t extent[3];
  uint32_t block[3];
  uint32_t generation;              // of the record
  struct ferry_panic_record *panic; // null when the kernel cannot panic
  uint64_t dynamic_shared;          // bytes
  uint64_t scratch_bytes;           // that one call of the kernel needs
  uint64_t unit_threads;            // 1 for OVER, those of a block for BLOCKS
};

// The shape of the blocks that cover an extent of threads, the same on every
// device.
static inline void ferry_over_block(const uint64_t *extent, uint32_t *block) {
  int flat = extent[2] <= 1, line = flat && extent[1] <= 1;
  block[0] = line ? 256 : 32;
  block[1] = line ? 1 : flat ? 8 : 4;
  block[2] = flat ? 1 : 2;
}

// Runs the units begin..end (exclusive, per dimension) of a launch: threads for
// OVER, blocks for BLOCKS. `slots` are the kernel's arguments, eight bytes
// each. `scratch` is aligned to 64 bytes and for this call alone.
typedef void (*ferry_cpu_kernel)(const uint64_t *slots,
                                 const struct ferry_geometry *geometry,
                                 const uint64_t *begin, const uint64_t *end,
                                 void *scratch);

// A kernel's scratch: the block's static shared memory, its dynamic shared
// memory, and what each thread keeps while it waits at a barrier, each rounded
// up to 64 bytes. Contexts are laid out for a multiple of 64 threads.
static inline uint64_t ferry_scratch_bytes(uint64_t static_shared,
                                           uint64_t dynamic_shared,
                                           uint64_t thread_bytes,
                                           uint64_t threads) {
  return ((static_shared + 63) & ~63ull) + ((dynamic_shared + 63) & ~63ull) +
         thread_bytes * ((threads + 63) & ~63ull);
}

// A GPU kernel with more static shared memory than this many bytes finds it at
// the start of the launch's dynamic shared memory, since assemblers refuse more
// than 48 KB, some of which Ferry may need itself.
#define FERRY_MOST_STATIC_SHARED 47104

// The bytes of dynamic shared memory to ask a GPU's driver for.
static inline uint64_t ferry_gpu_dynamic_shared(uint64_t static_shared,
                                                uint64_t dynamic_shared) {
  return static_shared > FERRY_MOST_STATIC_SHARED
             ? ((static_shared + 15) & ~15ull) + dynamic_shared
             : dynamic_shared;
}

// Covers a whole geometry with calls of `kernel`, on all cores.
typedef void (*ferry_cpu_runner)(ferry_cpu_kernel kernel, const uint64_t *slots,
                                 const struct ferry_geometry *geometry);

// A second version of a kernel, which libferry plays thread by thread when
// FERRY_CHECK is set. It is cut at its collectives into regions.

// What a checked kernel says before it touches memory.
#define FERRY_ACCESS_READ 1
#define FERRY_ACCESS_WRITE 2
#define FERRY_ACCESS_ATOMIC 4
#define FERRY_ACCESS_ACQUIRE 8
#define FERRY_ACCESS_RELEASE 16
#define FERRY_ACCESS_DEVICE 32 // to a variable that only kernels have

// A place in the source that checks name. `file` is empty when it is not known.
struct ferry_check_site {
  const char *file;
  uint32_t line, column;
};

// Where a thread stands, and what is its own and its block's.
struct ferry_checked_thread {
  uint32_t block_idx[3], thread_idx[3], block_dim[3], grid_dim[3];
  uint64_t global_idx[3], global_dim[3], global_id;
  uint64_t number; // in the block
  uint32_t warp_lane;
  uint32_t generation; // of the record
  uint64_t dynamic_shared_bytes;
  struct ferry_panic_record *panic;
  char *context, *static_shared, *dynamic_shared;
};

// The collective before a region.
#define FERRY_AFTER_BARRIER 0
#define FERRY_AFTER_BALLOT 1
#define FERRY_AFTER_SHUFFLE 2

struct ferry_checked_region {
  // Returns the region to go on with after the collective before that, or 0
  // when the thread is done.
  uint32_t (*code)(const uint64_t *slots,
                   const struct ferry_checked_thread *thread);
  uint32_t after;                 // FERRY_AFTER_*; region 0 comes after nothing
  uint32_t operand, lane, result; // a warp operation's, in the context
  uint32_t site;                  // of the collective
  uint32_t reserved;
};

struct ferry_checked_kernel {
  uint64_t num_regions;
  const struct ferry_checked_region *regions;
  uint64_t context_bytes; // of a thread
  uint64_t shared_bytes;  // static, of a block
  uint64_t num_shared;
  const uint64_t *shared; // offset and size of each object
  const struct ferry_check_site *sites;
};

// The site of a thread that ends because a check has failed.
#define FERRY_SITE_CHECK 0xffffffffu

// What checked kernels call. An access returns 1 when the thread shall end.
uint32_t __ferry_check_access(const void *address, uint64_t bytes,
                              uint32_t kind, uint32_t site);
void __ferry_check_fence(uint32_t kind);

struct ferry_module;

// A mutable global of the program that kernels name. The images have their own
// copy under `symbol`; every launch of a kernel that lists the global copies it
// in and out, as if it were an argument. On cpu the kernel uses the host's own.
struct ferry_global {
  void *address;
  uint64_t bytes;
  const char *symbol;
  const char *name;
};

#define FERRY_KERNEL_CAN_PANIC 1
#define FERRY_KERNEL_PRINTS 2

// One kernel in one shape. Its address is libomptarget's host key.
//
// In a device image the kernel `symbol` takes: libomptarget's own first pointer
// (KernelArgs version 3), the slots, then hidden arguments, each eight bytes:
//   extent x, y, z; block x, y, z (as in ferry_geometry);
//   the bytes of dynamic shared memory;
//   the ferry_cpu_runner (used by `virtual` alone, else null);
//   only for a kernel that can panic: the index of its panic record in the low
//   32 bits, the launch's generation in the high ones.
struct ferry_kernel {
  uint32_t version;
  uint32_t flags;
  uint32_t shape; // FERRY_OVER or FERRY_BLOCKS
  uint32_t num_slots;
  const char *name;
  const char *symbol;
  struct ferry_module *module;
  ferry_cpu_kernel cpu; // null when `cpu` is not among the targets
  uint64_t num_globals;
  const struct ferry_global *const *globals;
  uint64_t static_shared; // bytes of a block, dynamic shared memory apart
  uint64_t thread_bytes;  // of the cpu kernel, see ferry_scratch_bytes
  const struct ferry_checked_kernel *checked; // null without cpu
  // A version for launches in which no written buffer overlaps another; its
  // host key is the address of this member. Null when there is none.
  const char *apart_symbol;
  // What the kernel does to its buffers, one record a slot and then one a
  // global. Null: nothing more is known than what the launch says.
  const struct ferry_usage *usages;
  const struct ferry_symbol *symbols;
  // Where threads may panic, as accesses without an offset. When one has,
  // others need not run, and nothing is certainly overwritten.
  uint64_t num_panics;
  const struct ferry_access *panics;
  // Bit I: formulas of the above mention slot I. They mention none from 64 on.
  uint64_t formula_slots;
};

struct ferry_image {
  const char *target; // "virtual", "sm_80", "gfx90a"
  const void *begin, *end;
};

// What one compile (or one link-time compile) contributed. Registered by a
// constructor that runs before the program's own and unregistered at dlclose.
struct ferry_module {
  uint32_t version;
  uint32_t num_images;
  uint32_t num_kernels;
  uint32_t num_sites;
  uint64_t num_globals;
  const struct ferry_image *images;
  const struct ferry_kernel *const *kernels;
  const struct ferry_global *const *globals;
  const struct ferry_panic_site *sites;
  // FERRY_PANIC_RECORDS records: the host twin of the images' global
  // `panic_symbol`; null when no kernel can panic.
  struct ferry_panic_record *panic_records;
  const char *panic_symbol;
  // What the images' print buffer, the global `print_symbol`, refers to; null
  // when no kernel prints.
  uint64_t num_print_sites;
  const struct ferry_print_site *print_sites;
  const char *print_symbol;
  // libferry's own.
  struct ferry_module *next;
  void *registration;
};

void __ferry_register_module(struct ferry_module *module);
void __ferry_unregister_module(struct ferry_module *module);

// An argument slot of a launch site. Flags are the FERRY_FIELD_READ, WRITE,
// SCRATCH, UNIQUE and RESIDENT of a buffer; 0 says that the slot holds the
// value itself. FERRY_SLOT_BYTES: a buffer that is raw bytes of the launch, too
// many for slots.
#define FERRY_SLOT_BYTES 0x1000
struct ferry_slot {
  uint32_t flags;
  uint32_t reserved;
  const char *name; // the user's variable, or the kernel's parameter
};

struct ferry_launch_site {
  const struct ferry_kernel *kernel;
  uint32_t num_slots;
  uint32_t reserved;
  const struct ferry_slot *slots;
};

struct ferry_launch_shape {
  uint64_t extent[3];
  uint64_t block[3]; // BLOCKS alone
  uint64_t shared_bytes;
  int64_t device;
};

// `file` has `file_length` bytes and no terminator.
struct ferry_source_place {
  const char *file;
  uint64_t file_length;
  uint64_t line, column;
};

// Prints one line at once: what __ferry_print becomes on cpu.
void __ferry_print_line(const struct ferry_print_site *site,
                        const uint64_t *values);

// What a __ferry_launch marker becomes. `values` holds a value or a host
// address per slot, `bytes` the size of each buffer.
int __ferry_run(const struct ferry_launch_site *site,
                const struct ferry_launch_shape *shape,
                const struct ferry_source_place *place, const uint64_t *values,
                const uint64_t *bytes);

// What the plugin calls where it has proven that only code it sees reaches a
// piece of memory (docs/decisions.md, Transfers). Such a *region* may stay on
// the device after a launch, and the host's copy be out of date until one of
// these says that the host looks. What is no region, or no longer one, they
// pass over. Pointers may point anywhere into the region or right beside it,
// and bytes reach over its ends.
#define FERRY_ALL_BYTES UINT64_MAX // of the region, wherever the pointer points

// `p` was just allocated. `site` is the same for all that are allocated in this
// place of the source. `again`: a launch uses it in a loop.
void __ferry_region_begin(void *p, uint64_t bytes, const void *site,
                          uint32_t again);
// It is about to be freed.
void __ferry_region_end(void *p);
// Code that the plugin does not see is about to learn of it, or of all that
// were allocated in one place: the host's copy becomes the only one.
void __ferry_region_escapes(void *p);
void __ferry_regions_escape(const void *site);
// Code that the plugin does not see has the pointer until it returns.
void __ferry_region_lent(void *p);
void __ferry_region_returned(void *p);
// Host code is about to read, to write, or to write all of these bytes.
void __ferry_host_reads(void *p, uint64_t bytes);
void __ferry_host_writes(void *p, uint64_t bytes);
void __ferry_host_overwrites(void *p, uint64_t bytes);
// Some of the next such calls will be about these bytes.
void __ferry_host_reads_together(void *p, uint64_t bytes);
// How many regions are on a device. While it is 0, these need not be
// called.
extern uint64_t __ferry_regions_away;

#ifdef __cplusplus
}
#endif

#endif // FERRY_RUNTIME_H
