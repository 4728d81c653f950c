//===- Cache.cpp ----------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A key is the hash of everything that a result depends on: the input's bytes,
// the options, and the build of ferry-ld and of LLVM that is running. So
// nothing is ever out of date, and files only need removing to save room.
// LLVM's pruneCache does that; it touches no file without its "llvmcache-"
// prefix.
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

/// The profile directory (target/release), known by cargo's .fingerprint.
static std::string cargoProfileDirectory(StringRef Output) {
  SmallString<256> Directory(Output);
  if (sys::fs::make_absolute(Directory))
    return ""; // the working directory is gone: no cache
  for (unsigned I = 0; I != 4 && sys::path::has_parent_path(Directory); ++I) {
    sys::path::remove_filename(Directory);
    SmallString<256> Mark(Directory);
    sys::path::append(Mark, ".fingerprint");
    if (sys::fs::is_directory(Mark))
      return Directory.str().str();
  }
  return "";
}

Expected<Cache> Cache::open(StringRef Output) {
  SmallString<256> Directory;
  bool Temporary = false;
  if (const char *Chosen = std::getenv("FERRY_CACHE_DIR"); Chosen && *Chosen)
    Directory = Chosen;
  else if (std::string Profile = cargoProfileDirectory(Output);
           !Profile.empty()) {
    Directory = Profile;
    sys::path::append(Directory, ".ferry-cache");
  } else {
    if (std::error_code EC =
            sys::fs::createUniqueDirectory("ferry-ld", Directory))
      return createFileError("a temporary directory", EC);
    Temporary = true;
  }
  if (std::error_code EC = sys::fs::create_directories(Directory))
    return createFileError(Directory, EC);
  return Cache(Directory.str().str(), Temporary);
}

Cache::~Cache() {
  if (!Temporary)
    return;
  if (std::error_code EC = sys::fs::remove_directories(Directory))
    errs() << "ferry-ld: warning: cannot remove " << Directory << ": "
           << EC.message() << "\n";
}

/// This build of ferry-ld. Its file's size and time stand for its contents.
static const std::string &ownIdentity() {
  static const std::string Identity = [] {
    std::string Text = LLVM_VERSION_STRING " ";
    sys::fs::file_status Status;
    if (!sys::fs::status("/proc/self/exe", Status))
      Text +=
          utostr(Status.getSize()) + " " +
          itostr(Status.getLastModificationTime().time_since_epoch().count());
    return Text;
  }();
  return Identity;
}

std::string Cache::key(ArrayRef<StringRef> Parts) {
  BLAKE3 Hash;
  auto Add = [&](StringRef Part) {
    uint64_t Size = Part.size();
    Hash.update(StringRef(reinterpret_cast<const char *>(&Size), sizeof(Size)));
    Hash.update(Part);
  };
  Add(ownIdentity());
  for (StringRef Part : Parts)
    Add(Part);
  return toHex(Hash.final<16>(), true);
}

std::string Cache::path(ArrayRef<StringRef> Parts, StringRef Suffix) const {
  SmallString<256> Path(Directory);
  sys::path::append(Path, "llvmcache-" + key(Parts) + Suffix);
  return Path.str().str();
}

bool Cache::has(StringRef Path) {
  int FD;
  if (sys::fs::openFileForReadWrite(Path, FD, sys::fs::CD_OpenExisting,
                                    sys::fs::OF_None))
    return false;
  auto Now = std::chrono::system_clock::now();
  std::error_code EC = sys::fs::setLastAccessAndModificationTime(FD, Now, Now);
  sys::fs::file_t File = sys::fs::convertFDToNativeFile(FD);
  return !sys::fs::closeFile(File) && !EC;
}

Error Cache::store(StringRef Path, StringRef Bytes) {
  return writeToOutput(Path, [&](raw_ostream &OS) {
    OS << Bytes;
    return Error::success();
  });
}

void Cache::prune() const {
  if (!Temporary)
    pruneCache(Directory, CachePruningPolicy());
}

} // namespace ferry
