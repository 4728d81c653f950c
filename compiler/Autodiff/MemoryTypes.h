//===- MemoryTypes.h - What memory holds ------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_MEMORYTYPES_H
#define FERRY_COMPILER_AUTODIFF_MEMORYTYPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>
#include <vector>

namespace ferry::ad {

/// Part of a copied or filled block: numbers of one type, or pointers.
struct Segment {
  uint64_t Offset = 0;
  llvm::Value *Bytes = nullptr;
  llvm::Type *Scalar = nullptr;
};

/// What the memory of a function's pointers is read and written as.
class MemoryTypes {
public:
  explicit MemoryTypes(llvm::Function &F);

  /// What is in the block that `I` copies or fills; integers are left out.
  /// Nothing if that cannot be told.
  std::optional<std::vector<Segment>> segments(const llvm::MemIntrinsic &I);

  /// Whether there may be numbers where `Pointer` leads to.
  bool mayHoldFloats(const llvm::Value &Pointer);
  /// Whether there are pointers, maybe integers, but no numbers.
  bool holdsPointersOnly(const llvm::Value &Pointer);
  /// Whether there are pointers and numbers.
  bool holdsBoth(const llvm::Value &Pointer);
  /// Whether there are integers, such as text, and neither pointers nor
  /// numbers.
  bool holdsIntegersOnly(const llvm::Value &Pointer);
  /// The type of the numbers of `Size` bytes there, if there are any.
  llvm::Type *floatOfSize(const llvm::Value &Pointer, uint64_t Size);

  /// Whether an integer of type `T` there may be a number, or a part of one.
  bool mayBePartOfFloat(const llvm::Value &Pointer, const llvm::Type *T);

private:
  struct Node {
    unsigned Parent;
    unsigned Pointee = 0; ///< 0: none yet
    llvm::SmallSetVector<llvm::Type *, 2> Floats;
    bool Pointers = false, Integers = false;
    /// Types that are declared for the memory, or computed with.
    llvm::SmallSetVector<llvm::Type *, 2> Declared;
  };
  const llvm::DataLayout &DL;
  std::vector<Node> Nodes;
  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;

  unsigned make();
  unsigned find(unsigned N);
  void unify(unsigned A, unsigned B);
  unsigned pointee(unsigned N);
  unsigned node(const llvm::Value *Pointer);
  void access(unsigned N, llvm::Type *T, const llvm::Value *V);
  void read(const llvm::Instruction &I);
  std::optional<std::vector<Segment>> segmentsOf(const llvm::MemIntrinsic &I);
};

/// Loads and stores of integers that are bits of numbers become loads and
/// stores of these numbers.
void retypeCopies(llvm::Function &F);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_MEMORYTYPES_H
