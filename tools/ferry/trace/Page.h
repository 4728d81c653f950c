//===- Page.h - The page that shows a trace ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_TRACE_PAGE_H
#define FERRY_TOOLS_FERRY_TRACE_PAGE_H

namespace ferry::trace {

/// Page.html. The data belongs where /*TRACE*/ stands.
extern const char *const PageTemplate;

} // namespace ferry::trace

#endif // FERRY_TOOLS_FERRY_TRACE_PAGE_H
