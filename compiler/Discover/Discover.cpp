//===- Discover.cpp - From launch markers to a plan -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch is one call of __ferry_launch whose operands are described in
// ferry/markers.h. Reading them is all there is to do: launches that agree in
// shim, shape and fields share one Kernel, everything else stays a Value of the
// Launch. Nothing looks at memory.
//
//===----------------------------------------------------------------------===//

#include "Discover/Discover.h"
#include "Diagnostics/Diagnostics.h"
#include "Discover/Names.h"
#include "ferry/markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/SHA1.h"

using namespace llvm;

namespace ferry {

static constexpr StringRef MarkerName = "__ferry_launch";

namespace {
/// The marker's operands before the fields, in order.
enum Operand : unsigned {
  Version,
  Shim,
  Name,
  NameLength,
  File,
  FileLength,
  Line,
  Column,
  ShapeKind,
  ExtentX,
  ExtentY,
  ExtentZ,
  BlockX,
  BlockY,
  BlockZ,
  SharedBytes,
  Device,
  NumFields,
  FirstField
};
} // namespace

static bool isMarkerCall(const Value &V) {
  auto *Call = dyn_cast<CallBase>(&V);
  auto *Callee = Call ? dyn_cast<Function>(Call->getCalledOperand()) : nullptr;
  return Callee && Callee->getName() == MarkerName;
}

bool hasLaunches(const Module &M) {
  const Function *Marker = M.getFunction(MarkerName);
  return Marker && any_of(Marker->users(),
                          [](const User *U) { return isMarkerCall(*U); });
}

/// In the order of the source, so that errors come in that order.
static std::vector<CallBase *> markerCalls(Module &M) {
  std::vector<CallBase *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isMarkerCall(I))
        Calls.push_back(cast<CallBase>(&I));
  return Calls;
}

namespace {
/// Reads one marker. `Wrong` says what the first unreadable operand should be.
struct MarkerReader {
  CallBase &Call;
  std::string Wrong;

  Value *operand(unsigned I) { return Call.getArgOperand(I); }

  uint64_t constant(unsigned I, const char *What) {
    if (I < Call.arg_size())
      if (auto *C = dyn_cast<ConstantInt>(operand(I)))
        return C->getZExtValue();
    if (Wrong.empty())
      Wrong = (Twine(What) + " is not a constant").str();
    return 0;
  }

  /// The text that operand I points to, `Length` bytes of it.
  std::string text(unsigned I, unsigned LengthI) {
    StringRef Str;
    auto *Length = dyn_cast<ConstantInt>(operand(LengthI));
    if (!Length || !getConstantStringInfo(operand(I), Str, /*TrimAtNul=*/false))
      return "";
    return Str.take_front(Length->getZExtValue()).str();
  }
};
} // namespace

static void reportBadMarker(CallBase &Call, const Twine &What) {
  Diagnostic D;
  D.What = ("malformed launch marker: " + What).str();
  D.Advice = "the front end and the plugin are of different versions; rebuild "
             "the program with one Ferry installation";
  D.Where = userLocation(Call.getDebugLoc());
  report(D, *Call.getFunction());
}

static std::vector<Field> readFields(MarkerReader &Reader, uint64_t Count,
                                     uint64_t &BlockBytes) {
  std::vector<Field> Fields(Count);
  BlockBytes = 0;
  for (uint64_t I = 0; I != Count && Reader.Wrong.empty(); ++I) {
    unsigned At = FirstField + 3 * I;
    uint64_t Kind = Reader.constant(At, "a field's kind");
    Field &F = Fields[I];
    F.IsBuffer = Kind & FERRY_FIELD_BUFFER;
    F.Reads = Kind & FERRY_FIELD_READ;
    F.Writes = Kind & FERRY_FIELD_WRITE;
    F.Unique = Kind & FERRY_FIELD_UNIQUE;
    F.Resident = Kind & FERRY_FIELD_RESIDENT;
    F.Offset = BlockBytes;
    if (!F.IsBuffer)
      F.Bytes = Reader.constant(At + 2, "the size of a by-value field");
    BlockBytes += F.IsBuffer ? 8 : alignTo(F.Bytes, 8);
  }
  return Fields;
}

static std::string symbolFor(const Kernel &K, const Module &M) {
  // Internal shims of two modules may share a name, so the module's own name
  // is part of the hash.
  std::string Key = (M.getSourceFileName() + "|" + K.Shim->getName() + "|" +
                     Twine(unsigned(K.LaunchShape)) + "|" +
                     Twine(K.Fields.size()) + "|" + Twine(K.BlockBytes))
                        .str();
  auto Hash = SHA1::hash(arrayRefFromStringRef(Key));
  std::string Readable;
  for (char C : K.Name)
    Readable += isAlnum(C) ? C : '_';
  return "ferry_" + Readable + "_" + toHex(ArrayRef(Hash).take_front(8), true);
}

static bool sameFields(const std::vector<Field> &A,
                       const std::vector<Field> &B) {
  return A.size() == B.size() &&
         std::equal(A.begin(), A.end(), B.begin(), [](auto &X, auto &Y) {
           return X.IsBuffer == Y.IsBuffer && X.Reads == Y.Reads &&
                  X.Writes == Y.Writes && X.Unique == Y.Unique &&
                  X.Resident == Y.Resident && X.Bytes == Y.Bytes;
         });
}

static unsigned kernelFor(LaunchPlan &Plan, Kernel K, const Module &M) {
  for (auto [I, Known] : enumerate(Plan.Kernels))
    if (Known.Shim == K.Shim && Known.LaunchShape == K.LaunchShape &&
        sameFields(Known.Fields, K.Fields))
      return I;
  nameKernel(K);
  K.Symbol = symbolFor(K, M);
  // The same shim with other access flags: rare, but must stay distinct.
  for (unsigned N = 1; any_of(
           Plan.Kernels, [&](auto &Other) { return Other.Symbol == K.Symbol; });
       ++N)
    K.Symbol = symbolFor(K, M) + "_" + std::to_string(N);
  Plan.Kernels.push_back(std::move(K));
  return Plan.Kernels.size() - 1;
}

static bool readMarker(CallBase &Call, Module &M, LaunchPlan &Plan) {
  MarkerReader Reader{Call, {}};
  if (Call.arg_size() < FirstField) {
    reportBadMarker(Call, "too few operands");
    return false;
  }
  if (uint64_t V = Reader.constant(Version, "the version");
      Reader.Wrong.empty() && V != FERRY_MARKER_VERSION)
    Reader.Wrong = ("the program speaks marker version " + Twine(V) +
                    ", this plugin version " + Twine(FERRY_MARKER_VERSION))
                       .str();
  uint64_t ShapeValue = Reader.constant(ShapeKind, "the kind of shape");
  if (Reader.Wrong.empty() && ShapeValue > FERRY_BLOCKS)
    Reader.Wrong = "unknown kind of shape";
  uint64_t Count = Reader.constant(NumFields, "the number of fields");
  if (Reader.Wrong.empty() && Call.arg_size() != FirstField + 3 * Count)
    Reader.Wrong = "the number of fields does not match the operands";

  Kernel K;
  K.Shim = dyn_cast<Function>(Reader.operand(Shim)->stripPointerCasts());
  if (!K.Shim && Reader.Wrong.empty())
    Reader.Wrong = "the kernel is not a function known at compile time";
  if (Reader.Wrong.empty())
    K.Fields = readFields(Reader, Count, K.BlockBytes);
  if (!Reader.Wrong.empty()) {
    reportBadMarker(Call, Reader.Wrong);
    return false;
  }
  K.LaunchShape = ShapeValue == FERRY_OVER ? Shape::Over : Shape::Blocks;
  K.Name = Reader.text(Name, NameLength);

  Launch L;
  L.Call = &Call;
  L.File = Reader.operand(File);
  L.FileLength = Reader.operand(FileLength);
  L.Line = Reader.operand(Line);
  L.Column = Reader.operand(Column);
  for (unsigned D = 0; D != 3; ++D) {
    L.Extent[D] = Reader.operand(ExtentX + D);
    L.Block[D] = Reader.operand(BlockX + D);
  }
  L.SharedBytes = Reader.operand(SharedBytes);
  L.Device = Reader.operand(Device);
  for (uint64_t I = 0; I != Count; ++I) {
    L.Values.push_back(Reader.operand(FirstField + 3 * I + 1));
    L.Bytes.push_back(Reader.operand(FirstField + 3 * I + 2));
  }
  L.KernelIndex = kernelFor(Plan, std::move(K), M);
  Plan.Launches.push_back(std::move(L));
  return true;
}

std::optional<LaunchPlan> discoverLaunches(Module &M) {
  LaunchPlan Plan;
  bool Good = true;
  for (CallBase *Call : markerCalls(M))
    Good &= readMarker(*Call, M, Plan);
  if (!Good)
    return std::nullopt;
  return Plan;
}

SmallVector<DebugLoc> launchLocations(const Launch &L) {
  SmallVector<DebugLoc> Found;
  SetVector<const Instruction *> Calls;
  Calls.insert(L.Call);
  for (unsigned I = 0; I != Calls.size() && I != 1024; ++I) {
    DebugLoc Loc = Calls[I]->getDebugLoc();
    if (Loc && isInUserFile(Loc)) {
      Found.push_back(userLocation(Loc));
      continue;
    }
    for (const User *U : Calls[I]->getFunction()->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Calls.insert(Call);
  }
  return Found;
}

DebugLoc launchLocation(const Launch &L) {
  SmallVector<DebugLoc> Found = launchLocations(L);
  return Found.empty() ? L.Call->getDebugLoc() : Found.front();
}

void print(const LaunchPlan &Plan, raw_ostream &OS) {
  for (const Kernel &K : Plan.Kernels) {
    OS << "kernel " << K.Name << " shim @" << K.Shim->getName()
       << (K.LaunchShape == Shape::Over ? " over" : " blocks") << ", block of "
       << K.BlockBytes << " bytes, " << K.slots() << " slots\n";
    for (const Field &F : K.Fields) {
      OS << "  +" << F.Offset << (F.IsBuffer ? " buffer" : " bytes ");
      if (F.IsBuffer)
        OS << (F.Reads ? " read" : "") << (F.Writes ? " write" : "")
           << (F.isScratch() ? " scratch" : "") << (F.Unique ? " unique" : "")
           << (F.Resident ? " resident" : "");
      else
        OS << F.Bytes << (F.isLarge() ? " large" : "");
      if (!F.Name.empty())
        OS << " '" << F.Name << "'";
      OS << "\n";
    }
  }
  for (const Launch &L : Plan.Launches)
    OS << "launch of " << Plan.Kernels[L.KernelIndex].Name << " in @"
       << L.Call->getFunction()->getName() << "\n";
}

} // namespace ferry
