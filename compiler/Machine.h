//===- Machine.h - LLVM's code generators for our targets -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_MACHINE_H
#define FERRY_COMPILER_MACHINE_H

#include "Target.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace ferry {

/// The code generator for `T`. `Host` gives Cpu and Virtual their triple; a GPU
/// has one of its own.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Target &T, const llvm::Module &Host);

/// While it lives, what LLVM reports about modules of `Context` comes here
/// instead of to the host compiler, which would take it for its own module's.
class ReportCollector {
public:
  explicit ReportCollector(llvm::LLVMContext &Context);
  ReportCollector(const ReportCollector &) = delete;
  ReportCollector &operator=(const ReportCollector &) = delete;
  ~ReportCollector();

  /// The errors reported up to now, as one; warnings and remarks are dropped.
  llvm::Error takeError();

private:
  llvm::LLVMContext &Context;
  std::unique_ptr<llvm::DiagnosticHandler> Outer;
  std::string Errors;
};

/// LLVM's own list says that the GPU `Arch` exists.
bool isKnownGpu(TargetKind Kind, llvm::StringRef Arch);

} // namespace ferry

#endif // FERRY_COMPILER_MACHINE_H
