//===- FloatEnvironment.cpp - Arithmetic that nobody watches --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -ffp-model=strict, -frounding-math and #pragma STDC FENV_ACCESS make clang
// write constrained intrinsics in place of instructions: the host's rounding
// mode may change and its exception flags be read. A GPU's thread has neither
// flags nor a mode that could change, so there each is its plain instruction or
// function, rounding to nearest. What asks for another direction (FENV_ROUND)
// stays as it is, for the code generator to refuse.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry {

namespace {
struct Operation {
  unsigned Opcode = 0;                               ///< of an instruction, or
  Intrinsic::ID Function = Intrinsic::not_intrinsic; ///< what is called
};
} // namespace

static Operation plainOperation(Intrinsic::ID Constrained) {
  switch (Constrained) {
#define INSTRUCTION(NAME, ARGUMENTS, ROUNDS, INTRINSIC)                        \
  case Intrinsic::INTRINSIC:                                                   \
    return {Instruction::NAME, Intrinsic::not_intrinsic};
#define FUNCTION(NAME, ARGUMENTS, ROUNDS, INTRINSIC)                           \
  case Intrinsic::INTRINSIC:                                                   \
    return {0, Intrinsic::NAME};
#include "llvm/IR/ConstrainedOps.def"
  default:
    return {};
  }
}

static bool roundsToNearest(const ConstrainedFPIntrinsic &Call) {
  RoundingMode Mode = Call.getRoundingMode().value_or(RoundingMode::Dynamic);
  return Mode == RoundingMode::Dynamic ||
         Mode == RoundingMode::NearestTiesToEven;
}

static Value *plainValue(ConstrainedFPIntrinsic &Call) {
  Operation Op = plainOperation(Call.getIntrinsicID());
  IRBuilder<> B(&Call);
  B.setFastMathFlags(isa<FPMathOperator>(Call) ? Call.getFastMathFlags()
                                               : FastMathFlags());
  SmallVector<Value *> Operands(
      Call.args().begin(), Call.args().begin() + Call.getNonMetadataArgCount());
  if (auto *Compare = dyn_cast<ConstrainedFPCmpIntrinsic>(&Call))
    return B.CreateFCmp(Compare->getPredicate(), Operands[0], Operands[1]);
  if (Instruction::isBinaryOp(Op.Opcode))
    return B.CreateBinOp(Instruction::BinaryOps(Op.Opcode), Operands[0],
                         Operands[1]);
  if (Instruction::isCast(Op.Opcode))
    return B.CreateCast(Instruction::CastOps(Op.Opcode), Operands[0],
                        Call.getType());
  if (Op.Function != Intrinsic::not_intrinsic)
    return B.CreateIntrinsic(Call.getType(), Op.Function, Operands);
  return nullptr;
}

void dropFloatEnvironment(Module &M) {
  for (Function &F : M) {
    if (!F.isIntrinsic())
      F.removeFnAttr(Attribute::StrictFP);
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (auto *Call = dyn_cast<CallBase>(&I))
        Call->removeFnAttr(Attribute::StrictFP);
      auto *Constrained = dyn_cast<ConstrainedFPIntrinsic>(&I);
      if (!Constrained || !roundsToNearest(*Constrained))
        continue;
      if (Value *Plain = plainValue(*Constrained)) {
        Plain->takeName(&I);
        I.replaceAllUsesWith(Plain);
        I.eraseFromParent();
      }
    }
  }
}

} // namespace ferry
