//===- Reverse.cpp - Gradients --------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Engine.h"
#include "Autodiff/Refusal.h"

namespace ferry::ad {

llvm::Function *Engine::reverse(const Signature &S, bool ActiveReturn) {
  refuse(S.F->getEntryBlock().front(), "reverse mode is not supported yet",
         "use __enzyme_fwddiff");
  return nullptr;
}

} // namespace ferry::ad
