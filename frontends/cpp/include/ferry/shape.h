//===- ferry/shape.h - How many threads a launch has ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SHAPE_H
#define FERRY_SHAPE_H

#include "ferry/markers.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

namespace ferry {

class stream;

namespace detail {

/// A count given by the user. Signed counts are taken, since sizes are often
/// ints, but a negative one is remembered instead of becoming a huge number.
struct Count {
  std::uint64_t Value;
  bool Negative = false;

  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr Count(I N) noexcept : Value(static_cast<std::uint64_t>(N)) {
    if constexpr (std::is_signed_v<I>)
      Negative = N < 0;
  }

  std::string text() const {
    return Negative ? std::to_string(static_cast<std::int64_t>(Value))
                    : std::to_string(Value);
  }
};

struct Count3 {
  Count X, Y, Z;

  constexpr bool negative() const noexcept {
    return X.Negative || Y.Negative || Z.Negative;
  }
  std::string text() const {
    return X.text() + " x " + Y.text() + " x " + Z.text();
  }
};

/// What every shape has. `Derived` is the shape itself, so that the setters can
/// be chained.
template <class Derived> class ShapeBase {
public:
  /// Runs this launch on device `i` (see ferry/device.h) whatever
  /// set_device said. The launch fails with errc::no_device if there is none.
  [[nodiscard]] constexpr Derived device(int i) const noexcept {
    Derived Result = static_cast<const Derived &>(*this);
    Result.Device = i;
    Result.DeviceGiven = true;
    return Result;
  }

  /// Makes this launch work of a stream (see ferry/stream.h), which returns
  /// before it is done.
  [[nodiscard]] constexpr Derived on(const stream &s) const noexcept;

  Count3 Extent;
  std::source_location Where;
  std::uint32_t Stream = 0;
  int Device = -1;
  bool DeviceGiven = false;

protected:
  constexpr ShapeBase(Count3 Extent, std::source_location Where) noexcept
      : Extent(Extent), Where(Where) {}
};

} // namespace detail

/// See over().
class over_shape : public detail::ShapeBase<over_shape> {
public:
  static constexpr std::uint64_t Kind = FERRY_OVER;
  constexpr over_shape(detail::Count3 Extent,
                       std::source_location Where) noexcept
      : ShapeBase(Extent, Where) {}

  static constexpr detail::Count3 Block = {1, 1, 1};
  static constexpr std::uint64_t SharedBytes = 0;
};

/// See blocks().
class grid_shape : public detail::ShapeBase<grid_shape> {
public:
  static constexpr std::uint64_t Kind = FERRY_BLOCKS;
  constexpr grid_shape(detail::Count3 Grid, detail::Count3 Block,
                       std::source_location Where) noexcept
      : ShapeBase(Grid, Where), Block(Block) {}

  /// Gives each block `Bytes` bytes of dynamic shared memory.
  [[nodiscard]] constexpr grid_shape shared(std::size_t Bytes) const noexcept {
    grid_shape Result = *this;
    Result.SharedBytes = Bytes;
    return Result;
  }

  detail::Count3 Block;
  std::uint64_t SharedBytes = 0;
};

/// A grid that still lacks its blocks' shape. See blocks().
class blocks_shape {
public:
  constexpr blocks_shape(detail::Count3 Grid,
                         std::source_location Where) noexcept
      : Grid(Grid), Where(Where) {}

  /// Threads in each block, per dimension. A product larger than the device
  /// allows (1,024 on cpu and virtual) fails with errc::invalid_shape.
  [[nodiscard]] constexpr grid_shape
  threads(detail::Count x, detail::Count y = 1,
          detail::Count z = 1) const noexcept {
    return {Grid, {x, y, z}, Where};
  }

private:
  detail::Count3 Grid;
  std::source_location Where;
};

/// nx (times ny (times nz)) threads; Ferry chooses the blocks, and the kernel
/// sees ids inside the shape only. No threads at all is a launch that succeeds
/// and does nothing. More than 2^32 threads or a negative count fails with
/// errc::invalid_shape. The place of the call of over() is the one that error
/// messages name.
///
/// \code
/// void fill(std::span<int> v, int x) { v[ferry::global_id()] = x; }
/// void run(std::vector<int> &v) {
///   ferry::launch<fill>(ferry::over(v.size()), v, 7);
///   ferry::launch<fill>(ferry::over(4, v.size() / 4).device(0), v, 8);
/// }
/// \endcode
[[nodiscard]] constexpr over_shape
over(detail::Count nx,
     std::source_location Where = std::source_location::current()) noexcept {
  return {{nx, 1, 1}, Where};
}
[[nodiscard]] constexpr over_shape
over(detail::Count nx, detail::Count ny,
     std::source_location Where = std::source_location::current()) noexcept {
  return {{nx, ny, 1}, Where};
}
[[nodiscard]] constexpr over_shape
over(detail::Count nx, detail::Count ny, detail::Count nz,
     std::source_location Where = std::source_location::current()) noexcept {
  return {{nx, ny, nz}, Where};
}

/// x (times y (times z)) blocks, each of as many threads as .threads(x, y, z)
/// says.
///
/// \code
/// void firsts(std::span<float> v) {
///   if (ferry::thread_idx().x == 0)
///     v[ferry::block_idx().x] = 1;
/// }
/// void run(std::vector<float> &v) {
///   ferry::launch<firsts>(ferry::blocks(v.size()).threads(128), v);
/// }
/// \endcode
[[nodiscard]] constexpr blocks_shape
blocks(detail::Count x,
       std::source_location Where = std::source_location::current()) noexcept {
  return {{x, 1, 1}, Where};
}
[[nodiscard]] constexpr blocks_shape
blocks(detail::Count x, detail::Count y,
       std::source_location Where = std::source_location::current()) noexcept {
  return {{x, y, 1}, Where};
}
[[nodiscard]] constexpr blocks_shape
blocks(detail::Count x, detail::Count y, detail::Count z,
       std::source_location Where = std::source_location::current()) noexcept {
  return {{x, y, z}, Where};
}

} // namespace ferry

#endif // FERRY_SHAPE_H
