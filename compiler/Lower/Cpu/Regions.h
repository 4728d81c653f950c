//===- Regions.h - A kernel cut at its barriers -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_REGIONS_H
#define FERRY_COMPILER_LOWER_CPU_REGIONS_H

#include "Records.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"

namespace ferry {

/// Room for what a thread keeps while others run. Region code names it with
///   call ptr @ferry.context(i32 slot)
struct ContextSlot {
  uint64_t Bytes = 0;
  llvm::Align Alignment;
  /// All threads keep the same value: one place is enough. Reads see what
  /// the region before left; writes go to `call ptr @ferry.context.out(slot)`.
  bool Shared = false;
};

/// Names of the functions that region code calls for the address of a slot.
inline constexpr llvm::StringLiteral ContextName = "ferry.context";
inline constexpr llvm::StringLiteral ContextOutName = "ferry.context.out";

/// What a thread runs from one collective to the next.
struct Region {
  /// `i32 Code(the kernel's parameters)`: returns the number of the region that
  /// the thread goes on with after the collective before that region, and 0
  /// when the thread is done.
  llvm::Function *Code = nullptr;
  llvm::SmallVector<unsigned> Next; ///< what it can return

  // The collective before this region; none before region 0.
  Collective After = Collective::SyncThreads;
  llvm::DebugLoc Where;
  /// Of a warp operation: slots for its operands and its result.
  unsigned Operand = 0, Lane = 0, Result = 0;
};

struct CutKernel {
  std::vector<Region> Regions;
  std::vector<ContextSlot> Slots;
  /// All threads of a block come to the same collectives in the same order,
  /// apart from those that panic.
  bool InStep = true;
};

/// Cuts `Thread` at its collectives and removes it. Unless `MayKeepStep`, the
/// result is not InStep and no slot is shared.
CutKernel cutAtCollectives(llvm::Function &Thread, bool MayKeepStep = true);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_REGIONS_H
