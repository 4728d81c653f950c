//===- Messages.cpp -------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several threads speak, each with a context of its own, so a message is put
// together first and written in one piece.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <mutex>

using namespace llvm;

namespace ferry {

static void writeLine(StringRef Line) {
  static std::mutex Mutex;
  std::lock_guard Lock(Mutex);
  errs() << (Line + "\n").str();
}

bool Messages::handleDiagnostics(const DiagnosticInfo &Info) {
  bool IsError = Info.getSeverity() == DS_Error;
  if (!IsError && Info.getSeverity() != DS_Warning)
    return true; // remarks and notes
  Any = true;
  Errors |= IsError;
  std::string Text = IsError ? "error: " : "warning: ";
  raw_string_ostream OS(Text);
  // The printer of this kind, which Ferry's stages use, adds LLVM's function
  // name and type.
  if (auto *Located = dyn_cast<DiagnosticInfoUnsupported>(&Info)) {
    if (Located->isLocationAvailable())
      OS << Located->getLocationStr() << ": ";
    OS << Located->getMessage();
  } else {
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
  }
  writeLine(Text);
  return true;
}

Messages &printMessages(LLVMContext &Context) {
  auto Handler = std::make_unique<Messages>();
  Messages &Result = *Handler;
  Context.setDiagnosticHandler(std::move(Handler));
  return Result;
}

void verbose(const Twine &What) {
  static const bool Wanted = std::getenv("FERRY_LD_VERBOSE");
  if (Wanted)
    writeLine(("ferry-ld: " + What).str());
}

} // namespace ferry
