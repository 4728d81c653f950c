//===- Inputs.cpp ---------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classifies by content, never by name: files are mapped, archives are walked
// member by member, and bitcode is told from machine code by its first bytes.
// No bitcode is parsed here. Whether a module launches anything is first asked
// of its raw bytes: a bitcode file keeps its symbol names as plain text in one
// string table, so a module that does not contain the marker's name has no
// launch, and most modules are never loaded but to generate their code.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ferry {

/// The LLVM that wrote a module stands in its identification block:
/// "LLVM22.1.2-rust-1.95.0-stable". A newer major version may use records that
/// this one misreads, so it is refused before anything is read.
static Error checkProducer(MemoryBufferRef Buffer) {
  Expected<std::string> Producer = getBitcodeProducerString(Buffer);
  if (!Producer)
    return Producer.takeError();
  StringRef Rest = *Producer;
  unsigned Major;
  if (!Rest.consume_front("LLVM") || Rest.consumeInteger(10, Major) ||
      Major <= LLVM_VERSION_MAJOR)
    return Error::success();
  return createStringError(
      Twine(Buffer.getBufferIdentifier()) + " was compiled by " + *Producer +
      ", which is newer than Ferry's LLVM " LLVM_VERSION_STRING
      "; use a Rust toolchain whose 'rustc -vV' says LLVM version " +
      Twine(LLVM_VERSION_MAJOR) +
      " or older (rustup toolchain install 1.95), or a Ferry built with LLVM " +
      Twine(Major));
}

static Expected<ObjectInput> classify(MemoryBufferRef Buffer, StringRef Name) {
  ObjectInput Object;
  Object.Buffer = Buffer;
  Object.Name = Name.str();
  Object.IsBitcode = identify_magic(Buffer.getBuffer()) == file_magic::bitcode;
  if (Object.IsBitcode) {
    if (Error E = checkProducer(Buffer))
      return std::move(E);
    StringRef Bytes = Buffer.getBuffer();
    Object.MayLaunch =
        Bytes.contains("__ferry_launch") || Bytes.contains("__enzyme_");
  }
  return Object;
}

static Error readArchive(InputFile &File, StringRef Path) {
  Expected<std::unique_ptr<object::Archive>> Archive =
      object::Archive::create(File.Buffer->getMemBufferRef());
  if (!Archive)
    return createFileError(Path, Archive.takeError());
  File.Archive = std::move(*Archive);
  Error Err = Error::success();
  for (const object::Archive::Child &Child : File.Archive->children(Err)) {
    Expected<MemoryBufferRef> Buffer = Child.getMemoryBufferRef();
    if (!Buffer) {
      consumeError(std::move(Err));
      return createFileError(Path, Buffer.takeError());
    }
    // Metadata for rustc alone.
    StringRef Name = sys::path::filename(Buffer->getBufferIdentifier());
    if (Name == "lib.rmeta")
      continue;
    Expected<ObjectInput> Object = classify(*Buffer, Name);
    if (!Object) {
      consumeError(std::move(Err));
      return createFileError(Path, Object.takeError());
    }
    File.Objects.push_back(std::move(*Object));
  }
  if (Err)
    return createFileError(Path, std::move(Err));
  return Error::success();
}

Expected<std::vector<InputFile>> readInputs(const CommandLine &Line) {
  std::vector<InputFile> Files;
  StringMap<size_t> Known;
  for (size_t Index : Line.Files) {
    const std::string &Path = Line.Args[Index];
    if (auto Found = Known.find(Path); Found != Known.end()) {
      Files[Found->second].ArgIndices.push_back(Index);
      continue;
    }
    // Whatever cannot be opened, the normal linker complains about better.
    if (!sys::fs::is_regular_file(Path))
      continue;
    auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!Buffer)
      continue;
    InputFile File;
    File.ArgIndices.push_back(Index);
    File.Buffer = std::move(*Buffer);
    switch (identify_magic(File.Buffer->getBuffer())) {
    case file_magic::archive:
      if (Error E = readArchive(File, Path))
        return std::move(E);
      break;
    case file_magic::bitcode:
    case file_magic::elf_relocatable: {
      Expected<ObjectInput> Object =
          classify(File.Buffer->getMemBufferRef(), sys::path::filename(Path));
      if (!Object)
        return Object.takeError();
      File.Objects.push_back(std::move(*Object));
      break;
    }
    default:
      continue;
    }
    Known[Path] = Files.size();
    Files.push_back(std::move(File));
  }
  return Files;
}

} // namespace ferry
