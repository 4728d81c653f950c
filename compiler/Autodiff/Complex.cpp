//===- Complex.cpp - Library functions of complex numbers -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products and quotients of complex numbers are calls of the compiler's library
// (compiler-rt's muldc3.c and divdc3.c), which has no body here. They are
// replaced by the formulas, without what the C standard's Annex G recovers of
// infinities: their derivatives are NaN with it and without it. A quotient is
// computed as Smith does it ("Algorithm 116: Complex division", 1962), which
// does not overflow where the result does not.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Helpers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace ferry::ad {

namespace {
enum class Kind { None, Product, Quotient, Argument, Modulus };

struct Number {
  Value *Real, *Imaginary;
};
} // namespace

static Kind kindOf(StringRef Name) {
  return StringSwitch<Kind>(Name)
      .Cases({"__muldc3", "__mulsc3"}, Kind::Product)
      .Cases({"__divdc3", "__divsc3"}, Kind::Quotient)
      .Cases({"carg", "cargf"}, Kind::Argument)
      .Cases({"cabs", "cabsf"}, Kind::Modulus)
      .Default(Kind::None);
}

static Number product(IRBuilder<> &B, Number X, Number Y) {
  return {B.CreateFSub(B.CreateFMul(X.Real, Y.Real),
                       B.CreateFMul(X.Imaginary, Y.Imaginary)),
          B.CreateFAdd(B.CreateFMul(X.Real, Y.Imaginary),
                       B.CreateFMul(X.Imaginary, Y.Real))};
}

/// X / Y, where the real part of Y is the larger one, or both are swapped:
///   r = c / b,  d = b + c r:  (x + y r) / d  and  (y - x r) / d
static Number quotient(IRBuilder<> &B, Number X, Number Y) {
  Value *Real = B.CreateUnaryIntrinsic(Intrinsic::fabs, Y.Real);
  Value *Imaginary = B.CreateUnaryIntrinsic(Intrinsic::fabs, Y.Imaginary);
  Value *Swap = B.CreateFCmpOLT(Real, Imaginary);
  // (x + iy) / (b + ic) = (y - ix) / (c - ib)
  Value *Large = B.CreateSelect(Swap, Y.Imaginary, Y.Real);
  Value *Small = B.CreateSelect(Swap, B.CreateFNeg(Y.Real), Y.Imaginary);
  Value *P = B.CreateSelect(Swap, X.Imaginary, X.Real);
  Value *Q = B.CreateSelect(Swap, B.CreateFNeg(X.Real), X.Imaginary);
  Value *Ratio = B.CreateFDiv(Small, Large);
  Value *Divisor = B.CreateFAdd(Large, B.CreateFMul(Small, Ratio));
  return {B.CreateFDiv(B.CreateFAdd(P, B.CreateFMul(Q, Ratio)), Divisor),
          B.CreateFDiv(B.CreateFSub(Q, B.CreateFMul(P, Ratio)), Divisor)};
}

/// The numbers among the arguments: two parts each, or a vector of both.
static SmallVector<Value *> parts(IRBuilder<> &B, CallBase &Call) {
  SmallVector<Value *> Parts;
  for (Value *V : Call.args()) {
    if (V->getType()->isFloatingPointTy()) {
      Parts.push_back(V);
    } else if (auto *T = dyn_cast<FixedVectorType>(V->getType());
               T && T->getNumElements() == 2) {
      Parts.push_back(B.CreateExtractElement(V, uint64_t(0)));
      Parts.push_back(B.CreateExtractElement(V, uint64_t(1)));
    }
  }
  return Parts;
}

/// The result in the type that the ABI has for it, if it is a known one.
static Value *pack(IRBuilder<> &B, Number N, Type *T) {
  Value *Result = PoisonValue::get(T);
  if (auto *S = dyn_cast<StructType>(T); S && S->getNumElements() == 2)
    return B.CreateInsertValue(B.CreateInsertValue(Result, N.Real, 0),
                               N.Imaginary, 1);
  if (auto *V = dyn_cast<FixedVectorType>(T); V && V->getNumElements() == 2)
    return B.CreateInsertElement(
        B.CreateInsertElement(Result, N.Real, uint64_t(0)), N.Imaginary,
        uint64_t(1));
  return nullptr;
}

bool expandComplex(CallBase &Call) {
  auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
  Kind What = Callee && Callee->isDeclaration() && isa<CallInst>(Call)
                  ? kindOf(Callee->getName())
                  : Kind::None;
  if (What == Kind::None)
    return false;
  IRBuilder<> B(&Call);
  SmallVector<Value *> Parts = parts(B, Call);
  bool Two = What == Kind::Product || What == Kind::Quotient;
  if (Parts.size() != (Two ? 4 : 2))
    return false;
  Value *Result = nullptr;
  if (Two) {
    Number X{Parts[0], Parts[1]}, Y{Parts[2], Parts[3]};
    Result =
        pack(B, What == Kind::Product ? product(B, X, Y) : quotient(B, X, Y),
             Call.getType());
  } else {
    Type *T = Parts[0]->getType();
    bool Short = T->isFloatTy();
    StringRef Name = What == Kind::Argument ? (Short ? "atan2f" : "atan2")
                                            : (Short ? "hypotf" : "hypot");
    FunctionCallee F = Call.getModule()->getOrInsertFunction(Name, T, T, T);
    Result = What == Kind::Argument ? B.CreateCall(F, {Parts[1], Parts[0]})
                                    : B.CreateCall(F, {Parts[0], Parts[1]});
  }
  if (!Result)
    return false;
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
  return true;
}

} // namespace ferry::ad
