//===- ferry/detail/macros_end.h - The user's macros, put back --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See macros_begin.h.
//
//===----------------------------------------------------------------------===//

#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("C")
#pragma pop_macro("D")
#pragma pop_macro("E")
#pragma pop_macro("F")
#pragma pop_macro("G")
#pragma pop_macro("H")
#pragma pop_macro("I")
#pragma pop_macro("J")
#pragma pop_macro("K")
#pragma pop_macro("L")
#pragma pop_macro("M")
#pragma pop_macro("N")
#pragma pop_macro("O")
#pragma pop_macro("P")
#pragma pop_macro("Q")
#pragma pop_macro("R")
#pragma pop_macro("S")
#pragma pop_macro("T")
#pragma pop_macro("U")
#pragma pop_macro("V")
#pragma pop_macro("W")
#pragma pop_macro("X")
#pragma pop_macro("Y")
#pragma pop_macro("Z")
