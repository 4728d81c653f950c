//===- Png.h - Grey pictures in and out of PNG files ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_EXAMPLES_PNG_H
#define FERRY_EXAMPLES_PNG_H

#include <cstddef>
#include <cstdint>
#include <png.h>
#include <stdexcept>
#include <string>
#include <vector>

/// One byte a pixel, line after line; 0 is black.
struct Picture {
  std::size_t Width = 0, Height = 0;
  std::vector<std::uint8_t> Pixels;
};

/// Reads any PNG; colours become grey.
inline Picture readPng(const std::string &File) {
  png_image Header = {};
  Header.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&Header, File.c_str()))
    throw std::runtime_error(File + ": " + Header.message);
  Header.format = PNG_FORMAT_GRAY;
  Picture Result{Header.width, Header.height,
                 std::vector<std::uint8_t>(PNG_IMAGE_SIZE(Header))};
  if (!png_image_finish_read(&Header, nullptr, Result.Pixels.data(), 0,
                             nullptr))
    throw std::runtime_error(File + ": " + Header.message);
  return Result;
}

inline void writePng(const std::string &File, const Picture &P) {
  png_image Header = {};
  Header.version = PNG_IMAGE_VERSION;
  Header.width = static_cast<png_uint_32>(P.Width);
  Header.height = static_cast<png_uint_32>(P.Height);
  Header.format = PNG_FORMAT_GRAY;
  if (!png_image_write_to_file(&Header, File.c_str(), 0, P.Pixels.data(), 0,
                               nullptr))
    throw std::runtime_error(File + ": " + Header.message);
}

#endif // FERRY_EXAMPLES_PNG_H
