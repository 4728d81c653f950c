//===- Nvptx.cpp - Images for NVIDIA GPUs ---------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libomptarget takes cubins, which only NVIDIA's ptxas makes, and bitcode,
// which it compiles itself at run time (with the ptxas of that machine). It
// does not take PTX. So: PTX through ptxas where there is one, else bitcode.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Tools.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace ferry {

/// ptxas as the user, PATH or the CUDA toolkit's usual places name it; none is
/// no error, and FERRY_PTXAS=none asks for that. FERRY_PTXAS that names no
/// program is one.
static Expected<std::optional<std::string>> findPtxas() {
  if (std::optional<std::string> Wish = sys::Process::GetEnv("FERRY_PTXAS");
      Wish && !Wish->empty()) {
    if (*Wish == "none")
      return std::nullopt;
    ErrorOr<std::string> Program = sys::findProgramByName(*Wish);
    if (!Program || !sys::fs::can_execute(*Program))
      return createStringError("FERRY_PTXAS names '" + *Wish +
                               "', which is no program");
    return *Program;
  }
  if (ErrorOr<std::string> Program = sys::findProgramByName("ptxas"))
    return *Program;
  std::string Home = sys::Process::GetEnv("CUDA_HOME").value_or("");
  for (StringRef Toolkit : {StringRef(Home), StringRef("/usr/local/cuda")}) {
    if (Toolkit.empty())
      continue;
    SmallString<128> Bin(Toolkit);
    sys::path::append(Bin, "bin");
    if (ErrorOr<std::string> Program =
            sys::findProgramByName("ptxas", {Bin.str()}))
      return *Program;
  }
  return std::nullopt;
}

Expected<SmallVector<char, 0>> emitNvptx(Module &M, const Target &T) {
  Expected<std::optional<std::string>> Ptxas = findPtxas();
  if (!Ptxas)
    return Ptxas.takeError();
  if (!*Ptxas) {
    SmallVector<char, 0> Bitcode;
    raw_svector_ostream Stream(Bitcode);
    WriteBitcodeToFile(M, Stream);
    return Bitcode;
  }

  Expected<SmallVector<char, 0>> Assembly =
      generateCode(M, T, CodeGenFileType::AssemblyFile);
  if (!Assembly)
    return Assembly.takeError();
  Expected<ScratchFile> In = ScratchFile::create("ptx");
  if (!In)
    return In.takeError();
  Expected<ScratchFile> Out = ScratchFile::create("cubin");
  if (!Out)
    return Out.takeError();
  if (Error E = In->write(StringRef(Assembly->data(), Assembly->size())))
    return E;
  if (Error E = runTool(**Ptxas, {"-m64", "-O3", "--gpu-name", T.Arch,
                                  "--output-file", Out->path(), In->path()}))
    return E;
  return Out->read();
}

} // namespace ferry
