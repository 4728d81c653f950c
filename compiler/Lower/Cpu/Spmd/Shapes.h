//===- Shapes.h - What the threads of a group have in common ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_SHAPES_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_SHAPES_H

#include "Lower/Cpu/Spmd/Assumptions.h"
#include "Lower/Cpu/Spmd/Order.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/ConstantRange.h"

namespace ferry::spmd {

/// How a value differs between neighbouring threads.
struct Shape {
  enum Kind {
    Unknown, ///< not reached yet
    Linear,  ///< the first thread's, plus Stride for each thread, modulo 2^bits
    Varying
  } K = Unknown;
  int64_t Stride = 0;
  /// Linear only where the extensions that it was made with met no wrap-around,
  /// which has to be tested.
  bool Assumed = false;

  static Shape uniform() { return {Linear, 0, false}; }
  static Shape linear(int64_t Stride, bool Assumed = false) {
    return {Linear, Stride, Assumed};
  }
  static Shape varying() { return {Varying, 0, false}; }

  bool isUniform() const { return K == Linear && Stride == 0 && !Assumed; }
  bool isLinear() const { return K == Linear && !Assumed; }
  bool isAssumed() const { return K == Linear && Assumed; }
  bool isVarying() const { return K == Varying; }
  bool operator==(const Shape &) const = default;
};

class Shapes {
public:
  /// What a group may be trusted with before it starts.
  enum class Trust { Nothing, WithinBounds };

  /// For groups of `Width` threads.
  Shapes(const Candidate &C, unsigned Width, const Order &O,
         const llvm::LoopInfo &LI, const llvm::PostDominatorTree &PDT, Trust T);

  /// The shape of a value inside the loop that defines it.
  Shape of(const llvm::Value *V) const;

  /// Whether threads may take different ways out of `BB`.
  bool isDivergent(const llvm::BasicBlock *BB) const {
    return Divergent.contains(BB);
  }
  /// Whether threads may leave `L` in different iterations.
  bool isDivergent(const llvm::Loop *L) const {
    return DivergentLoops.contains(L);
  }
  /// Whether only some threads may be in `BB` at a time.
  bool isMasked(const llvm::BasicBlock *BB) const {
    return Masked.contains(BB);
  }
  /// Whether threads that came different ways meet in `BB`.
  bool isJoin(const llvm::BasicBlock *BB) const { return Joins.contains(BB); }

  /// The outermost divergent loop that the edge leaves, if any.
  const llvm::Loop *leftByEdge(const llvm::BasicBlock *From,
                               const llvm::BasicBlock *To) const;

  const PrivateArray *privateArray(const llvm::Value *Alloca) const {
    return Arrays.lookup(Alloca);
  }
  /// The interleaved private array that `Pointer` points into, if it does.
  const PrivateArray *interleavedBase(const llvm::Value *Pointer) const;

  /// What has to be tested before a group starts, for the shapes to be right.
  /// The operands are functions of the thread's number alone.
  llvm::ArrayRef<Bounded> trusted() const { return Trusted; }

  /// The extensions that an assumed value is made with and that have to be
  /// tested when it is used in `Use`.
  using Extensions = llvm::SmallSetVector<const llvm::CastInst *, 4>;
  void collectAssumptions(const llvm::Value *V, const llvm::BasicBlock *Use,
                          Extensions &Found) const;

private:
  const Candidate &C;
  unsigned Width;
  Trust T;
  llvm::SmallVector<Bounded> Trusted;
  mutable llvm::DenseMap<const llvm::Value *, bool> AtStart;
  const Order &O;
  const llvm::LoopInfo &LI;
  const llvm::PostDominatorTree &PDT;
  const llvm::DataLayout &DL;
  llvm::DenseMap<const llvm::Value *, Shape> Known;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Divergent, Masked, Joins;
  llvm::SmallPtrSet<const llvm::Loop *, 4> DivergentLoops;
  llvm::DenseMap<const llvm::Value *, const PrivateArray *> Arrays;

  bool propagate();
  bool settleUnknown();
  Shape transfer(const llvm::Instruction &I) const;
  Shape phi(const llvm::PHINode &Phi) const;
  Shape sum(Shape A, Shape B, int64_t Sign) const;
  Shape extension(const llvm::CastInst &I) const;
  Shape address(const llvm::GEPOperator &I) const;
  // Trust.cpp
  void collectTrusted();
  bool isKnownAtStart(const llvm::Value *V) const;
  std::optional<Bounded> bounded(const llvm::Instruction &I) const;
  std::optional<Bounded> countedLoop(const llvm::ICmpInst &I) const;
  bool isTrustedCounter(const llvm::PHINode &Phi, bool Signed) const;
  std::optional<Shape> withinBounds(const llvm::Instruction &I) const;
  bool isAlwaysWithinBounds(const llvm::Instruction &I) const;
  llvm::ConstantRange rangeOf(const llvm::Value *V) const;
  bool neverWraps(const llvm::Instruction &I, bool Signed) const;
  bool isExact(const llvm::Value *V, bool Signed, bool TrustFlags) const;
  // Agreement.cpp
  bool decideAlike(const llvm::ICmpInst &Compare) const;
  bool startsAtMultiple(const llvm::Value *V, unsigned ZeroBits) const;
  bool leavesDivergentLoop(const llvm::Value *V,
                           const llvm::BasicBlock *To) const;
  /// What the end of `BB` decides by; null if it goes one way only.
  static const llvm::Value *decides(const llvm::BasicBlock &BB);
  bool spreadDivergence();
  void spread(llvm::ArrayRef<const llvm::BasicBlock *> Ways,
              const llvm::BasicBlock *Meeting);
  bool markDivergent(const llvm::Loop *L);
};

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_SHAPES_H
