//===- Tools.cpp - Temporary files and the programs that Emit runs --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

Expected<ScratchFile> ScratchFile::create(StringRef Suffix) {
  SmallString<128> Path;
  if (std::error_code Code =
          sys::fs::createTemporaryFile("ferry", Suffix, Path))
    return createStringError(Code, "cannot create a temporary file: " +
                                       Code.message());
  sys::RemoveFileOnSignal(Path);
  return ScratchFile(Path);
}

ScratchFile::ScratchFile(ScratchFile &&Other) : Path(std::move(Other.Path)) {
  Other.Path.clear();
}

ScratchFile::~ScratchFile() {
  if (Path.empty())
    return;
  // A file that is gone already needs no removing.
  (void)sys::fs::remove(Path);
  sys::DontRemoveFileOnSignal(Path);
}

Error ScratchFile::write(StringRef Bytes) const {
  std::error_code Code;
  raw_fd_ostream Stream(Path, Code);
  if (!Code) {
    Stream << Bytes;
    Stream.close();
    Code = Stream.error();
    Stream.clear_error();
  }
  if (Code)
    return createStringError(Code,
                             "cannot write " + Path + ": " + Code.message());
  return Error::success();
}

Expected<SmallVector<char, 0>> ScratchFile::read() const {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError(Buffer.getError(),
                             "cannot read " + Path + ": " +
                                 Buffer.getError().message());
  StringRef Bytes = (*Buffer)->getBuffer();
  return SmallVector<char, 0>(Bytes.begin(), Bytes.end());
}

Error runTool(StringRef Program, ArrayRef<StringRef> Arguments) {
  Expected<ScratchFile> Messages = ScratchFile::create("err");
  if (!Messages)
    return Messages.takeError();
  SmallVector<StringRef, 16> Command = {Program};
  append_range(Command, Arguments);
  std::string Reason;
  int Status = sys::ExecuteAndWait(Program, Command, std::nullopt,
                                   {StringRef(), StringRef(), Messages->path()},
                                   0, 0, &Reason);
  if (Status == 0)
    return Error::success();

  Expected<SmallVector<char, 0>> Text = Messages->read();
  if (!Text)
    return Text.takeError();
  StringRef Said = StringRef(Text->data(), Text->size()).trim();
  if (Said.empty())
    Said = Reason;
  return createStringError(sys::path::filename(Program) + " failed (status " +
                           Twine(Status) + ")" + (Said.empty() ? "" : ":\n") +
                           Said);
}

Expected<std::string> findLld() {
  ErrorOr<std::string> Program =
      sys::findProgramByName("ld.lld", {FERRY_LLVM_BINDIR});
  for (StringRef Name : {"ld.lld-22", "ld.lld"})
    if (!Program)
      Program = sys::findProgramByName(Name);
  if (!Program)
    return createStringError("LLVM's linker ld.lld was found neither in " +
                             Twine(FERRY_LLVM_BINDIR) +
                             " nor in PATH (Debian's package lld-22)");
  return *Program;
}

} // namespace ferry
