//===- ferry.cpp - A program with one kernel, to time its compilation -----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <ferry/ferry.h>
#include <vector>

static void saxpy(float A, std::span<const float> X, std::span<float> Y) {
  std::size_t I = ferry::global_id();
  Y[I] += A * X[I];
}

int main() {
  std::vector<float> X(1000, 1.f), Y(1000, 2.f);
  ferry::launch<saxpy>(ferry::over(1000), 2.f, X, Y);
  return Y[999] == 4 ? 0 : 1;
}
