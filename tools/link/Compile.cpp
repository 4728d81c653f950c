//===- Compile.cpp --------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rustc splits a crate into up to sixteen modules and, from -O2 on, inlines
// between these by "thin-local" LTO. With -Clinker-plugin-lto it leaves that to
// the linker, so it happens here, with LLVM's own ThinLTO, crate by crate: a
// crate is an archive, or what is linked as plain objects. Crates do not see
// each other, as in rustc's own builds, so a changed crate does not touch the
// objects of others.
//
// ThinLTO is told nothing that only a linker knows: every symbol may be used
// from outside, and which of two weak definitions wins is left open as far as
// it can be.
//
// A single module, and any module below -O2, is compiled by itself. Modules
// that go with launches become a single one first: memory that may stay on a
// device has to be followed through all functions that get it (Residency/). All
// ways look into the cache first, by the bytes of all modules that matter, and
// do not parse anything when the object is there.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "Messages.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/LTO/LTO.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Caching.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>

using namespace llvm;

namespace ferry {

std::vector<Group> makeGroups(std::vector<InputFile> &Files,
                              unsigned OptLevel) {
  std::vector<Group> Groups;
  Group Plain;
  for (InputFile &File : Files) {
    Group Members;
    for (ObjectInput &Object : File.Objects) {
      if (!Object.IsBitcode || Object.Merged)
        continue;
      if (OptLevel < 2)
        Groups.push_back({&Object});
      else
        (File.Archive ? Members : Plain).push_back(&Object);
    }
    if (!Members.empty())
      Groups.push_back(std::move(Members));
  }
  Groups.push_back(std::move(Plain));
  return Groups;
}

static Error compileAlone(ObjectInput &Object, const CodeGenOptions &Options,
                          const Cache &Objects) {
  Object.Native = Objects.path(
      {"module", Options.describe(), Object.Buffer.getBuffer()}, ".o");
  if (Cache::has(Object.Native)) {
    verbose("reused " + Object.Name);
    return Error::success();
  }
  LLVMContext Context;
  Messages &Said = printMessages(Context);
  auto M = parseBitcodeFile(Object.Buffer, Context);
  if (!M)
    return createFileError(Object.Name, M.takeError());
  auto Native = generateObject(**M, Options);
  if (!Native)
    return createFileError(Object.Name, Native.takeError());
  if (Said.Errors)
    return createStringError("cannot generate code for " + Object.Name);
  verbose("compiled " + Object.Name);
  return Cache::store(Object.Native, StringRef(Native->data(), Native->size()));
}

Error prepareRaw(ObjectInput &Object, const CodeGenOptions &Options,
                 const Cache &Objects) {
  std::string Path = Objects.path(
      {"prepared", Options.describe(), Object.Buffer.getBuffer()}, ".bc");
  if (!Cache::has(Path)) {
    LLVMContext Context;
    printMessages(Context);
    auto M = parseBitcodeFile(Object.Buffer, Context);
    if (!M)
      return createFileError(Object.Name, M.takeError());
    auto Bytes = prepareForLink(**M, Options);
    if (!Bytes)
      return createFileError(Object.Name, Bytes.takeError());
    if (Error E = Cache::store(Path, StringRef(Bytes->data(), Bytes->size())))
      return E;
  }
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  Object.Prepared = std::move(*Buffer);
  Object.Buffer = MemoryBufferRef(Object.Prepared->getBuffer(),
                                  Object.Buffer.getBufferIdentifier());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// ThinLTO
//===----------------------------------------------------------------------===//

static lto::Config thinConfig(const CodeGenOptions &Options,
                              std::atomic<bool> &Failed) {
  lto::Config Config;
  Config.CPU = Options.Cpu;
  Config.Options = targetOptions();
  Config.RelocModel = std::nullopt; // as the module says
  Config.OptLevel = Options.OptLevel;
  Config.CGOptLevel = codeGenLevel(Options.OptLevel);
  Config.PTO = tuningOptions(Options.OptLevel);
  Config.DisableVerify = true;
  // LLVM makes a context a module and hands their messages on.
  Config.DiagHandler = [&Failed](const DiagnosticInfo &Info) {
    Messages Printer;
    Printer.handleDiagnostics(Info);
    if (Printer.Errors)
      Failed = true;
  };
  // Once for the module, and once for what has been imported into it.
  if (Options.StripDebugInfo)
    Config.PreOptModuleHook =
        Config.PostImportModuleHook = [](unsigned, const Module &M) {
          return StripDebugInfo(const_cast<Module &>(M)), true;
        };
  return Config;
}

/// The first definition of each symbol in the group is the one that stays.
static std::vector<lto::SymbolResolution> resolve(const lto::InputFile &Input,
                                                  StringSet<> &Defined) {
  std::vector<lto::SymbolResolution> Resolutions;
  for (const lto::InputFile::Symbol &Symbol : Input.symbols()) {
    lto::SymbolResolution &R = Resolutions.emplace_back();
    R.VisibleToRegularObj = true;
    R.ExportDynamic = true;
    R.Prevailing =
        !Symbol.isUndefined() && Defined.insert(Symbol.getName()).second;
  }
  return Resolutions;
}

static bool isThin(const lto::InputFile &Input) {
  Expected<BitcodeLTOInfo> Info =
      const_cast<lto::InputFile &>(Input).getSingleBitcodeModule().getLTOInfo();
  if (!Info) {
    consumeError(Info.takeError());
    return false; // compiled alone, which reports the damage
  }
  return Info->IsThinLTO;
}

/// Compiles the thin ones of `Modules` together. ThinLTO's own cache, in the
/// same directory, saves the modules that a change in another leaves alone.
static Error compileThin(const Group &Modules, const CodeGenOptions &Options,
                         const Cache &Objects) {
  std::atomic<bool> Failed = false;
  lto::LTO Lto(
      thinConfig(Options, Failed),
      lto::createInProcessThinBackend(heavyweight_hardware_concurrency()));
  std::vector<std::string> Identifiers(Modules.size());
  Group Thin;
  StringSet<> Defined;
  for (auto [I, Object] : enumerate(Modules)) {
    Identifiers[I] = (Twine(I) + ":" + Object->Name).str();
    auto Input = lto::InputFile::create(
        MemoryBufferRef(Object->Buffer.getBuffer(), Identifiers[I]));
    if (!Input)
      return createFileError(Object->Name, Input.takeError());
    if (!isThin(**Input)) {
      if (Error E = compileAlone(*Object, Options, Objects))
        return E;
      continue;
    }
    auto Resolutions = resolve(**Input, Defined);
    if (Error E = Lto.add(std::move(*Input), Resolutions))
      return createFileError(Object->Name, std::move(E));
    Thin.push_back(Object);
  }

  // Task 0 is the module of regular LTO, which stays empty; then come the thin
  // modules in the order in which they were added.
  constexpr unsigned FirstThinTask = 1;
  auto Deliver = [&](unsigned Task, const Twine &,
                     std::unique_ptr<MemoryBuffer> Native) {
    Thin[Task - FirstThinTask]->Native = Native->getBufferIdentifier().str();
  };
  Expected<FileCache> Files =
      localCache("ferry-ld", "ferry-ld", Objects.directory(), Deliver);
  if (!Files)
    return Files.takeError();
  // LLVM's key knows nothing of our options; ours has all of them.
  FileCache Salted(
      [&](unsigned Task, StringRef Key, const Twine &Name) {
        std::string Own = Objects.key({"thin", Options.describe(), Key});
        Expected<AddStreamFn> Add = (*Files)(Task, Own, Name);
        if (Add)
          verbose((*Add ? "compiled " : "reused ") +
                  Thin[Task - FirstThinTask]->Name);
        return Add;
      },
      Objects.directory().str());
  // For modules that are not cached, such as the empty one of regular LTO.
  std::vector<SmallString<0>> Uncached(Lto.getMaxTasks());
  auto AddStream = [&](unsigned Task, const Twine &) {
    return std::make_unique<CachedFileStream>(
        std::make_unique<raw_svector_ostream>(Uncached[Task]));
  };
  if (Error E = Lto.run(AddStream, Salted))
    return E;
  if (Failed)
    return createStringError("cannot generate code for " + Thin.front()->Name +
                             " and its crate");
  for (auto [I, Object] : enumerate(Thin)) {
    StringRef Native = Uncached[I + FirstThinTask];
    if (Native.empty())
      continue;
    verbose("compiled " + Object->Name);
    Object->Native = Objects.path({"thin object", Native}, ".o");
    if (Error E = Cache::store(Object->Native, Native))
      return E;
  }
  return Error::success();
}

static std::vector<StringRef> keyOf(StringRef Kind, const Group &Modules,
                                    StringRef Described) {
  std::vector<StringRef> Key{Kind, Described};
  for (const ObjectInput *Object : Modules)
    Key.push_back(Object->Buffer.getBuffer());
  return Key;
}

Error compileAsOne(const Group &Modules, const CodeGenOptions &Options,
                   const Cache &Objects) {
  ObjectInput &First = *Modules.front();
  First.Native = Objects.path(keyOf("one", Modules, Options.describe()), ".o");
  for (ObjectInput *Object : drop_begin(Modules))
    Object->Merged = true;
  if (Cache::has(First.Native)) {
    verbose("reused " + First.Name + " and its crate");
    return Error::success();
  }
  LLVMContext Context;
  Messages &Said = printMessages(Context);
  std::unique_ptr<Module> One;
  for (const ObjectInput *Object : Modules) {
    auto M = parseBitcodeFile(Object->Buffer, Context);
    if (!M)
      return createFileError(Object->Name, M.takeError());
    if (!One)
      One = std::move(*M);
    else if (Linker::linkModules(*One, std::move(*M)))
      return createStringError("cannot merge " + Object->Name);
  }
  auto Native = generateObject(*One, Options);
  if (!Native)
    return createFileError(First.Name, Native.takeError());
  if (Said.Errors)
    return createStringError("cannot generate code for " + First.Name +
                             " and its crate");
  verbose("compiled " + First.Name + " and its crate");
  return Cache::store(First.Native, StringRef(Native->data(), Native->size()));
}

/// A list of the group's objects, one path a line, stands for all of them.
static bool readList(StringRef Path, const Group &Modules) {
  if (!Cache::has(Path))
    return false;
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return false;
  SmallVector<StringRef, 16> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  if (Lines.size() != Modules.size() || !all_of(Lines, Cache::has))
    return false;
  for (auto [Object, Line] : zip_equal(Modules, Lines)) {
    Object->Native = Line.str();
    verbose("reused " + Object->Name);
  }
  return true;
}

Error compileGroup(const Group &Modules, const CodeGenOptions &Options,
                   const Cache &Objects) {
  if (Modules.empty())
    return Error::success();
  if (Modules.size() == 1)
    return compileAlone(*Modules.front(), Options, Objects);
  std::string List =
      Objects.path(keyOf("group", Modules, Options.describe()), ".list");
  if (readList(List, Modules))
    return Error::success();
  if (Error E = compileThin(Modules, Options, Objects))
    return E;
  std::string Lines;
  for (const ObjectInput *Object : Modules)
    Lines += Object->Native + "\n";
  return Cache::store(List, Lines);
}

} // namespace ferry
