//===- ferry/error.h - What can go wrong ------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_ERROR_H
#define FERRY_ERROR_H

#include "ferry/markers.h"
#include "ferry/runtime.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace ferry {

/// The kinds of failure. After each of them host data that was passed to the
/// launch is as it was before, but for `panic` and `check_failed`, where it is
/// unspecified.
enum class errc : int {
  ok = FERRY_STATUS_OK,
  /// The program was compiled without the Ferry plugin.
  no_plugin = FERRY_STATUS_NO_PLUGIN,
  /// There is no such device, or the program carries no image for it.
  no_device = FERRY_STATUS_NO_DEVICE,
  /// The block, the grid or the shared memory is larger than the device allows.
  invalid_shape = FERRY_STATUS_INVALID_SHAPE,
  /// An argument cannot be passed: null with a size, or a size that does not
  /// match the kernel's std::span<T, N>.
  invalid_argument = FERRY_STATUS_INVALID_ARGUMENT,
  /// The device has no room for the data.
  out_of_memory = FERRY_STATUS_OUT_OF_MEMORY,
  /// The driver refused or lost the launch. When it was lost while results came
  /// back, some of them are there.
  launch_failed = FERRY_STATUS_LAUNCH_FAILED,
  /// A thread failed an assert or threw.
  panic = FERRY_STATUS_PANIC,
  /// FERRY_CHECK has found a mistake in the kernel.
  check_failed = FERRY_STATUS_CHECK,
};

/// What launch throws. what() names kernel, cause and place.
///
/// \code
/// void half(std::span<float> v) { v[ferry::global_id()] /= 2; }
/// void run(std::vector<float> &v) {
///   try {
///     ferry::launch<half>(ferry::blocks(1).threads(5000), v);
///   } catch (const ferry::error &e) {
///     if (e.code() == ferry::errc::invalid_shape)
///       std::puts(e.what());
///   }
/// }
/// \endcode
class error : public std::runtime_error {
public:
  error(errc Code, const std::string &Message)
      : std::runtime_error(Message), Code(Code) {}
  errc code() const noexcept { return Code; }

private:
  errc Code;
};

/// What try_launch returns: true when all went well.
///
/// \code
/// void half(std::span<float> v) { v[ferry::global_id()] /= 2; }
/// bool run(std::vector<float> &v) {
///   if (ferry::status s = ferry::try_launch<half>(ferry::over(v.size()), v))
///     return true;
///   else
///     std::fprintf(stderr, "%s\n", s.message().c_str());
///   return false;
/// }
/// \endcode
class [[nodiscard]] status {
public:
  status() noexcept = default;
  status(errc Code, std::string Message) noexcept
      : Code(Code), Message(std::move(Message)) {}

  explicit operator bool() const noexcept { return Code == errc::ok; }
  errc code() const noexcept { return Code; }
  /// Names kernel, cause and place; empty when all went well.
  const std::string &message() const noexcept { return Message; }

private:
  errc Code = errc::ok;
  std::string Message;
};

namespace detail {

/// Throws the failed call's error. Without exceptions there is nobody to tell
/// but the user.
[[noreturn, gnu::cold]] inline void raise(int Code) {
#if __cpp_exceptions
  throw error(static_cast<errc>(Code), ferry_last_error());
#else
  std::fprintf(stderr, "%s\n", ferry_last_error());
  std::abort();
#endif
}

} // namespace detail
} // namespace ferry

#endif // FERRY_ERROR_H
