//===- Expression.cpp - Writing IR as formulas ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are LLVM's intrinsics, which exist for vectors too, are folded for
// constants, and become calls of libm where a target has nothing better.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Expression.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ferry::ad {

Value *Expression::as(Type *T) const {
  if (V)
    return V;
  return T->isIntOrIntVectorTy()
             ? ConstantInt::getSigned(T, static_cast<int64_t>(Number))
             : ConstantFP::get(T, Number);
}

namespace {
/// Two operands that have met.
struct Pair {
  IRBuilderBase &B;
  Value *L, *R;
  Pair(const Expression &A, const Expression &C)
      : B(A.isNumber() ? C.builder() : A.builder()),
        L(A.as(A.isNumber() ? C.value()->getType() : A.value()->getType())),
        R(C.as(L->getType())) {
    // The exponent of powi is an integer.
    if (L->getType()->isFPOrFPVectorTy() && R->getType()->isIntegerTy())
      R = B.CreateSIToFP(R, L->getType()->getScalarType());
    if (L->getType()->isIntegerTy() && R->getType()->isFPOrFPVectorTy())
      L = B.CreateSIToFP(L, R->getType()->getScalarType());
    if (auto *T = dyn_cast<VectorType>(L->getType());
        T && !R->getType()->isVectorTy())
      R = B.CreateVectorSplat(T->getElementCount(), R);
  }
};
} // namespace

Expression operator-(const Expression &A) {
  return {A.builder(), A.builder().CreateFNeg(A.value())};
}
Expression operator+(const Expression &A, const Expression &B) {
  Pair P(A, B);
  return {P.B, P.B.CreateFAdd(P.L, P.R)};
}
Expression operator-(const Expression &A, const Expression &B) {
  Pair P(A, B);
  if (P.L->getType()->isIntegerTy())
    return {P.B, P.B.CreateSub(P.L, P.R)};
  return {P.B, P.B.CreateFSub(P.L, P.R)};
}
Expression operator*(const Expression &A, const Expression &B) {
  Pair P(A, B);
  return {P.B, P.B.CreateFMul(P.L, P.R)};
}
Expression operator/(const Expression &A, const Expression &B) {
  Pair P(A, B);
  return {P.B, P.B.CreateFDiv(P.L, P.R)};
}

Condition operator==(const Expression &A, const Expression &B) {
  Pair P(A, B);
  if (P.L->getType()->isIntegerTy())
    return {P.B, P.B.CreateICmpEQ(P.L, P.R)};
  return {P.B, P.B.CreateFCmpOEQ(P.L, P.R)};
}
Condition operator>(const Expression &A, const Expression &B) {
  Pair P(A, B);
  return {P.B, P.B.CreateFCmpOGT(P.L, P.R)};
}
Condition operator>=(const Expression &A, const Expression &B) {
  Pair P(A, B);
  return {P.B, P.B.CreateFCmpOGE(P.L, P.R)};
}
Condition operator<=(const Expression &A, const Expression &B) {
  Pair P(A, B);
  return {P.B, P.B.CreateFCmpOLE(P.L, P.R)};
}
Condition operator&(const Condition &A, const Condition &B) {
  return {A.B, A.B.CreateAnd(A.V, B.V)};
}
Condition operator|(const Condition &A, const Condition &B) {
  return {A.B, A.B.CreateOr(A.V, B.V)};
}
Condition isNan(const Expression &A) {
  return {A.builder(), A.builder().CreateFCmpUNO(A.value(), A.value())};
}

Expression when(const Condition &If, const Expression &Then,
                const Expression &Else) {
  Pair P(Then, Else);
  return {P.B, P.B.CreateSelect(If.V, P.L, P.R)};
}

static Expression unary(Intrinsic::ID Id, const Expression &X) {
  return {X.builder(), X.builder().CreateUnaryIntrinsic(Id, X.value())};
}
Expression sin(const Expression &X) { return unary(Intrinsic::sin, X); }
Expression cos(const Expression &X) { return unary(Intrinsic::cos, X); }
Expression sinh(const Expression &X) { return unary(Intrinsic::sinh, X); }
Expression cosh(const Expression &X) { return unary(Intrinsic::cosh, X); }
Expression exp(const Expression &X) { return unary(Intrinsic::exp, X); }
Expression log(const Expression &X) { return unary(Intrinsic::log, X); }
Expression sqrt(const Expression &X) { return unary(Intrinsic::sqrt, X); }
Expression fabs(const Expression &X) { return unary(Intrinsic::fabs, X); }
Expression rint(const Expression &X) { return unary(Intrinsic::rint, X); }

Expression copysign(const Expression &Magnitude, const Expression &Sign) {
  Pair P(Magnitude, Sign);
  return {P.B, P.B.CreateBinaryIntrinsic(Intrinsic::copysign, P.L, P.R)};
}

Expression pow(const Expression &X, const Expression &Y) {
  IRBuilderBase &B = X.builder();
  Value *Exponent = Y.value();
  if (Exponent->getType()->isIntegerTy())
    return {B, B.CreateIntrinsic(Intrinsic::powi,
                                 {X.value()->getType(), Exponent->getType()},
                                 {X.value(), Exponent})};
  return {B, B.CreateBinaryIntrinsic(Intrinsic::pow, X.value(), Exponent)};
}

Expression ldexp(const Expression &X, const Expression &Exponent) {
  IRBuilderBase &B = X.builder();
  // scalbln's exponent is a long: no value of a double needs more than an int.
  Value *E = Exponent.value();
  if (E->getType()->isIntegerTy(64)) {
    Value *Low = B.getInt64(-100000), *High = B.getInt64(100000);
    E = B.CreateBinaryIntrinsic(Intrinsic::smax, E, Low);
    E = B.CreateBinaryIntrinsic(Intrinsic::smin, E, High);
    E = B.CreateTrunc(E, B.getInt32Ty());
  }
  return {B, B.CreateIntrinsic(Intrinsic::ldexp,
                               {X.value()->getType(), E->getType()},
                               {X.value(), E})};
}

} // namespace ferry::ad
