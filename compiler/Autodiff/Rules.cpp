//===- Rules.cpp - Derivatives of single operations -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes functions of the lines of Rules.def, finds the line for an instruction
// and sees to what holds for all of them: that zero goes in means that zero
// comes out, also where the factor is infinite or NaN. A guard that was turned
// into a select would otherwise let the untaken side's NaN through.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Rules.h"
#include "Autodiff/Helpers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry::ad {

using Line = Expression (*)(const Expression &D, const Operand &X,
                            const Operand &Y, const Operand &Z,
                            const Operand &R);

struct Rule {
  SmallVector<Line, 3> Lines;
};

static constexpr double Ln2 = 0.693147180559945309417232121458;
static constexpr double Ln10 = 2.302585092994045684017991454684;
static constexpr double TwoOverRootPi = 1.128379167095512573896158903122;

/// Each formula of a rule as a function of its own: the macros take one to
/// three.
#define FERRY_LINE(FORMULA)                                                    \
  [](const Expression &D, [[maybe_unused]] const Operand &X,                   \
     [[maybe_unused]] const Operand &Y, [[maybe_unused]] const Operand &Z,     \
     [[maybe_unused]] const Operand &R) -> Expression { return FORMULA; }
#define FERRY_LINES1(A) FERRY_LINE((A))
#define FERRY_LINES2(A, B) FERRY_LINE((A)), FERRY_LINE((B))
#define FERRY_LINES3(A, B, C) FERRY_LINE((A)), FERRY_LINE((B)), FERRY_LINE((C))
#define FERRY_PICK(A, B, C, NAME, ...) NAME
#define FERRY_LINES(...)                                                       \
  FERRY_PICK(__VA_ARGS__, FERRY_LINES3, FERRY_LINES2, FERRY_LINES1, )          \
  (__VA_ARGS__)

static const StringMap<Rule> &rules() {
  static const StringMap<Rule> Table = [] {
    StringMap<Rule> T;
#define FERRY_RULE(NAME, ...) T[#NAME] = Rule{{FERRY_LINES(__VA_ARGS__)}};
#define FERRY_SAME(NAME, OTHER) T[#NAME] = T[#OTHER];
#define FERRY_NONE(NAME) T[#NAME] = Rule{};
#include "Autodiff/Rules.def"
    return T;
  }();
  return Table;
}

/// Rules.def's name for the function that `Call` calls.
static StringRef ruleName(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand());
  if (!F || !F->getReturnType()->isFPOrFPVectorTy() || F->arg_empty() ||
      !F->getArg(0)->getType()->isFPOrFPVectorTy())
    return "";
  // `__enzyme_function_like`: the user's word counts.
  if (Attribute A = F->getFnAttribute("enzyme_math"); A.isStringAttribute())
    return A.getValueAsString();
  if (!F->isDeclaration())
    return "";
  if (F->isIntrinsic()) {
    StringRef Name = Intrinsic::getBaseName(F->getIntrinsicID());
    Name.consume_front("llvm.");
    return Name;
  }
  StringRef Name = F->getName();
  // Names of opcodes and intrinsics that a function would have by chance.
  for (StringRef Taken :
       {"fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "powi", "fmuladd",
        "canonicalize", "maximum", "minimum", "maxnum", "minnum"})
    if (Name == Taken)
      return "";
  if (F->getReturnType()->isFloatTy() && Name.size() > 2)
    Name.consume_back("f");
  return Name;
}

const Rule *findRule(const Instruction &I) {
  StringRef Name;
  if (auto *Call = dyn_cast<CallBase>(&I))
    Name = ruleName(*Call);
  else if (isa<UnaryOperator, BinaryOperator>(I) &&
           I.getType()->isFPOrFPVectorTy())
    Name = I.getOpcodeName();
  auto Found = rules().find(Name);
  return Found == rules().end() ? nullptr : &Found->second;
}

unsigned operandCount(const Rule &R) {
  return static_cast<unsigned>(R.Lines.size());
}

/// Whether `Out`, which is linear in `D`, is zero for certain where `D` is: the
/// factor is a finite constant.
static bool isZeroWith(const Value &Out, const Value &D) {
  if (&Out == &D)
    return true;
  if (auto *C = dyn_cast<ConstantFP>(&Out))
    return C->isZero();
  auto *I = dyn_cast<Instruction>(&Out);
  if (!I)
    return false;
  auto IsFinite = [](const Value *V) {
    auto *C = dyn_cast<ConstantFP>(V);
    return C && C->getValueAPF().isFiniteNonZero();
  };
  const Value *X = I->getOperand(0);
  switch (I->getOpcode()) {
  case Instruction::FNeg:
    return isZeroWith(*X, D);
  case Instruction::FMul:
  case Instruction::FDiv:
    return isZeroWith(*X, D) && IsFinite(I->getOperand(1));
  case Instruction::Select:
    return isZeroWith(*I->getOperand(1), D) && isZeroWith(*I->getOperand(2), D);
  default:
    return false;
  }
}

Value *applyRule(const Rule &R, unsigned Index, IRBuilderBase &B, Value *D,
                 Operand::Reader Read) {
  Value *Out =
      R.Lines[Index](Expression(B, D), Operand(B, Read, 0), Operand(B, Read, 1),
                     Operand(B, Read, 2), Operand(B, Read, ResultOfRule))
          .as(D->getType());
  if (isa<Constant>(Out) || isZeroWith(*Out, *D))
    return Out;
  return unlessZero(B, D, Out);
}

} // namespace ferry::ad
