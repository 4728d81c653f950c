//===- Heap.cpp - Calls that allocate and free ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM knows C's, C++'s and, by their attributes, Rust's functions. When a Rust
// program is linked as a whole, its allocator stands in for the latter and has
// no attributes left; rustc's name for it is then what tells.
//
//===----------------------------------------------------------------------===//

#include "Residency/Heap.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace ferry {

namespace {
enum class RustRole { None, Allocate, Free, Reallocate };
} // namespace

/// `__rustc::__rust_alloc` and what may stand in for it: `__rdl_`, the standard
/// library's default, and `__rg_`, the program's own (RFC 2603, v0 mangling).
static RustRole rustRole(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->getName().contains("7___rustc"))
    return RustRole::None;
  StringRef Name = F->getName();
  for (StringRef Prefix : {"___rust_", "___rdl_", "___rg_"}) {
    size_t At = Name.rfind(Prefix);
    if (At == StringRef::npos)
      continue;
    StringRef What = Name.drop_front(At + Prefix.size());
    if (What == "alloc" || What == "alloc_zeroed")
      return RustRole::Allocate;
    if (What == "dealloc")
      return RustRole::Free;
    if (What == "realloc")
      return RustRole::Reallocate;
  }
  return RustRole::None;
}

bool allocates(const CallBase &Call, const TargetLibraryInfo &TLI) {
  return rustRole(Call) == RustRole::Allocate ||
         (Call.getType()->isPointerTy() && isAllocLikeFn(&Call, &TLI));
}

Value *allocatedBytes(CallBase &Call, const TargetLibraryInfo &TLI) {
  if (rustRole(Call) == RustRole::Allocate)
    return Call.getArgOperand(0);
  ObjectSizeOffsetEvaluator Sizes(Call.getDataLayout(), &TLI,
                                  Call.getContext());
  SizeOffsetValue Known = Sizes.compute(&Call);
  return Known.bothKnown() ? Known.Size : nullptr;
}

Value *freedPointer(const CallBase &Call, const TargetLibraryInfo &TLI) {
  if (rustRole(Call) == RustRole::Free)
    return Call.getArgOperand(0);
  return getFreedOperand(&Call, &TLI);
}

Value *reallocatedPointer(const CallBase &Call) {
  if (rustRole(Call) == RustRole::Reallocate)
    return Call.getArgOperand(0);
  return getReallocatedOperand(&Call);
}

} // namespace ferry
