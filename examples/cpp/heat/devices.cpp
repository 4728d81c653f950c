//===- devices.cpp - One plate on all devices -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every device computes a strip of the plate. The plate is two arrays, each
// with one resident, and each launch is given the strip that it reads and
// writes: rows of a neighbour that it lacks come over by themselves, and no
// others. What is left to say is the order. A strip's next step needs its
// neighbours' last one, and must not overwrite what they still read; the events
// of the streams see to both.
//
// devices [width] [height] [steps]: on all GPUs, or else the virtual devices.
//
//===----------------------------------------------------------------------===//

#include "Heat.h"
#include <cstdio>
#include <cstdlib>
#include <string>

/// All GPUs, else the virtual devices, else the CPU.
static std::vector<int> devicesToUse() {
  std::vector<int> gpus, others;
  for (int i = 1; i < ferry::devices(); ++i)
    (ferry::device_name(i).starts_with("virtual") ? others : gpus).push_back(i);
  if (!gpus.empty())
    return gpus;
  return others.empty() ? std::vector<int>{0} : others;
}

int main(int count, char **arguments) {
  auto number = [&](int i, std::size_t otherwise) {
    return count > i ? std::strtoul(arguments[i], nullptr, 10) : otherwise;
  };
  std::size_t width = number(1, 512), height = number(2, 514);
  int steps = static_cast<int>(number(3, 100));
  std::vector<int> devices = devicesToUse();
  int parts = static_cast<int>(devices.size());
  if (width < 3 || height < static_cast<std::size_t>(parts) + 2) {
    std::fprintf(stderr, "the plate is too small\n");
    return 2;
  }

  std::vector<double> first = plate(width, height), second = first;
  {
    ferry::resident a(first), b(second);
    std::vector<ferry::stream> streams;
    for (int device : devices)
      streams.emplace_back(device);
    std::vector<ferry::event> done;
    for (ferry::stream &s : streams)
      done.push_back(s.record());

    for (int i = 0; i < steps; ++i) {
      std::span<double> from = i % 2 ? b.span() : a.span();
      std::span<double> to = i % 2 ? a.span() : b.span();
      std::vector<ferry::event> last = done;
      for (int p = 0; p < parts; ++p) {
        ferry::stream &s = streams[p];
        if (p > 0)
          s.after(last[p - 1]);
        if (p < parts - 1)
          s.after(last[p + 1]);
        std::size_t top = firstRow(height, p, parts);
        std::size_t rows = firstRow(height, p + 1, parts) - top;
        std::size_t begin = (top - 1) * width, length = (rows + 2) * width;
        ferry::launch<step>(ferry::over(width, rows).on(s),
                            from.subspan(begin, length),
                            to.subspan(begin, length), width);
        done[p] = s.record();
      }
    }
    for (ferry::stream &s : streams)
      s.wait();
  } // the plate comes home
  const std::vector<double> &result = steps % 2 ? second : first;

  ferry::statistics moved = ferry::stats();
  std::printf("%zu x %zu points, %d steps on %d device%s, the first %s\n",
              width, height, steps, parts, parts == 1 ? "" : "s",
              ferry::device_name(devices[0]).c_str());
  std::printf("%.1f MB to devices, %.1f MB back: %.1f KB a step\n",
              moved.bytes_to_device * 1e-6, moved.bytes_to_host * 1e-6,
              (moved.bytes_to_device + moved.bytes_to_host) * 1e-3 / steps);
  bool right = result == heatOnHost(width, height, steps);
  std::printf("%s\n", right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
