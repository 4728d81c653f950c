//===- main.cpp - Answers to every benchmark's name ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"

Benchmarks streams(), bodies(), numerics(), blocks();

int main() {
  Benchmarks All;
  for (Benchmarks Some : {streams(), bodies(), numerics(), blocks()})
    All.merge(Some);
  return serve(All);
}
