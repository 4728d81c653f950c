//===- Shadows.h - The shadow of every active value -------------*- C++ -*-===//
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

  /// The call of a derivative's forward sweep that stands for a call.
  struct SplitCall {
    const SplitDerivative *Derivative = nullptr;
    llvm::CallBase *Call = nullptr;
    llvm::Value *Frame = nullptr;
    /// Per parameter of the function: the operand, and whether it is a number
    /// with an adjoint.
    llvm::SmallVector<std::pair<unsigned, bool>> Operands;
  };
  /// `I` is what insteadOf() gave. Null if it stands for no such call.
  const SplitCall *splitCall(const llvm::Instruction &I) const {
    auto Found = Splits.find(&I);
    return Found == Splits.end() ? nullptr : &Found->second;
  }
  /// What was put in the place of the call `I`: the call of a derivative, or
  /// what was taken from its result. `I` itself is in no block any more.
  llvm::Instruction *insteadOf(const llvm::Instruction &I) const {
    return Instead.lookup(&I);
  }
  ~Shadows();

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
  llvm::DenseMap<const llvm::Instruction *, SplitCall> Splits;
  llvm::DenseMap<const llvm::Instruction *, llvm::Instruction *> Instead;
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
  llvm::CallBase *callInstead(llvm::CallBase &I, llvm::Function &Derivative,
                              const Signature &S);
  void callSplit(llvm::CallBase &I, const Signature &S);
  void visitIntrinsic(llvm::CallBase &I);
  void visitFromInteger(llvm::Instruction &I);
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_SHADOWS_H
