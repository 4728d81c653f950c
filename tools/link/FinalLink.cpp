//===- FinalLink.cpp ------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments keep their order and their meaning. An object is replaced by an
// object and an archive by an archive, so that the linker still takes from it
// only the members that something asks for. The object with the launches stands
// where the first input that went into it stood, or before all archives if all
// of these were archive members.
//
//===----------------------------------------------------------------------===//

#include "FinalLink.h"
#include "Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

/// An archive of native objects in place of `File`.
static Expected<std::string> nativeArchive(const InputFile &File,
                                           const Cache &Objects) {
  // Names of cached objects are hashes of their contents already.
  std::vector<StringRef> Key{"archive"};
  for (const ObjectInput &Object : File.Objects)
    if (!Object.Merged) {
      Key.push_back(Object.Name);
      Key.push_back(Object.IsBitcode ? StringRef(Object.Native)
                                     : Object.Buffer.getBuffer());
    }
  std::string Path = Objects.path(Key, ".a");
  if (Cache::has(Path))
    return Path;

  std::vector<NewArchiveMember> Members;
  for (const ObjectInput &Object : File.Objects) {
    if (Object.Merged)
      continue;
    if (!Object.IsBitcode) {
      Members.emplace_back(Object.Buffer);
    } else {
      auto Member = NewArchiveMember::getFile(Object.Native, true);
      if (!Member)
        return Member.takeError();
      Members.push_back(std::move(*Member));
    }
    Members.back().MemberName = Object.Name;
  }
  auto Buffer = writeArchiveToBuffer(Members, SymtabWritingMode::NormalSymtab,
                                     object::Archive::K_GNU,
                                     /*Deterministic=*/true, /*Thin=*/false);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = Cache::store(Path, (*Buffer)->getBuffer()))
    return std::move(E);
  return Path;
}

static bool mentionsFerry(StringRef Bytes) { return Bytes.contains("ferry_"); }

/// Whether a static library that "-lname" finds in the directories of "-L"
/// does; say, one that ferry-c++ compiled for a Rust program.
static bool librariesMentionFerry(const CommandLine &Line) {
  std::vector<StringRef> Directories, Names;
  StringRef Pending;
  for (StringRef Arg : Line.Args) {
    if (Pending.empty() && (Arg == "-L" || Arg == "-l")) {
      Pending = Arg;
      continue;
    }
    StringRef Option = Pending.empty() ? Arg.take_front(2) : Pending;
    StringRef Value = Pending.empty() ? Arg.drop_front(Option.size()) : Arg;
    Pending = "";
    if (Option == "-L")
      Directories.push_back(Value);
    else if (Option == "-l")
      Names.push_back(Value);
  }
  for (StringRef Name : Names)
    for (StringRef Directory : Directories) {
      SmallString<256> Path(Directory);
      sys::path::append(Path, "lib" + Name + ".a");
      if (auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false))
        if (mentionsFerry((*Buffer)->getBuffer()))
          return true;
    }
  return false;
}

/// Any mention counts: libferry is an archive, so one that is not needed after
/// all leaves no trace. Rust's own libraries, of which nothing is bitcode, are
/// not looked through.
static bool needsLibferry(const CommandLine &Line,
                          const std::vector<InputFile> &Files) {
  for (const InputFile &File : Files)
    if (!File.Archive || File.hasBitcode())
      for (const ObjectInput &Object : File.Objects)
        if (mentionsFerry(Object.Buffer.getBuffer()))
          return true;
  return librariesMentionFerry(Line);
}

static Expected<std::string> findLibferry() {
  static int Anchor;
  std::string Own = sys::fs::getMainExecutable("ferry-ld", &Anchor);
  StringRef Prefix = sys::path::parent_path(sys::path::parent_path(Own));
  SmallString<256> Path;
  for (StringRef Directory : {"lib", FERRY_INSTALL_LIBDIR}) {
    Path = Prefix;
    sys::path::append(Path, Directory, "libferry.a");
    if (sys::fs::exists(Path))
      return Path.str().str();
  }
  return createStringError("libferry.a is not in " + Prefix +
                           "/lib; install Ferry again");
}

Expected<std::vector<std::string>>
finalArguments(const CommandLine &Line, const std::vector<InputFile> &Files,
               const std::string &MergedObject, const Cache &Objects) {
  std::vector<std::string> Args = Line.Args;
  std::vector<bool> Dropped(Args.size());
  size_t MergedAt = Args.size();
  for (const InputFile &File : Files) {
    if (any_of(File.Objects, [](auto &Object) { return Object.Merged; }))
      MergedAt = std::min(MergedAt, File.ArgIndices.front());
    if (!File.hasBitcode())
      continue;
    std::string Native = File.Objects.front().Native;
    if (File.Archive) {
      Expected<std::string> Archive = nativeArchive(File, Objects);
      if (!Archive)
        return createFileError(Args[File.ArgIndices.front()],
                               Archive.takeError());
      Native = std::move(*Archive);
    }
    for (size_t Index : File.ArgIndices) {
      Args[Index] = Native;
      Dropped[Index] = !File.Archive && File.Objects.front().Merged;
    }
  }

  std::vector<std::string> Result;
  for (auto [I, Arg] : enumerate(Args)) {
    if (I == MergedAt)
      Result.push_back(MergedObject);
    if (!Dropped[I])
      Result.push_back(std::move(Arg));
  }
  if (!MergedObject.empty() || needsLibferry(Line, Files)) {
    Expected<std::string> Libferry = findLibferry();
    if (!Libferry)
      return Libferry.takeError();
    Result.push_back(std::move(*Libferry));
    // rustc passes -nodefaultlibs, and GNU's linker looks only for what is
    // missing so far: what libferry needs must come after it. rustc also ends
    // with -Bdynamic, in static programs too, where that would bring a second
    // libc.
    if (is_contained(Line.Args, "-static") ||
        is_contained(Line.Args, "-static-pie"))
      Result.push_back("-Wl,-Bstatic");
    for (const char *Library : {"-ldl", "-lpthread", "-lm", "-lc"})
      Result.push_back(Library);
  }
  return Result;
}

/// "@file" with all arguments, for command lines that the system refuses.
static Expected<std::string> writeResponseFile(ArrayRef<std::string> Args) {
  SmallString<128> Path;
  int FD;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("ferry-ld", "rsp", FD, Path))
    return createFileError("a response file", EC);
  raw_fd_ostream OS(FD, /*shouldClose=*/true);
  for (const std::string &Arg : Args) {
    OS << '"';
    for (char C : Arg)
      OS << (C == '"' || C == '\\' ? "\\" : "") << C;
    OS << "\"\n";
  }
  return Path.str().str();
}

Expected<int> runLinker(ArrayRef<std::string> Args) {
  const char *Chosen = std::getenv("FERRY_LD_REAL");
  StringRef Name = Chosen && *Chosen ? Chosen : "cc";
  ErrorOr<std::string> Program = sys::findProgramByName(Name);
  if (!Program || !sys::fs::can_execute(*Program))
    return createStringError("cannot find the linker '" + Name +
                             "'; install a C compiler (apt install gcc) or set "
                             "FERRY_LD_REAL to one");
  std::vector<StringRef> Command{*Program};
  Command.insert(Command.end(), Args.begin(), Args.end());
  verbose(join(Command, " "));

  std::string ResponseFile;
  std::string Response;
  if (!sys::commandLineFitsWithinSystemLimits(*Program, Command)) {
    Expected<std::string> Written = writeResponseFile(Args);
    if (!Written)
      return Written.takeError();
    ResponseFile = std::move(*Written);
    Response = "@" + ResponseFile;
    Command = {*Program, Response};
  }
  FileRemover Remover(ResponseFile, !ResponseFile.empty());
  std::string Message;
  int Code =
      sys::ExecuteAndWait(*Program, Command, std::nullopt, {}, 0, 0, &Message);
  if (Code < 0)
    return createStringError("cannot run " + *Program + ": " + Message);
  return Code;
}

} // namespace ferry
