//===- ferry/markers.h - what front ends say to the plugin ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between front ends and the compiler plugin, and the only place
// where it is written down. A front end for another language needs nothing but
// this page.
//
// A launch is one call of the C function __ferry_launch. Every fact about the
// launch is an operand of that call, so the plugin needs no memory analysis:
//
//   int __ferry_launch(
//     i64 version,                     constant FERRY_MARKER_VERSION
//     ptr shim,                        constant: the function that runs one
//                                      thread
//     ptr name, i64 nameLength,        the kernel's name as the user wrote it
//     ptr file, i64 fileLength,
//     i64 line, i64 column,            where the launch is
//     i64 shape,                       constant FERRY_OVER or FERRY_BLOCKS
//     i64 x, i64 y, i64 z,             OVER: threads; BLOCKS: blocks in the
//     grid i64 tx, i64 ty, i64 tz,          BLOCKS: threads in a block; OVER:
//     ignored i64 sharedBytes,                 dynamic shared memory of a block
//     i64 device,                      its number; -1: the current device;
//                                      FERRY_ON_STREAM(...) for a launch that
//                                      returns before it is done
//     i64 numFields,                   constant
//     { i64 kind, ptr value, i64 bytes } * numFields)
//
// It returns a FERRY_STATUS_* value; the text is in ferry_last_error().
//
// The shim is `void shim(const void *block)`. The block holds the fields one
// after the other, each at the next multiple of eight bytes:
//
//   FERRY_FIELD_BYTES    `bytes` (constant) raw bytes, copied from `value` when
//                        the launch is reached; the shim reads them with
//                        memcpy, since nothing but eight-byte alignment is
//                        promised. Zero bytes take no room.
//   FERRY_FIELD_BUFFER   one pointer to `bytes` bytes of memory, at `value` on
//                        the host and wherever the device has it in the kernel.
//                        READ, WRITE, UNIQUE and RESIDENT are or-ed to the
//                        kind; with neither READ nor WRITE it is SCRATCH: room
//                        on the device that is never copied and starts
//                        undefined.
//                        When `bytes` is 0 the kernel has the host's pointer,
//                        null or not.
//
// A global variable in the section "ferry.device" is the device's own: each
// image has one, which starts as zeros and which no launch copies.
//
// So `span<float>` is a BUFFER and the BYTES of its length, and a scalar,
// struct or closure is BYTES. The shim rebuilds the arguments and calls the
// user's function; the plugin takes block and shim apart again, so that on
// every device each field is a plain kernel argument.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_MARKERS_H
#define FERRY_MARKERS_H

#define FERRY_MARKER_VERSION 1

// Shapes.
#define FERRY_OVER 0
#define FERRY_BLOCKS 1

// A launch in a stream (runtime.h), on a device or, for -1, on the stream's
// own. The memory of its buffers must last until it is done; raw bytes are
// copied at once.
#define FERRY_ON_STREAM(stream, device)                                        \
  ((int64_t)(int32_t)(device) ^ (int64_t)((uint64_t)(stream) << 32))

// Field kinds, and the flags of a buffer.
#define FERRY_FIELD_BYTES 0
#define FERRY_FIELD_BUFFER 1
#define FERRY_FIELD_READ 0x10    // the kernel may read what the host wrote
#define FERRY_FIELD_WRITE 0x20   // the host sees what the kernel wrote
#define FERRY_FIELD_UNIQUE 0x40  // no other buffer of the launch overlaps it
#define FERRY_FIELD_SCRATCH 0x80 // neither read from nor written to the host
// The buffer is that of a resident whose end the program may miss, as safe Rust
// can: only launches with this flag may use what such a resident has on devices
// (runtime.h).
#define FERRY_FIELD_RESIDENT 0x100

// What a launch returns. The order is public: ferry::errc and ferry::ErrorKind.
#define FERRY_STATUS_OK 0
// Compiled without the plugin.
#define FERRY_STATUS_NO_PLUGIN 1
// No such device, or no image for it.
#define FERRY_STATUS_NO_DEVICE 2
// Block, grid or shared memory too large.
#define FERRY_STATUS_INVALID_SHAPE 3
// What the front end found wrong at run time.
#define FERRY_STATUS_INVALID_ARGUMENT 4
// The device has no room for the data.
#define FERRY_STATUS_OUT_OF_MEMORY 5
// The driver refused or lost the launch.
#define FERRY_STATUS_LAUNCH_FAILED 6
// A thread panicked or an assert failed.
#define FERRY_STATUS_PANIC 7
// FERRY_CHECK has found a mistake.
#define FERRY_STATUS_CHECK 8

// Kinds of printed values.
#define FERRY_PRINT_UNSIGNED 0
#define FERRY_PRINT_SIGNED 1
#define FERRY_PRINT_FLOAT 2  // a float's bits
#define FERRY_PRINT_DOUBLE 3 // a double's bits
#define FERRY_PRINT_BOOL 4
#define FERRY_PRINT_CHAR 5 // a code point
#define FERRY_PRINT_POINTER 6
// Or-ed to a kind: {} as Rust shows it (1, 1.0 with {:?}) instead of as C++.
#define FERRY_PRINT_RUST 0x100
// Or-ed to a kind: the size of the user's type, shifted; 0 stands for 8 bytes.
// Rust shows a negative i32 in hexadecimal with 32 bits.
#define FERRY_PRINT_BYTES_SHIFT 16

#ifdef __cplusplus
#include <stdint.h>
extern "C" {
// Where a thread stands. `dimension` is 0, 1 or 2 for x, y, z. Inside a block
// of over(...) the block's shape is Ferry's choice, and
// global_idx = block_idx * block_dim + thread_idx holds on every device.
__attribute__((const)) uint32_t __ferry_thread_idx(uint32_t dimension) noexcept;
__attribute__((const)) uint32_t __ferry_block_idx(uint32_t dimension) noexcept;
__attribute__((const)) uint32_t __ferry_block_dim(uint32_t dimension) noexcept;
__attribute__((const)) uint32_t __ferry_grid_dim(uint32_t dimension) noexcept;
__attribute__((const)) uint64_t __ferry_global_idx(uint32_t dimension) noexcept;
// The extent of the whole shape in threads: what over() was given, or
// grid_dim * block_dim.
__attribute__((const)) uint64_t __ferry_global_dim(uint32_t dimension) noexcept;
// (z * ny + y) * nx + x over the whole shape.
__attribute__((const)) uint64_t __ferry_global_id(void) noexcept;

// The address of a constant that is another one in each function, and in each
// instance of a template: in that which the call stands in before anything is
// inlined.
__attribute__((const)) const void *__ferry_instance(void) noexcept;

// Memory that the threads of a block share, `bytes` long, undefined when the
// block starts. `site` and `instance` are addresses of constants and say which
// object it is: calls with the same two (and the same size and alignment) get
// the same memory. Constants whose address means nothing (unnamed_addr, such as
// rustc's source locations) are the same when their contents are. `instance`
// may be null. BLOCKS alone.
__attribute__((const)) void *__ferry_shared(const void *site,
                                            const void *instance,
                                            uint64_t bytes,
                                            uint64_t align) noexcept;
// The launch's dynamic shared memory, aligned to 16 bytes, and its size.
__attribute__((const)) void *__ferry_dynamic_shared(void) noexcept;
__attribute__((const)) uint64_t __ferry_dynamic_shared_bytes(void) noexcept;

// Waits until every thread of the block is here; what they wrote before is seen
// by all after. BLOCKS alone.
__attribute__((convergent)) void __ferry_sync_threads(void) noexcept;

// A warp is `size` threads of a block whose numbers (x fastest) follow each
// other; the last one of a block may have fewer. A thread's lane is its number
// modulo the size. The size is a power of two, at most 64, and 32 on cpu and
// virtual.
__attribute__((const)) uint32_t __ferry_warp_size(void) noexcept;
__attribute__((const)) uint32_t __ferry_warp_lane(void) noexcept;
// Both wait for the warp's threads that take part. Bit i of a ballot is set
// when lane i takes part and its predicate is not 0. A shuffle returns the
// value of lane `lane % size`, which is unspecified when that lane takes no
// part. BLOCKS alone.
__attribute__((convergent)) uint64_t
__ferry_warp_ballot(uint32_t predicate) noexcept;
__attribute__((convergent)) uint32_t
__ferry_warp_shuffle(uint32_t value, uint32_t lane) noexcept;

// 1 on a GPU, 0 on cpu and virtual; a constant in each target's code, so that
// a kernel for one kind of device is nothing on the other.
__attribute__((const)) uint32_t __ferry_on_gpu(void) noexcept;

// Prints a line's text when the launch is over (cpu: at once). `format` is a
// constant with {} fields as std::format knows them, all of them numbers,
// booleans or characters; a FERRY_PRINT_* kind and a value extended to 64 bits
// follow for each.
//   void __ferry_print(ptr format, i64 length, i64 count,
//                      { i64 kind, i64 value } * count)
void __ferry_print(const char *format, uint64_t length, uint64_t count,
                   ...) noexcept;
}
#endif

#endif // FERRY_MARKERS_H
