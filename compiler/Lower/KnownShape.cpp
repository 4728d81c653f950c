//===- KnownShape.cpp - What launches say about a kernel's shape --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel belongs to the launches of one module. Where they all give the same
// constant for a side of the grid or of the block, code for the kernel may use
// it: thread loops have constant trip counts then, and GPUs can give a thread
// more registers.
//
//===----------------------------------------------------------------------===//

#include "Lower/KnownShape.h"
#include "ferry/runtime.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace ferry {

KnownShape knownShape(const LaunchPlan &Plan, unsigned KernelIndex) {
  KnownShape Known;
  bool First = true;
  auto Meet = [&](std::optional<uint64_t> &Sofar, const Value *V) {
    auto *Constant = dyn_cast_or_null<ConstantInt>(V);
    if (!Constant || (!First && Sofar != Constant->getZExtValue()))
      Sofar.reset();
    else
      Sofar = Constant->getZExtValue();
  };
  for (const Launch &L : Plan.Launches) {
    if (L.KernelIndex != KernelIndex)
      continue;
    for (unsigned D = 0; D != 3; ++D) {
      Meet(Known.Extent[D], L.Extent[D]);
      Meet(Known.Block[D], L.Block[D]);
    }
    First = false;
  }
  // Launches of an empty shape, or of one that is too large, never start.
  for (unsigned D = 0; D != 3; ++D) {
    if (Known.Extent[D] && (!*Known.Extent[D] || *Known.Extent[D] > MaxExtent))
      Known.Extent[D].reset();
    if (Known.Block[D] && (!*Known.Block[D] || *Known.Block[D] > 1024))
      Known.Block[D].reset();
  }
  if (Plan.Kernels[KernelIndex].LaunchShape != Shape::Over)
    return Known;
  // Ferry chooses the block. An extent that is not known is tried both ways.
  uint64_t Extent[3], Other[3];
  uint32_t Block[3], OtherBlock[3];
  for (unsigned D = 0; D != 3; ++D) {
    Extent[D] = Known.Extent[D].value_or(1);
    Other[D] = Known.Extent[D].value_or(2);
  }
  ferry_over_block(Extent, Block);
  ferry_over_block(Other, OtherBlock);
  for (unsigned D = 0; D != 3; ++D) {
    Known.Block[D].reset();
    if (Block[D] == OtherBlock[D])
      Known.Block[D] = Block[D];
  }
  return Known;
}

} // namespace ferry
