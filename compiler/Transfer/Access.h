//===- Access.h - What kernels do to their arguments ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of ferry/access.h, as the compiler has them. See there for what
// they mean.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_TRANSFER_ACCESS_H
#define FERRY_COMPILER_TRANSFER_ACCESS_H

#include "Records.h"
#include "ferry/access.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {

using Formula = std::vector<ferry_op>;

struct Term {
  unsigned Symbol;
  Formula Stride;
};

struct Sum {
  Formula Base;
  std::vector<Term> Terms;
};

struct Condition {
  Sum Value;
  Formula Bound;
  uint32_t Relation = 0; ///< FERRY_WHEN_*
  uint32_t Width = 0;
  unsigned Turns = 0;
};

struct Access {
  uint32_t Does = 0; ///< FERRY_DOES_*
  uint64_t Bytes = 0;
  Sum Offset;
  std::vector<Condition> Conditions;
};

struct Usage {
  uint64_t Room = 0;
  std::vector<Access> Accesses;
};

/// A symbol of a kernel's formulas.
struct Symbol {
  std::string Name; ///< "global.x", "turn.1"; for the printer
  Formula Count;
};

struct KernelUsage {
  std::vector<Symbol> Symbols;
  std::vector<Usage> Slots;   ///< raw bytes have an empty one
  std::vector<Usage> Globals; ///< parallel to DeviceKernel::Globals
  std::vector<Access> Panics; ///< that threads may end in
};

/// One record a kernel, in the order of the plan. Looks at a copy of the
/// program that it optimises for this alone.
std::vector<KernelUsage> analyseAccess(const LaunchPlan &Plan,
                                       const DeviceProgram &Program);

void print(const LaunchPlan &Plan, const DeviceProgram &Program,
           llvm::ArrayRef<KernelUsage> Usages, llvm::raw_ostream &OS);

} // namespace ferry

#endif // FERRY_COMPILER_TRANSFER_ACCESS_H
