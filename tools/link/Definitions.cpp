//===- Definitions.cpp ----------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels reach a handful of functions in other modules, in a link of perhaps
// hundreds. No index over all symbols is made: a module is a candidate when its
// raw bytes contain the (long, mangled) name, and only candidates are read,
// lazily, function by function.
//
// Rust's standard library comes as machine code, but its objects carry their
// bitcode in a section .llvmbc. Archives name their symbols in an index, which
// leads to the member. Only mangled Rust names are looked up there: C names
// (memcpy, fmodf, __udivti3) belong to each device's own library.
//
//===----------------------------------------------------------------------===//

#include "Definitions.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;

namespace ferry {

Expected<LazySource *> Definitions::load(MemoryBufferRef Buffer,
                                         ObjectInput *Input) {
  auto [It, New] = Sources.try_emplace(Buffer.getBufferStart());
  if (New) {
    // Not as LLVM's importer does it, which loads metadata piece by piece:
    // that corrupts it where types of several modules refer to each other.
    Expected<std::unique_ptr<Module>> M =
        getLazyBitcodeModule(Buffer, Context, /*ShouldLazyLoadMetadata=*/true,
                             /*IsImporting=*/false);
    if (!M) {
      Sources.erase(It);
      return createFileError(Buffer.getBufferIdentifier(), M.takeError());
    }
    It->second = {std::move(*M), Input};
  }
  return &It->second;
}

static GlobalValue *definitionIn(Module &M, StringRef Name) {
  GlobalValue *Value = M.getNamedValue(Name);
  return Value && !Value->hasLocalLinkage() && !Value->isDeclarationForLinker()
             ? Value
             : nullptr;
}

Expected<Definitions::Found> Definitions::findInBitcode(StringRef Name) {
  for (InputFile &File : Files)
    for (ObjectInput &Object : File.Objects) {
      if (!Object.IsBitcode || Object.Merged ||
          !Object.Buffer.getBuffer().contains(Name))
        continue;
      Expected<LazySource *> Source = load(Object.Buffer, &Object);
      if (!Source)
        return Source.takeError();
      if (GlobalValue *Value = definitionIn(*(*Source)->M, Name))
        return Found{*Source, Value};
    }
  return Found();
}

/// The section .llvmbc of an object; empty: it has none. (LLVM's own
/// findBitcodeInObject looks for fat LTO's .llvm.lto in ELF files.)
static Expected<MemoryBufferRef> embeddedBitcode(MemoryBufferRef Buffer) {
  auto Object = object::ObjectFile::createObjectFile(Buffer);
  if (!Object)
    return Object.takeError();
  for (const object::SectionRef &Section : (*Object)->sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != ".llvmbc")
      continue;
    Expected<StringRef> Contents = Section.getContents();
    if (!Contents)
      return Contents.takeError();
    return MemoryBufferRef(*Contents, Buffer.getBufferIdentifier());
  }
  return MemoryBufferRef();
}

Expected<Definitions::Found> Definitions::findInNative(StringRef Name) {
  for (InputFile &File : Files) {
    if (!File.Archive)
      continue;
    auto Child = File.Archive->findSym(Name);
    if (!Child)
      return Child.takeError();
    if (!*Child)
      continue;
    auto Buffer = (*Child)->getMemoryBufferRef();
    if (!Buffer)
      return Buffer.takeError();
    Expected<MemoryBufferRef> Bitcode = embeddedBitcode(*Buffer);
    if (!Bitcode)
      return createFileError(Buffer->getBufferIdentifier(),
                             Bitcode.takeError());
    // Machine code without its bitcode: the pipeline reports the call.
    if (!Bitcode->getBufferSize())
      continue;
    Expected<LazySource *> Source = load(*Bitcode, nullptr);
    if (!Source)
      return Source.takeError();
    if (GlobalValue *Value = definitionIn(*(*Source)->M, Name))
      return Found{*Source, Value};
  }
  return Found();
}

Expected<Definitions::Found> Definitions::find(StringRef Name, Among Which) {
  Expected<Found> Result = findInBitcode(Name);
  if (!Result || Result->Source || Which == Among::Bitcode)
    return Result;
  if (Name.starts_with("_ZN") || Name.starts_with("_R"))
    return findInNative(Name);
  return Found();
}

} // namespace ferry
