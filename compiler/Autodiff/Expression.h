//===- Expression.h - Writing IR as formulas --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `D * cos(X)` on values of this type emits the instructions. A number takes
// the type of what it meets.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_EXPRESSION_H
#define FERRY_COMPILER_AUTODIFF_EXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace ferry::ad {

/// A floating-point value, or a number that has no type yet.
class Expression {
public:
  Expression(double Number) : Number(Number) {}
  Expression(llvm::IRBuilderBase &B, llvm::Value *V) : B(&B), V(V) {}

  bool isNumber() const { return !V; }
  llvm::IRBuilderBase &builder() const { return *B; }
  /// The value, a number as a constant of type `T`.
  llvm::Value *as(llvm::Type *T) const;
  llvm::Value *value() const { return V; }

private:
  llvm::IRBuilderBase *B = nullptr;
  llvm::Value *V = nullptr;
  double Number = 0;
};

struct Condition {
  llvm::IRBuilderBase &B;
  llvm::Value *V;
};

/// An operand or the result of the operation that a rule is about. In reverse
/// mode to read it costs memory, so it is asked for only where a rule names it.
class Operand {
public:
  using Reader = llvm::function_ref<llvm::Value *(unsigned)>;
  Operand(llvm::IRBuilderBase &B, Reader Read, unsigned Index)
      : B(B), Read(Read), Index(Index) {}
  operator Expression() const { return {B, Read(Index)}; }

private:
  llvm::IRBuilderBase &B;
  Reader Read;
  unsigned Index;
};

Expression operator-(const Expression &A);
Expression operator+(const Expression &A, const Expression &B);
Expression operator-(const Expression &A, const Expression &B);
Expression operator*(const Expression &A, const Expression &B);
Expression operator/(const Expression &A, const Expression &B);

Condition operator==(const Expression &A, const Expression &B);
Condition operator>(const Expression &A, const Expression &B);
Condition operator>=(const Expression &A, const Expression &B);
Condition operator<=(const Expression &A, const Expression &B);
Condition operator&(const Condition &A, const Condition &B);
Condition operator|(const Condition &A, const Condition &B);
Condition isNan(const Expression &A);
Expression when(const Condition &If, const Expression &Then,
                const Expression &Else);

Expression sin(const Expression &X);
Expression cos(const Expression &X);
Expression sinh(const Expression &X);
Expression cosh(const Expression &X);
Expression exp(const Expression &X);
Expression log(const Expression &X);
Expression sqrt(const Expression &X);
Expression fabs(const Expression &X);
Expression rint(const Expression &X);
Expression copysign(const Expression &Magnitude, const Expression &Sign);
/// `Y` may be an integer.
Expression pow(const Expression &X, const Expression &Y);
Expression ldexp(const Expression &X, const Expression &Exponent);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_EXPRESSION_H
