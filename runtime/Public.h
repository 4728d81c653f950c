//===- Public.h - libferry's own include of its interface -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libferry is compiled with hidden symbols; what its public headers declare is
// visible, so that an executable and its shared libraries share one copy.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_PUBLIC_H
#define FERRY_RUNTIME_PUBLIC_H

#pragma GCC visibility push(default)
#include "ferry/markers.h"
#include "ferry/runtime.h"
#pragma GCC visibility pop

#endif // FERRY_RUNTIME_PUBLIC_H
