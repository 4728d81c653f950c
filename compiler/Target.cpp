//===- Target.cpp - The devices that code is made for ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of targets is split at commas and each word is looked up: `cpu`,
// `virtual`, `native`, or a GPU that LLVM's back ends know. `native` asks
// LLVM's offload-arch tool, which talks to the drivers; a machine without a
// driver simply has no GPU.
//
//===----------------------------------------------------------------------===//

#include "Target.h"
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace ferry {

std::string Target::name() const {
  switch (Kind) {
  case TargetKind::Cpu:
    return "cpu";
  case TargetKind::Virtual:
    return "virtual";
  case TargetKind::Nvptx:
  case TargetKind::Amdgpu:
    break;
  }
  return Arch;
}

/// The GPUs stay behind the others, in the user's order.
static void add(std::vector<Target> &Targets, Target T) {
  if (any_of(Targets, [&](const Target &Known) {
        return Known.Kind == T.Kind && Known.Arch == T.Arch;
      }))
    return;
  auto Place =
      T.isGpu()
          ? Targets.end()
          : find_if(Targets, [&](const Target &K) { return K.Kind > T.Kind; });
  Targets.insert(Place, std::move(T));
}

static void addCpu(std::vector<Target> &Targets) {
  add(Targets, {TargetKind::Cpu, ""});
  add(Targets, {TargetKind::Virtual, ""});
}

static bool addGpu(std::vector<Target> &Targets, StringRef Arch) {
  for (TargetKind Kind : {TargetKind::Nvptx, TargetKind::Amdgpu})
    if (isKnownGpu(Kind, Arch)) {
      add(Targets, {Kind, Arch.str()});
      return true;
    }
  return false;
}

/// The architectures that offload-arch prints, one a line. Whatever keeps it
/// from answering (no tool, no driver, no GPU) means that there is none to use.
static std::vector<std::string> gpusOfThisMachine() {
  ErrorOr<std::string> Tool =
      sys::findProgramByName("offload-arch", {FERRY_LLVM_BINDIR});
  if (!Tool)
    Tool = sys::findProgramByName("offload-arch");
  SmallString<128> Output;
  if (!Tool ||
      sys::fs::createTemporaryFile("ferry-offload-arch", "txt", Output))
    return {};
  FileRemover RemoveOutput(Output);
  if (sys::ExecuteAndWait(*Tool, {*Tool}, std::nullopt,
                          {StringRef(), Output.str(), StringRef()}))
    return {};
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Output);
  if (!Text)
    return {};
  std::vector<std::string> Archs;
  for (StringRef Line : split((*Text)->getBuffer(), '\n'))
    if (StringRef Arch = Line.trim(); !Arch.empty())
      // "gfx90a:sramecc+:xnack-": the plain image runs with either setting.
      Archs.push_back(Arch.split(':').first.str());
  return Archs;
}

Expected<std::vector<Target>> parseTargets(StringRef List) {
  std::vector<Target> Targets;
  for (StringRef Word : split(List, ',')) {
    Word = Word.trim();
    if (Word.empty())
      continue;
    if (Word == "cpu") {
      addCpu(Targets);
    } else if (Word == "virtual") {
      add(Targets, {TargetKind::Virtual, ""});
    } else if (Word == "native") {
      addCpu(Targets);
      for (const std::string &Arch : gpusOfThisMachine())
        addGpu(Targets, Arch);
    } else if (!addGpu(Targets, Word)) {
      return createStringError(
          "unknown target '" + Word +
          "'; a target is 'cpu', 'native' (cpu and this machine's GPUs), an "
          "NVIDIA architecture ('sm_80', 'sm_90', 'sm_90a', ...) or an AMD one "
          "('gfx90a', 'gfx942', 'gfx1100', ...)");
    }
  }
  if (Targets.empty())
    return createStringError("the list of targets '" + List +
                             "' names none; 'cpu' or 'native' will do");
  return Targets;
}

} // namespace ferry
