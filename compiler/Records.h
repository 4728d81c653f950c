//===- Records.h - What the stages hand to each other -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Discover makes a LaunchPlan from a host module. Outline makes a DeviceProgram
// from it: one target-neutral module. Lower turns that into one module a
// target, Emit turns such a module into an Image, and Host writes images,
// kernels and launches back into the host module.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_RECORDS_H
#define FERRY_COMPILER_RECORDS_H

#include "Target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

enum class Shape { Over, Blocks };

/// One field of a shim's block (markers.h), and the kernel arguments ("slots")
/// that it becomes: one for a buffer, one per started eight bytes of raw bytes.
/// Raw bytes past LargeBytes travel as a read-only buffer of their own.
struct Field {
  bool IsBuffer = false;
  bool Reads = false, Writes = false, Unique = false, Resident = false;
  uint64_t Offset = 0; ///< in the block
  uint64_t Bytes = 0;  ///< of raw bytes; 0 for a buffer
  std::string Name;    ///< the user's variable or parameter; may be empty

  static constexpr uint64_t LargeBytes = 256;
  bool isLarge() const { return !IsBuffer && Bytes > LargeBytes; }
  bool isScratch() const { return IsBuffer && !Reads && !Writes; }
  /// The kernel only reads it.
  bool isInput() const { return isLarge() || (Reads && !Writes); }
  unsigned slots() const { return IsBuffer || isLarge() ? 1 : (Bytes + 7) / 8; }
};

/// A function that is launched, in one shape. `Symbol` is its name in images.
struct Kernel {
  llvm::Function *Shim = nullptr;
  Shape LaunchShape = Shape::Over;
  std::string Name;
  std::string Symbol;
  uint64_t BlockBytes = 0;
  std::vector<Field> Fields;

  unsigned slots() const {
    unsigned N = 0;
    for (const Field &F : Fields)
      N += F.slots();
    return N;
  }

  /// Code that may rely on no written buffer overlapping another could be
  /// better, and the launches don't promise it: images for GPUs have a second
  /// version under apartSymbol(), which libferry takes when it sees it hold.
  bool hasApartVersion() const;
  std::string apartSymbol() const { return Symbol + "_apart"; }
};

/// One launch marker.
struct Launch {
  llvm::CallBase *Call = nullptr;
  unsigned KernelIndex = 0;
  llvm::Value *File = nullptr, *FileLength = nullptr;
  llvm::Value *Line = nullptr, *Column = nullptr;
  llvm::Value *Extent[3] = {}, *Block[3] = {};
  llvm::Value *SharedBytes = nullptr, *Device = nullptr;
  /// A field's host address and size, in the order of Kernel::Fields.
  llvm::SmallVector<llvm::Value *, 8> Values, Bytes;
};

struct LaunchPlan {
  std::vector<Kernel> Kernels;
  std::vector<Launch> Launches;
};

/// A place in device code that ends the thread with a report. Device code says
///   call void @__ferry_panic(i32 site, i64 v0, i64 v1, i64 v2, i64 v3)
///   unreachable
struct PanicSite {
  std::string Message; ///< with {0:u}, {1:i}, {2:f} where values belong
  std::string File;
  unsigned Line = 0, Column = 0;
};

/// What one __ferry_print shows. Device code says
///   call void @__ferry_print.N(i32 site, i64 v1, ... i64 vN)
struct PrintSite {
  std::string Format;
  std::vector<uint32_t> Kinds; ///< FERRY_PRINT_*, one a value
};
inline constexpr llvm::StringLiteral PrintPrefix = "__ferry_print.";

/// A mutable global of the host that kernels name.
struct SharedGlobal {
  llvm::GlobalVariable *Host = nullptr;
  std::string Symbol; ///< of its copy in device code
  std::string Name;
};

/// Memory that the threads of a block share. In device code a declaration,
///   @Symbol = external global [Bytes x i8], align Alignment
/// and `ferry.dynamic_shared`, likewise without a size.
struct SharedObject {
  std::string Symbol;
  uint64_t Bytes = 0;
  llvm::Align Alignment;
};
inline constexpr llvm::StringLiteral DynamicSharedSymbol =
    "ferry.dynamic_shared";
/// `G` is one of those.
bool isSharedDeclaration(const llvm::GlobalVariable &G);

/// What device code asks about its place in the launch (markers.h).
enum class Query {
  ThreadIdx,
  BlockIdx,
  BlockDim,
  GridDim,
  GlobalIdx,
  GlobalDim,
  GlobalId,
  WarpSize,
  WarpLane,
  DynamicSharedBytes
};

/// The query that `F` is the declaration of. Those up to GlobalDim take the
/// dimension as their only argument, the others none.
std::optional<Query> queryFor(const llvm::Function &F);

/// What threads do together (markers.h).
enum class Collective { SyncThreads, WarpBallot, WarpShuffle };

/// The collective that `F` is the declaration of.
std::optional<Collective> collectiveFor(const llvm::Function &F);

/// What became of Kernels[i].
struct DeviceKernel {
  std::string Symbol;
  bool CanPanic = false;
  bool Prints = false;
  std::vector<unsigned> Globals; ///< indices into DeviceProgram::Globals
  std::vector<unsigned> Shared;  ///< indices into DeviceProgram::Shared
  /// Of the objects in `Shared`, one after the other as their alignments allow.
  uint64_t SharedBytes = 0;
  bool HasCollectives = false;
};

/// Target-neutral device code: the host's data layout and pointers, one
/// external `void Symbol(ptr|i64 ...)` a kernel with one parameter a slot,
/// everything it reaches internal, thread queries and panics as calls of the
/// undefined __ferry_* functions.
struct DeviceProgram {
  std::unique_ptr<llvm::Module> M;
  std::vector<DeviceKernel> Kernels; ///< parallel to LaunchPlan::Kernels
  std::vector<PanicSite> Sites;
  std::vector<PrintSite> PrintSites;
  std::vector<SharedGlobal> Globals;
  std::vector<SharedObject> Shared;
  /// Name of the images' array of panic records; unique to this module.
  std::string PanicSymbol;
  /// Likewise of their print buffer.
  std::string PrintSymbol;
};

/// Where a block's memory has the objects of DeviceKernel::Shared.
struct SharedLayout {
  std::vector<uint64_t> Offsets;
  uint64_t Bytes = 0;
};
SharedLayout layOutShared(const DeviceProgram &Program, const DeviceKernel &K);

/// Device code as libomptarget takes it.
struct Image {
  Target T;
  llvm::SmallVector<char, 0> Bytes;
};

} // namespace ferry

#endif // FERRY_COMPILER_RECORDS_H
