//===- Write.h - A timeline as files ----------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_TRACE_WRITE_H
#define FERRY_TOOLS_FERRY_TRACE_WRITE_H

#include "Totals.h"
#include <ostream>

namespace ferry::trace {

/// What was traced, for headings.
struct Run {
  std::string Command;
  std::string Ended; ///< "exit status 0", "killed by signal 11 (...)"
};

/// Chrome's Trace Event Format, which Perfetto reads too.
void writeJson(std::ostream &Out, const Timeline &T, const Totals &Sum,
               const Run &R);

/// One page with everything in it.
void writePage(std::ostream &Out, const Timeline &T, const Totals &Sum,
               const Run &R);

/// The page shows no more events than this.
constexpr size_t MostEventsOnPage = 300'000;

} // namespace ferry::trace

#endif // FERRY_TOOLS_FERRY_TRACE_WRITE_H
