//===- Heat.h - Heat that spreads over a plate ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plate is a grid of points, hot along its upper edge. In every step a
// point becomes the mean of its four neighbours; those at the edges stay as
// they are.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_EXAMPLES_HEAT_H
#define FERRY_EXAMPLES_HEAT_H

#include <cstddef>
#include <ferry/ferry.h>
#include <span>
#include <vector>

/// One step for a strip of the plate: all its rows but the first and the last,
/// which belong to the neighbours. One thread for each point.
inline void step(std::span<const double> from, std::span<double> to,
                 std::size_t width) {
  std::size_t x = ferry::global_idx().x, y = ferry::global_idx().y + 1;
  std::size_t here = y * width + x;
  if (x == 0 || x == width - 1)
    to[here] = from[here];
  else
    to[here] = 0.25 * (from[here - 1] + from[here + 1] + from[here - width] +
                       from[here + width]);
}

/// A plate of so many rows, those at the edges included.
inline std::vector<double> plate(std::size_t width, std::size_t height) {
  std::vector<double> points(width * height, 0);
  for (std::size_t x = 0; x < width; ++x)
    points[x] = 100;
  return points;
}

/// The same by the host alone.
inline std::vector<double> heatOnHost(std::size_t width, std::size_t height,
                                      int steps) {
  std::vector<double> from = plate(width, height), to = from;
  for (int i = 0; i < steps; ++i) {
    for (std::size_t y = 1; y < height - 1; ++y)
      for (std::size_t x = 1; x < width - 1; ++x)
        to[y * width + x] =
            0.25 * (from[y * width + x - 1] + from[y * width + x + 1] +
                    from[(y - 1) * width + x] + from[(y + 1) * width + x]);
    std::swap(from, to);
  }
  return from;
}

/// The first row of part number `part` of so many, of rows 1 to height - 2.
inline std::size_t firstRow(std::size_t height, int part, int parts) {
  return 1 + (height - 2) * static_cast<std::size_t>(part) /
                 static_cast<std::size_t>(parts);
}

#endif // FERRY_EXAMPLES_HEAT_H
