//===- Shadows.h - The shadow of every active value
//---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_SHADOWS_H
#define FERRY_COMPILER_AUTODIFF_SHADOWS_H

#include "Autodiff/ActiveValues.h"
#include "Autodiff/Engine.h"
#include "Autodiff/MemoryTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace ferry::ad {

/// Builds behind an instruction, in its name. Behind an invoke is its normal
/// destination, which has no other predecessor.
class Behind : public llvm::IRBuilder<> {
public:
  explicit Behind(llvm::Instruction &I);
};

/// Puts beside the instructions of `F` those that compute shadows: one for each
/// of `Width` lanes. What has a shadow is, for forward mode, all that is
/// active; for the forward sweep of reverse mode, pointers only.
class Shadows {
public:
  enum class Kind { Tangents, Pointers };
  /// `Types` are needed for the shadows of pointers only.
  Shadows(Engine &E, llvm::Function &F, Kind What, unsigned Width,
          const ActiveValues &Active, MemoryTypes *Types = nullptr)
      : E(E), F(F), What(What), Width(Width), Active(Active), Types(Types) {}

  void set(llvm::Value *V, llvm::SmallVector<llvm::Value *, 1> Lanes) {
    Known[V] = std::move(Lanes);
  }
  /// False if something was refused. Instructions replaced by others are
  /// erased at the end.
  bool build();

  bool has(const llvm::Value *V) const;
  /// The shadow of `V`. For what is inactive, the one of a constant. `User`
  /// stands for the place in messages.
  llvm::Value *get(llvm::Value *V, unsigned Lane, llvm::Instruction &User);
  bool failed() const { return Failed; }

private:
  Engine &E;
  llvm::Function &F;
  Kind What;
  unsigned Width;
  const ActiveValues &Active;
  MemoryTypes *Types;
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::Value *, 1>> Known;
  /// Calls and what the calls of their derivatives return instead.
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Value *>> Replaced;
  bool Failed = false;

  bool carries(const llvm::Type *T) const;
  bool mayBePointer(const llvm::Value *V) const;
  void refuseAt(llvm::Instruction &I, const llvm::Twine &Text,
                const llvm::Twine &Advice);

  void visit(llvm::Instruction &I);
  void mirror(llvm::Instruction &I, llvm::ArrayRef<unsigned> Operands);
  void applyRuleTo(llvm::Instruction &I);
  void visitPhi(llvm::PHINode &Phi);
  void fillPhis();
  void visitAlloca(llvm::AllocaInst &I);
  void visitLoad(llvm::LoadInst &I);
  void visitStore(llvm::StoreInst &I);
  void visitAtomic(llvm::AtomicRMWInst &I);
  void visitMemory(llvm::CallBase &I);
  void copyPointers(llvm::MemIntrinsic &I);
  void visitAllocation(llvm::CallBase &I);
  void visitRelease(llvm::CallBase &I);
  void visitCall(llvm::CallBase &I);
  void visitDefined(llvm::CallBase &I, llvm::Function &Callee);
  void visitIntrinsic(llvm::CallBase &I);
  void visitFromInteger(llvm::Instruction &I);
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_SHADOWS_H
