//===- ranks.cpp - One plate on the ranks of an MPI program ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rank has a strip of the plate, and a device for it: rank r of its node
// takes the r-th GPU, or else virtual device, round and round. The strip stays
// on the device. After each step the two outer rows that the neighbours need
// come home, are exchanged by MPI, and the neighbours' rows go to the device.
//
//   mpirun -n 4 ranks [width] [height] [steps]
//
//===----------------------------------------------------------------------===//

#include "Heat.h"
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <string>

static int deviceFor(int rankOfNode) {
  std::vector<int> gpus, others;
  for (int i = 1; i < ferry::devices(); ++i)
    (ferry::device_name(i).starts_with("virtual") ? others : gpus).push_back(i);
  const std::vector<int> &all = gpus.empty() ? others : gpus;
  return all.empty() ? 0
                     : all[static_cast<std::size_t>(rankOfNode) % all.size()];
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int rank, ranks, rankOfNode;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                      &node);
  MPI_Comm_rank(node, &rankOfNode);
  auto number = [&](int i, std::size_t otherwise) {
    return count > i ? std::strtoul(arguments[i], nullptr, 10) : otherwise;
  };
  std::size_t width = number(1, 512), height = number(2, 514);
  int steps = static_cast<int>(number(3, 100));
  if (width < 3 || height < static_cast<std::size_t>(ranks) + 2) {
    if (rank == 0)
      std::fprintf(stderr, "the plate is too small\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  ferry::set_device(deviceFor(rankOfNode));

  // The strip, with the rows of the neighbours above and below it.
  std::size_t top = firstRow(height, rank, ranks);
  std::size_t rows = firstRow(height, rank + 1, ranks) - top;
  std::vector<double> whole = plate(width, height);
  std::vector<double> from(whole.begin() + (top - 1) * width,
                           whole.begin() + (top + rows + 1) * width);
  std::vector<double> to = from;
  int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  int wide = static_cast<int>(width);
  {
    ferry::resident a(from), b(to);
    for (int i = 0; i < steps; ++i) {
      ferry::resident<double> &now = i % 2 ? b : a, &next = i % 2 ? a : b;
      ferry::launch<step>(ferry::over(width, rows), now, next, width);
      next.to_host(width, width);
      next.to_host(rows * width, width);
      double *row = next.span().data();
      MPI_Sendrecv(row + width, wide, MPI_DOUBLE, above, 0,
                   row + (rows + 1) * width, wide, MPI_DOUBLE, below, 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Sendrecv(row + rows * width, wide, MPI_DOUBLE, below, 1, row, wide,
                   MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      next.to_device(0, width);
      next.to_device((rows + 1) * width, width);
    }
  } // the strip comes home
  const std::vector<double> &strip = steps % 2 ? to : from;

  std::vector<double> expected = heatOnHost(width, height, steps);
  bool right = true;
  for (std::size_t i = width; i < (rows + 1) * width; ++i)
    right &= strip[i] == expected[(top - 1) * width + i];
  bool allRight = false;
  MPI_Allreduce(&right, &allRight, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
  ferry::statistics moved = ferry::stats();
  for (int r = 0; r < ranks; ++r) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (r == rank) {
      std::printf(
          "rank %d of %d on %s: %zu rows, %.1f KB to the device, %.1f KB "
          "back\n",
          rank, ranks, ferry::device_name(ferry::current_device()).c_str(),
          rows, moved.bytes_to_device * 1e-3, moved.bytes_to_host * 1e-3);
      std::fflush(stdout);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%s\n", allRight ? "verified" : "WRONG");
  MPI_Finalize();
  return allRight ? 0 : 1;
}
