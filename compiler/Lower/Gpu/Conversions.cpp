//===- Conversions.cpp - Operations that become calls of Builtins.c -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GPU back ends expand the arithmetic of wide integers themselves, but turn a
// conversion between one of more than 64 bits and floating point into a call of
// compiler-rt, which a GPU does not have. Here the conversions become calls of
// Builtins.c, which has those functions under their usual names, and so does
// the scaling by a power of two.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry {

static bool isWide(Type *T) {
  auto *Int = dyn_cast<IntegerType>(T);
  return Int && Int->getBitWidth() > 64 && Int->getBitWidth() <= 128;
}

/// float or double; half computes in float, which holds all its values.
static Type *computedIn(Type *Float) {
  return Float->isDoubleTy() ? Float : Type::getFloatTy(Float->getContext());
}

static Value *callBuiltin(IRBuilder<> &B, StringRef Name, Type *Result,
                          Value *Argument) {
  Module *M = B.GetInsertBlock()->getModule();
  return B.CreateCall(M->getOrInsertFunction(Name, Result, Argument->getType()),
                      Argument);
}

static Value *toFloat(IRBuilder<> &B, Value *Int, Type *Float, bool Signed) {
  Type *Wide = B.getIntNTy(128);
  Int = Signed ? B.CreateSExt(Int, Wide) : B.CreateZExt(Int, Wide);
  bool Double = Float->isDoubleTy();
  StringRef Name = Signed ? (Double ? "__floattidf" : "__floattisf")
                          : (Double ? "__floatuntidf" : "__floatuntisf");
  return B.CreateFPCast(callBuiltin(B, Name, computedIn(Float), Int), Float);
}

static Value *toInteger(IRBuilder<> &B, Value *Float, Type *Int, bool Signed) {
  Float = B.CreateFPCast(Float, computedIn(Float->getType()));
  bool Double = Float->getType()->isDoubleTy();
  StringRef Name = Signed ? (Double ? "__fixdfti" : "__fixsfti")
                          : (Double ? "__fixunsdfti" : "__fixunssfti");
  return B.CreateTrunc(callBuiltin(B, Name, B.getIntNTy(128), Float), Int);
}

/// llvm.fpto[su]i.sat: clamped to what the integer holds, 0 for NaN.
static Value *toIntegerSaturating(IRBuilder<> &B, Value *Float, Type *Int,
                                  bool Signed) {
  unsigned Bits = Int->getIntegerBitWidth();
  Float = B.CreateFPCast(Float, computedIn(Float->getType()));
  Type *T = Float->getType();
  APInt Least = Signed ? APInt::getSignedMinValue(Bits) : APInt::getZero(Bits);
  APInt Most =
      Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits);
  // The first value too large, a power of two: infinity where the type ends
  // before it.
  APFloat Limit(T->getFltSemantics(), 1);
  Limit = scalbn(Limit, Signed ? Bits - 1 : Bits, APFloat::rmNearestTiesToEven);
  Value *TooLarge = B.CreateFCmpOGE(Float, ConstantFP::get(T, Limit));
  Value *TooSmall = Signed
                        ? B.CreateFCmpOLT(Float, ConstantFP::get(T, neg(Limit)))
                        : B.CreateFCmpOLT(Float, ConstantFP::getZero(T));
  Value *Result = toInteger(B, Float, Int, Signed);
  Result = B.CreateSelect(TooLarge, ConstantInt::get(Int, Most), Result);
  Result = B.CreateSelect(TooSmall, ConstantInt::get(Int, Least), Result);
  return B.CreateSelect(B.CreateFCmpUNO(Float, Float), ConstantInt::get(Int, 0),
                        Result);
}

/// llvm.ldexp, which libclc gets wrong for NaN and NVPTX does not have.
static Value *scaled(IRBuilder<> &B, Value *Float, Value *Exponent) {
  Type *Asked = Float->getType();
  Type *T = computedIn(Asked);
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      T->isDoubleTy() ? "ldexp" : "ldexpf", T, T, B.getInt32Ty());
  Value *Result =
      B.CreateCall(Callee, {B.CreateFPCast(Float, T),
                            B.CreateSExtOrTrunc(Exponent, B.getInt32Ty())});
  return B.CreateFPCast(Result, Asked);
}

static Value *lowered(Instruction &I) {
  IRBuilder<> B(&I);
  switch (I.getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    if (isWide(I.getOperand(0)->getType()))
      return toFloat(B, I.getOperand(0), I.getType(),
                     I.getOpcode() == Instruction::SIToFP);
    return nullptr;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    if (isWide(I.getType()))
      return toInteger(B, I.getOperand(0), I.getType(),
                       I.getOpcode() == Instruction::FPToSI);
    return nullptr;
  default:
    break;
  }
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  if (!Intrinsic)
    return nullptr;
  if (Intrinsic->getIntrinsicID() == Intrinsic::ldexp &&
      I.getType()->isFloatingPointTy())
    return scaled(B, Intrinsic->getArgOperand(0), Intrinsic->getArgOperand(1));
  if (!isWide(I.getType()))
    return nullptr;
  bool Signed = Intrinsic->getIntrinsicID() == Intrinsic::fptosi_sat;
  if (!Signed && Intrinsic->getIntrinsicID() != Intrinsic::fptoui_sat)
    return nullptr;
  return toIntegerSaturating(B, Intrinsic->getArgOperand(0), I.getType(),
                             Signed);
}

void lowerToBuiltins(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (Value *Result = lowered(I)) {
        I.replaceAllUsesWith(Result);
        I.eraseFromParent();
      }
}

} // namespace ferry
