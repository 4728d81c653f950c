//===- ferry/index.h - Where a thread stands --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For use in kernels and in functions that kernels call. Every function here is
// inlined and leaves no debug location of its own, so a debugger or a message
// shows the user's line.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_INDEX_H
#define FERRY_INDEX_H

#include "ferry/markers.h"

#include <cstddef>
#include <cstdint>

#define FERRY_DEVICE_INLINE                                                    \
  [[nodiscard]] __attribute__((always_inline, nodebug)) inline

namespace ferry {

/// Three 32-bit counts: a position in, or the size of, a block or grid.
struct uint3 {
  std::uint32_t x, y, z;
};

/// Three counts of threads over a whole launch.
struct size3 {
  std::size_t x, y, z;
};

/// This thread's position in its block: x in [0, block_dim().x) and so on.
///
/// \code
/// void ids(std::span<std::uint32_t> out) {
///   out[ferry::global_id()] = ferry::thread_idx().x;
/// }
/// void run(std::vector<std::uint32_t> &v) {
///   ferry::launch<ids>(ferry::blocks(v.size() / 64).threads(64), v);
/// }
/// \endcode
FERRY_DEVICE_INLINE uint3 thread_idx() noexcept {
  return {__ferry_thread_idx(0), __ferry_thread_idx(1), __ferry_thread_idx(2)};
}

/// The position of this thread's block in the grid.
FERRY_DEVICE_INLINE uint3 block_idx() noexcept {
  return {__ferry_block_idx(0), __ferry_block_idx(1), __ferry_block_idx(2)};
}

/// Threads in a block, per dimension. Under over(...) the shape of a block is
/// Ferry's choice, and blocks at the far edges may be cut short.
FERRY_DEVICE_INLINE uint3 block_dim() noexcept {
  return {__ferry_block_dim(0), __ferry_block_dim(1), __ferry_block_dim(2)};
}

/// Blocks in the grid, per dimension.
FERRY_DEVICE_INLINE uint3 grid_dim() noexcept {
  return {__ferry_grid_dim(0), __ferry_grid_dim(1), __ferry_grid_dim(2)};
}

/// This thread's position in the whole launch:
/// block_idx() * block_dim() + thread_idx(), per dimension. Under
/// over(nx, ny, nz) every x is below nx, y below ny, z below nz.
///
/// \code
/// void transpose(std::span<const float> a, std::span<float> b,
///                std::size_t rows, std::size_t cols) {
///   auto [x, y, z] = ferry::global_idx();
///   b[x * rows + y] = a[y * cols + x];
/// }
/// void run(const std::vector<float> &a, std::vector<float> &b,
///          std::size_t rows, std::size_t cols) {
///   ferry::launch<transpose>(ferry::over(cols, rows), a, b, rows, cols);
/// }
/// \endcode
FERRY_DEVICE_INLINE size3 global_idx() noexcept {
  return {__ferry_global_idx(0), __ferry_global_idx(1), __ferry_global_idx(2)};
}

/// This thread's number in the whole launch: (z * ny + y) * nx + x. Every
/// number from 0 to the count of threads - 1 occurs once.
///
/// \code
/// void square(std::span<double> v) {
///   std::size_t i = ferry::global_id();
///   v[i] *= v[i];
/// }
/// void run(std::vector<double> &v) {
///   ferry::launch<square>(ferry::over(v.size()), v);
/// }
/// \endcode
FERRY_DEVICE_INLINE std::size_t global_id() noexcept {
  return __ferry_global_id();
}

} // namespace ferry

#undef FERRY_DEVICE_INLINE

#endif // FERRY_INDEX_H
