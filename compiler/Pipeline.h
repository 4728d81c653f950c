//===- Pipeline.h - From a host module to a host module with images -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_PIPELINE_H
#define FERRY_COMPILER_PIPELINE_H

#include "Target.h"
#include "llvm/IR/Module.h"
#include <vector>

namespace ferry {

struct PipelineOptions {
  std::vector<Target> Targets;
  /// The user asked for no debug info: what is there serves our own messages
  /// and is stripped at the end.
  bool StripDebugInfo = false;
  /// All code of the program is in the module: a missing body is missing for
  /// good, and the advice to the user is another one.
  bool WholeProgram = false;

  /// FERRY_TARGETS (default "native") and FERRY_STRIP_DEBUG, set by ferry-c++
  /// and cargo ferry.
  static llvm::Expected<PipelineOptions> fromEnvironment();
};

enum class PipelineResult { Unchanged, Changed, Failed };

/// Does all of Ferry's work on `M`. On Failed, located errors have gone to the
/// context's diagnostic handler. A module without launches is left as it is,
/// but for StripDebugInfo.
PipelineResult runPipeline(llvm::Module &M, const PipelineOptions &Options);

} // namespace ferry

#endif // FERRY_COMPILER_PIPELINE_H
