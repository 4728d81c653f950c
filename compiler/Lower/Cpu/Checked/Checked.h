//===- Checked.h - Kernels that report what they touch ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_CHECKED_H
#define FERRY_COMPILER_LOWER_CPU_CHECKED_H

#include "Records.h"
#include "llvm/IR/DebugLoc.h"
#include <map>

namespace ferry {

/// A second version of all kernels, for FERRY_CHECK on cpu: one global
/// `Symbol.checked` (runtime.h, ferry_checked_kernel) a kernel. Wants the
/// program's debug locations, and has none itself.
std::unique_ptr<llvm::Module> buildChecked(const LaunchPlan &Plan,
                                           const DeviceProgram &Program);

/// Numbers the places that checks can name.
class CheckSites {
public:
  unsigned number(const llvm::DebugLoc &Where);
  /// The array of ferry_check_site.
  llvm::Constant *table(llvm::Module &M) const;

private:
  struct Place {
    std::string File;
    unsigned Line, Column;
    auto operator<=>(const Place &) const = default;
  };
  std::vector<Place> Places;
  std::map<Place, unsigned> Numbers;
};

/// Puts a call of __ferry_check_access before each access to memory that other
/// threads can see, and the end of the thread behind it for when it says so.
void instrumentAccesses(llvm::Module &M, CheckSites &Sites);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_CHECKED_H
