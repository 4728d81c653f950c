//===- ferry/access.h - what kernels do to their arguments ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of runtime.h: which bytes of its buffers a launch reads and writes, as
// formulas that the plugin finds in the kernel's code and libferry evaluates
// when it knows the arguments and the shape.
//
// A formula counts with *symbols*. Each stands for numbers 0 ... count-1: the
// thread's place in the launch, the turns of a loop in the kernel, the bytes of
// a memset. One access of the kernel touches
//
//   base + stride * symbol + stride * symbol + ...
//
// and `bytes` bytes from there, for all values of the symbols that meet its
// conditions.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_ACCESS_H
#define FERRY_ACCESS_H

#include <stdint.h>

// Formulas in postfix order. Values are intervals of whole numbers of any size;
// a formula is true of the kernel's own arithmetic modulo 2^bits of the type
// that the kernel computes in, and ZEXT and SEXT take the number that the
// kernel has.
#define FERRY_OP_CONSTANT 0 // push `value`
#define FERRY_OP_SLOT 1     // push the slot number `value`
#define FERRY_OP_EXTENT 2   // push geometry.extent[value]
#define FERRY_OP_BLOCK 3    // push geometry.block[value]
#define FERRY_OP_GRID 4     // push the number of blocks along `value`
#define FERRY_OP_SYMBOL 5   // push all values of symbol `value`
#define FERRY_OP_ADD 6
#define FERRY_OP_MUL 7
#define FERRY_OP_UDIV 8
#define FERRY_OP_UREM 9
#define FERRY_OP_MIN 10
#define FERRY_OP_MAX 11
#define FERRY_OP_HULL 12  // from the first to the second
#define FERRY_OP_EQUAL 13 // 1 or 0
#define FERRY_OP_LESS 14  // likewise
#define FERRY_OP_ZEXT 15  // of `value` bits, unsigned
#define FERRY_OP_SEXT 16  // of `value` bits, signed

struct ferry_op {
  uint32_t code;
  uint32_t reserved;
  int64_t value;
};

struct ferry_formula {
  const struct ferry_op *ops;
  uint64_t num_ops;
};

struct ferry_symbol {
  // How many values it has, at most; no operations: nobody knows.
  struct ferry_formula count;
};

struct ferry_term {
  uint64_t symbol;
  struct ferry_formula stride;
};

struct ferry_sum {
  struct ferry_formula base;
  uint64_t num_terms;
  const struct ferry_term *terms;
};

// Relations of a condition: value R bound, both of `width` bits.
#define FERRY_WHEN_ULT 0
#define FERRY_WHEN_UGE 1
#define FERRY_WHEN_SLT 2
#define FERRY_WHEN_SGE 3
#define FERRY_WHEN_EQ 4
#define FERRY_WHEN_NE 5
// The kernel's arithmetic is right only while the value fits `width` bits;
// otherwise the access may be anywhere.
#define FERRY_WHEN_FITS_UNSIGNED 6
#define FERRY_WHEN_FITS_SIGNED 7
// The count of the only term's symbol is known exactly.
#define FERRY_WHEN_EXACT 8

// Or-ed to a relation: the loop whose turns `turns` counts ends at the first
// turn that does not meet it.
#define FERRY_WHEN_LOOP 0x100
// Or-ed to FITS: other conditions rely on it, for all values of the symbols.
#define FERRY_WHEN_BEFORE 0x200

struct ferry_condition {
  struct ferry_sum value;
  struct ferry_formula bound;
  uint32_t relation;
  uint32_t width;
  uint64_t turns; // a symbol
};

// What an access is. OVERWRITE: whatever meets the conditions is certainly
// written, so what the host had there does not matter.
#define FERRY_DOES_READ 1
#define FERRY_DOES_WRITE 2
#define FERRY_DOES_OVERWRITE 4
#define FERRY_DOES_ANYWHERE 8 // no formula

struct ferry_access {
  uint32_t does;
  uint32_t num_conditions;
  uint64_t bytes;
  struct ferry_sum offset; // from the buffer's start
  const struct ferry_condition *conditions;
};

// All accesses to one buffer. Without any, the kernel does not use it.
struct ferry_usage {
  // The kernel looks at the pointer itself, or may load more than it uses: the
  // device needs room for the whole buffer, or for as much as this.
  uint64_t room;
  uint64_t num_accesses;
  const struct ferry_access *accesses;
};

// No sum has more terms, no access more conditions, no formula more operations.
#define FERRY_MOST_TERMS 12
#define FERRY_MOST_CONDITIONS 16
#define FERRY_MOST_OPS 64

#endif // FERRY_ACCESS_H
