//===- enzyme.h - Enzyme's calling convention -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations, for C and C++, of the functions and markers by which programs
// ask for derivatives. Nothing here has a definition: Ferry's compiler plugin
// puts the derivative in the place of each call. A program may as well declare
// them itself, with the types that suit it.
//
//   double square(double x) { return x * x; }
//   double slope = __enzyme_autodiff<double>((void *)square, 3.0);      // 6
//
// In C the result is a double; for another type declare another function whose
// name contains `__enzyme_autodiff`.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_ENZYME_H
#define FERRY_ENZYME_H

#ifdef __cplusplus
extern "C" {
#endif

/// The argument after it comes with its shadow: in forward mode its tangent, in
/// reverse mode memory that its gradient is added to. Pointers' default.
extern int enzyme_dup;
/// The same, where what the function itself writes does not matter.
extern int enzyme_dupnoneed;
/// The number after it is an argument whose gradient is returned.
extern int enzyme_out;
/// The argument after it is constant. The default for integers.
extern int enzyme_const;
/// Before the stride in bytes, the argument and the first of several shadows.
extern int enzyme_dupv;
extern int enzyme_dupnoneedv;
/// After the last argument: all shadows follow, in the arguments' order.
extern int enzyme_interleave;
/// Before a constant number: how many shadows each argument has.
extern int enzyme_width;
/// What the function returns is returned too, before its derivatives.
extern int enzyme_primal_return;
/// What the function returns is not differentiated.
extern int enzyme_const_return;
extern int enzyme_noret;
/// What the function returns is differentiated, whatever its type.
extern int enzyme_active_return;
extern int enzyme_dup_return;

#ifndef __cplusplus
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#else
} // extern "C"

/// The gradient: `Result` holds the derivative for each number among the
/// arguments, in order. Gradients of what pointers lead to are added to their
/// shadows.
template <class Result, class... Arguments>
Result __enzyme_autodiff(void *Function, Arguments...);

/// The derivative along the tangents that are given with the arguments.
template <class Result, class... Arguments>
Result __enzyme_fwddiff(void *Function, Arguments...);
#endif

#endif // FERRY_ENZYME_H
