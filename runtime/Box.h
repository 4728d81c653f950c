//===- Box.h - What one access of a kernel touches --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the formulas of ferry/access.h. An access is a box: every symbol
// runs from `Lo` to `Hi`, and offset and conditions are rows of a matrix with a
// column a symbol. Conditions cut the box:
//
//   - one that holds in all of it changes nothing;
//   - one on a single column moves that column's ends;
//   - one on several first moves the ends of each as far as the others allow.
//     Where it still cuts through, and the columns together count evenly
//     (`block * 256 + thread`, `turn * threads + id`), they become one column,
//     provided that all rows count in the same way.
//
// Then the ends of the offset are the ends of what is touched. The answers must
// err on one side: for reads and writes the box may be too large, for
// overwriting too small. A condition with an unknown part is left out of the
// former and spoils the latter. Overwriting also wants the box without gaps:
// sorted by stride, each column starts no later than the ones before have
// covered.
//
// The kernel computes modulo 2^64, which is the same as long as the answer
// fits.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_BOX_H
#define FERRY_RUNTIME_BOX_H

#include "Intervals.h"
#include "Ranges.h"
#include "Relations.h"

namespace ferry::rt {

struct Column {
  uint64_t Symbol;
  Int Lo, Hi;              ///< exclusive
  int Into = -1;           ///< the column that it became a part of
  bool IsCompound = false; ///< has become one with others
  bool IsShifted = false;  ///< did not start at 0 then

  bool isSingle() const { return Hi - Lo == 1; }
};

struct Row {
  Interval Base;
  Int Stride[FERRY_MOST_TERMS];
  bool Done; ///< has cut the box
};

/// Evaluates one access.
class Box {
public:
  Box(const RangeInputs &In, const ferry_access &A)
      : In(In), A(A), Must(A.does & FERRY_DOES_OVERWRITE) {}

  enum class Answer { Nothing, Some, Anywhere };

  /// Some: Begin and End are its ends, and `Full` says that it has no gaps and
  /// nothing was left out.
  Answer run() {
    addColumns(A.offset);
    for (uint32_t I = 0; I < A.num_conditions; ++I)
      addColumns(A.conditions[I].value);
    if (TooMany)
      return Answer::Anywhere;
    for (uint32_t I = 0; I < NumColumns; ++I)
      if (Columns[I].Hi <= 0)
        return Answer::Nothing;
    NumRows = 0;
    fillRow(A.offset);
    for (uint32_t I = 0; I < A.num_conditions; ++I)
      fillRow(A.conditions[I].value);

    for (uint32_t I = 0; I < A.num_conditions; ++I)
      if (!Must && (A.conditions[I].relation & FERRY_WHEN_BEFORE) &&
          !fits(A.conditions[I], Rows[I + 1]))
        return Answer::Anywhere;

    // One that can't be imposed may be met when others have been.
    for (bool Again = true; Again;) {
      Again = false;
      for (uint32_t I = 0; I < A.num_conditions; ++I) {
        Row &R = Rows[I + 1];
        if (R.Done || isFit(A.conditions[I]))
          continue;
        Cut Result = impose(A.conditions[I], R);
        if (Result == Cut::Nothing)
          return Answer::Nothing;
        R.Done = Result == Cut::Done;
        Again |= R.Done;
      }
    }
    for (uint32_t I = 0; I < A.num_conditions; ++I)
      Sure &= Rows[I + 1].Done || isFit(A.conditions[I]);
    for (uint32_t I = 0; I < A.num_conditions; ++I)
      if (!fits(A.conditions[I], Rows[I + 1]))
        return Answer::Anywhere;
    return measure();
  }

  Int Begin = 0, End = 0;
  bool Full = false;

private:
  const RangeInputs &In;
  const ferry_access &A;
  bool Must;
  bool Sure = true; ///< all conditions are known and imposed exactly
  bool TooMany = false;
  Column Columns[FERRY_MOST_TERMS];
  uint32_t NumColumns = 0;
  Row Rows[FERRY_MOST_CONDITIONS + 1];
  uint32_t NumRows = 0;

  //===--- Formulas -------------------------------------------------------===//

  Interval valuesOf(uint64_t Symbol, unsigned Depth) const {
    for (uint32_t I = 0; I < NumColumns; ++I)
      if (Columns[I].Symbol == Symbol && Columns[I].Into < 0)
        return interval(Columns[I].Lo, Columns[I].Hi - 1);
    Interval Count = countOf(Symbol, Depth);
    return interval(0,
                    std::max<Int>(Count.Known ? Count.Hi : Countless, 1) - 1);
  }

  Interval countOf(uint64_t Symbol, unsigned Depth) const {
    if (Depth > 8)
      return Interval();
    return evaluate(In.Kernel.symbols[Symbol].count, Depth + 1);
  }

  Interval blocksAlong(int64_t Dimension) const {
    const ferry_geometry &G = In.Geometry;
    uint64_t Extent = G.extent[Dimension];
    if (In.Kernel.shape == FERRY_OVER)
      Extent = (Extent + G.block[Dimension] - 1) / G.block[Dimension];
    return point(Extent);
  }

  Interval leaf(const ferry_op &Op, unsigned Depth) const {
    switch (Op.code) {
    case FERRY_OP_CONSTANT:
      return point(Op.value);
    case FERRY_OP_SLOT:
      return point(static_cast<int64_t>(In.Slots[Op.value]));
    case FERRY_OP_EXTENT:
      return point(In.Geometry.extent[Op.value]);
    case FERRY_OP_BLOCK:
      return point(In.Geometry.block[Op.value]);
    case FERRY_OP_GRID:
      return blocksAlong(Op.value);
    default:
      return valuesOf(Op.value, Depth);
    }
  }

  static Interval combine(uint32_t Code, Interval X, Interval Y) {
    bool Both = X.Known && Y.Known;
    switch (Code) {
    case FERRY_OP_ADD:
      return add(X, Y);
    case FERRY_OP_MUL:
      return multiply(X, Y);
    case FERRY_OP_UDIV:
      return divide(X, Y, /*Remainder=*/false);
    case FERRY_OP_UREM:
      return divide(X, Y, /*Remainder=*/true);
    case FERRY_OP_MIN:
      return Both ? interval(std::min(X.Lo, Y.Lo), std::min(X.Hi, Y.Hi))
                  : Interval();
    case FERRY_OP_MAX:
      return Both ? interval(std::max(X.Lo, Y.Lo), std::max(X.Hi, Y.Hi))
                  : Interval();
    case FERRY_OP_EQUAL:
      if (Both && X.isPoint() && Y.isPoint())
        return point(X.Lo == Y.Lo);
      return interval(0, !Both || (X.Lo <= Y.Hi && Y.Lo <= X.Hi));
    case FERRY_OP_LESS:
      return Both ? interval(X.Hi < Y.Lo, X.Lo < Y.Hi) : interval(0, 1);
    default: // FERRY_OP_HULL
      return Both ? interval(std::min(X.Lo, Y.Lo), std::max(X.Hi, Y.Hi))
                  : Interval();
    }
  }

  Interval evaluate(const ferry_formula &F, unsigned Depth = 0) const {
    Interval Stack[FERRY_MOST_OPS];
    unsigned Size = 0;
    if (F.num_ops > FERRY_MOST_OPS)
      return Interval();
    for (uint64_t I = 0; I < F.num_ops; ++I) {
      const ferry_op &Op = F.ops[I];
      if (Op.code <= FERRY_OP_SYMBOL) {
        Stack[Size++] = leaf(Op, Depth);
      } else if (Op.code == FERRY_OP_ZEXT || Op.code == FERRY_OP_SEXT) {
        Interval &V = Stack[Size - 1];
        V = Op.code == FERRY_OP_ZEXT ? wrapUnsigned(V, Op.value)
                                     : wrapSigned(V, Op.value);
      } else {
        --Size;
        Stack[Size - 1] = combine(Op.code, Stack[Size - 1], Stack[Size]);
      }
    }
    return Size ? Stack[0] : Interval();
  }

  //===--- Columns and rows -----------------------------------------------===//

  uint32_t columnOf(uint64_t Symbol) const {
    uint32_t I = 0;
    while (I < NumColumns && Columns[I].Symbol != Symbol)
      ++I;
    return I;
  }

  void addColumns(const ferry_sum &Sum) {
    for (uint64_t I = 0; I < Sum.num_terms; ++I) {
      uint64_t Symbol = Sum.terms[I].symbol;
      if (columnOf(Symbol) != NumColumns)
        continue;
      Interval Count = countOf(Symbol, 0);
      if (Count.isPoint() && Count.Lo == 1)
        continue; // always 0
      if (NumColumns == FERRY_MOST_TERMS) {
        TooMany = true;
        return;
      }
      Columns[NumColumns++] = {Symbol, 0, Count.Known ? Count.Hi : Countless};
    }
  }

  void fillRow(const ferry_sum &Sum) {
    Row &R = Rows[NumRows++];
    R.Base = evaluate(Sum.base);
    R.Done = false;
    for (uint32_t C = 0; C < NumColumns; ++C)
      R.Stride[C] = 0;
    for (uint64_t I = 0; I < Sum.num_terms; ++I) {
      uint32_t C = columnOf(Sum.terms[I].symbol);
      if (C == NumColumns)
        continue;
      Interval Stride = evaluate(Sum.terms[I].stride);
      if (Stride.isPoint())
        R.Stride[C] += Stride.Lo;
      else
        R.Base =
            add(R.Base,
                multiply(Stride, interval(Columns[C].Lo, Columns[C].Hi - 1)));
    }
    // The kernel's stride of -1 is -1, whatever it was computed from.
    for (uint32_t C = 0; C < NumColumns; ++C)
      R.Stride[C] = wrapSigned(point(R.Stride[C]), 64).Lo;
  }

  /// The part of the row that the columns make.
  Interval columnsOf(const Row &R) const {
    Int Lo = 0, Hi = 0;
    for (uint32_t C = 0; C < NumColumns; ++C) {
      if (R.Stride[C] == 0)
        continue;
      Int First = product(R.Stride[C], Columns[C].Lo),
          Last = product(R.Stride[C], Columns[C].Hi - 1);
      if (First > Most || Last > Most)
        return Interval();
      Lo += std::min(First, Last);
      Hi += std::max(First, Last);
    }
    return interval(Lo, Hi);
  }

  Interval valueOf(const Row &R) const { return add(R.Base, columnsOf(R)); }

  //===--- Conditions -----------------------------------------------------===//

  static uint32_t relation(const ferry_condition &C) {
    return C.relation & ~uint32_t(FERRY_WHEN_LOOP | FERRY_WHEN_BEFORE);
  }

  static bool isFit(const ferry_condition &C) {
    return relation(C) == FERRY_WHEN_FITS_UNSIGNED ||
           relation(C) == FERRY_WHEN_FITS_SIGNED;
  }

  /// What imposing a condition leaves: no box, one that meets it, or one that
  /// partly does.
  enum class Cut { Nothing, Done, Later };

  Cut impose(const ferry_condition &C, const Row &R) {
    if (C.relation == FERRY_WHEN_EXACT) {
      Interval Count = countOf(C.turns, 0);
      Sure &= Count.isPoint();
      return !Count.Known || Count.Hi > 0 ? Cut::Done : Cut::Nothing;
    }
    Int Lower, Upper;
    if (!bounds(C, R, Lower, Upper))
      return Cut::Later;
    if (C.relation & FERRY_WHEN_LOOP)
      Sure &= endsOnce(C, R, Lower, Upper);
    return clip(R, Lower, Upper);
  }

  /// What the condition wants of the row's columns: Lower <= them < Upper.
  bool bounds(const ferry_condition &C, const Row &R, Int &Lower,
              Int &Upper) const {
    uint32_t Relation = relation(C);
    if (Relation > FERRY_WHEN_NE)
      return false;
    Interval Bound = evaluate(C.bound);
    Interval Value = valueOf(R);
    if (!Bound.Known || !R.Base.Known ||
        !(Must ? mustBounds(Relation, C.width, Bound, Value, Lower, Upper)
               : mayBounds(Relation, C.width, Bound, Value, Lower, Upper) ||
                     loopBounds(C, R, Bound, Value, Lower, Upper)))
      return false;
    Lower -= Must ? R.Base.Lo : R.Base.Hi;
    Upper -= Must ? R.Base.Hi : R.Base.Lo;
    return true;
  }

  /// Holds in all of the box.
  bool isMet(const ferry_condition &C, const Row &R) const {
    Int Lower, Upper;
    if (!bounds(C, R, Lower, Upper) ||
        ((C.relation & FERRY_WHEN_LOOP) && !endsOnce(C, R, Lower, Upper)))
      return false;
    Interval Value = columnsOf(R);
    return Value.Known && Lower <= Value.Lo && Value.Hi < Upper;
  }

  /// The same of a condition that all turns but the first have met, up to this
  /// one: a number that grows from turn to turn and never by so much that it
  /// could wrap to below the bound.
  bool loopBounds(const ferry_condition &C, const Row &R, Interval Bound,
                  Interval Value, Int &Lower, Int &Upper) const {
    bool Signed = C.relation == (FERRY_WHEN_SLT | FERRY_WHEN_LOOP);
    uint32_t Turns = columnOf(C.turns);
    if ((!Signed && C.relation != (FERRY_WHEN_ULT | FERRY_WHEN_LOOP)) ||
        !Value.Known || Turns == NumColumns || Columns[Turns].IsCompound ||
        Columns[Turns].Lo != 0 || R.Stride[Turns] <= 0)
      return false;
    Int Growth = R.Stride[Turns], Size = Int(1) << C.width;
    Int Least = Signed ? -Size / 2 : 0, End = Signed ? Size / 2 : Size;
    Int First = Value.Hi - product(Growth, Columns[Turns].Hi - 1);
    Lower = -Most;
    Upper = Bound.Hi;
    return Value.Lo >= Least && First + Growth < End &&
           Bound.Hi - 1 + Growth < End;
  }

  /// The turns that meet a condition of the loop are its first ones.
  bool endsOnce(const ferry_condition &C, const Row &R, Int Lower,
                Int Upper) const {
    uint32_t Turns = columnOf(C.turns);
    if (Turns == NumColumns)
      return true; // the same in all turns
    bool IsCompound = Columns[Turns].IsCompound;
    if (Columns[Turns].IsShifted)
      return false;
    while (Columns[Turns].Into >= 0)
      Turns = static_cast<uint32_t>(Columns[Turns].Into);
    Int Stride = R.Stride[Turns], First = Columns[Turns].Lo;
    Interval Value = columnsOf(R);
    if (Stride == 0 || !Value.Known)
      return Stride == 0;
    // In turns that other conditions have cut off it has to be met, too.
    if (First != 0 && IsCompound)
      return false;
    Int Earlier = product(Stride, First);
    if (Earlier > Most)
      return false;
    return Stride > 0 ? Lower <= Value.Lo - Earlier
                      : Value.Hi - Earlier < Upper;
  }

  /// Floor of A / B, for B > 0.
  static Int floorDivide(Int A, Int B) {
    return A >= 0 ? A / B : -((-A + B - 1) / B);
  }

  /// Leaves what has Lower <= the row's columns < Upper.
  Cut clip(const Row &R, Int Lower, Int Upper) {
    Interval Value = columnsOf(R);
    if (!Value.Known)
      return Cut::Later;
    if (Lower <= Value.Lo && Value.Hi < Upper)
      return Cut::Done;
    if (Value.Hi < Lower || Value.Lo >= Upper || !narrowAll(R, Lower, Upper))
      return Cut::Nothing;
    Value = columnsOf(R);
    if (Lower <= Value.Lo && Value.Hi < Upper)
      return Cut::Done;
    if (severalColumns(R) && !mergeColumns(R))
      return Cut::Later;
    return narrowAll(R, Lower - Merged, Upper - Merged) ? Cut::Done
                                                        : Cut::Nothing;
  }

  bool narrowAll(const Row &R, Int Lower, Int Upper) {
    for (uint32_t C = 0; C < NumColumns; ++C)
      if (R.Stride[C] != 0 && !narrow(R, C, Lower, Upper))
        return false;
    return true;
  }

  /// What mergeColumns has moved from the row's columns to its base.
  Int Merged = 0;

  bool severalColumns(const Row &R) {
    Merged = 0;
    unsigned N = 0;
    for (uint32_t C = 0; C < NumColumns; ++C)
      N += R.Stride[C] != 0 && !Columns[C].isSingle();
    return N > 1;
  }

  /// Moves the ends of a column to what can meet the condition at all.
  bool narrow(const Row &R, uint32_t C, Int Lower, Int Upper) {
    Int Stride = R.Stride[C];
    Column &Col = Columns[C];
    Interval Own = multiply(point(Stride), interval(Col.Lo, Col.Hi - 1));
    Interval All = columnsOf(R);
    Int Least = All.Lo - Own.Lo, Largest = All.Hi - Own.Hi; // of the others
    // Lower <= Stride * s + others < Upper
    Int From = Lower - Largest, To = Upper - 1 - Least;
    if (Stride < 0) {
      std::swap(From, To);
      From = -From;
      To = -To;
      Stride = -Stride;
    }
    Col.Lo = std::max(Col.Lo, -floorDivide(-From, Stride));
    Col.Hi = std::min(Col.Hi, floorDivide(To, Stride) + 1);
    return Col.Lo < Col.Hi;
  }

  /// Makes one column of those that the row uses. What the row's columns lose
  /// to its base in doing so is in Merged.
  bool mergeColumns(const Row &R) {
    uint32_t Order[FERRY_MOST_TERMS], N = 0;
    for (uint32_t C = 0; C < NumColumns; ++C) {
      if (R.Stride[C] == 0 || Columns[C].isSingle())
        continue;
      if (R.Stride[C] < 0)
        return false;
      uint32_t At = N++;
      for (; At && R.Stride[Order[At - 1]] > R.Stride[C]; --At)
        Order[At] = Order[At - 1];
      Order[At] = C;
    }
    uint32_t First = Order[0];
    Int Unit = R.Stride[First];
    Int Span = Columns[First].Hi - Columns[First].Lo;
    for (uint32_t I = 1; I < N; ++I) {
      uint32_t C = Order[I];
      Int Ratio = R.Stride[C] / Unit;
      if (R.Stride[C] % Unit != 0 || Ratio > Span)
        return false;
      Int More = product(Ratio, Columns[C].Hi - Columns[C].Lo - 1);
      if (More > Most)
        return false;
      Span += More;
      for (uint32_t J = 0; J < NumRows; ++J) {
        Int Want = product(Rows[J].Stride[First], Ratio);
        if (Rows[J].Done || (Want <= Most && Rows[J].Stride[C] == Want))
          continue;
        // A condition that is met counts as it likes.
        if (J == 0 || isFit(A.conditions[J - 1]) ||
            !isMet(A.conditions[J - 1], Rows[J]))
          return false;
        Rows[J].Done = true;
      }
    }
    Interval Moved = point(0);
    for (uint32_t I = 0; I < N; ++I)
      Moved = add(Moved, multiply(point(R.Stride[Order[I]]),
                                  point(Columns[Order[I]].Lo)));
    if (!Moved.Known)
      return false;
    Merged = Moved.Lo;
    for (uint32_t I = 0; I < N; ++I) {
      uint32_t C = Order[I];
      for (uint32_t J = 0; J < NumRows; ++J) {
        Row &Each = Rows[J];
        Each.Base = add(Each.Base,
                        multiply(point(Each.Stride[C]), point(Columns[C].Lo)));
        if (I)
          Each.Stride[C] = 0;
      }
      if (I)
        Columns[C].Into = static_cast<int>(First);
      Columns[C].IsCompound = true;
      Columns[C].IsShifted = Columns[C].Lo != 0;
      Columns[C].Lo = 0;
      Columns[C].Hi = I ? 1 : Span;
    }
    return true;
  }

  bool fits(const ferry_condition &C, const Row &R) const {
    Interval Value = valueOf(R);
    Int Size = Int(1) << C.width;
    switch (relation(C)) {
    case FERRY_WHEN_FITS_UNSIGNED:
      return Value.Known && Value.Lo >= 0 && Value.Hi < Size;
    case FERRY_WHEN_FITS_SIGNED:
      return Value.Known && Value.Lo >= -Size / 2 && Value.Hi < Size / 2;
    default:
      return true;
    }
  }

  //===--- The answer -----------------------------------------------------===//

  Answer measure() {
    Interval Value = valueOf(Rows[0]);
    if (!Value.Known || Value.Lo < INT64_MIN || Value.Hi > INT64_MAX)
      return Answer::Anywhere;
    Begin = Value.Lo;
    End = Value.Hi + Int(A.bytes);
    Full = Sure && Rows[0].Base.isPoint() && hasNoGaps();
    return Answer::Some;
  }

  bool hasNoGaps() {
    Int Covered = A.bytes;
    bool Done[FERRY_MOST_TERMS] = {};
    for (;;) {
      // The column with the smallest stride that is left.
      uint32_t Next = NumColumns;
      Int Stride = 0;
      for (uint32_t C = 0; C < NumColumns; ++C) {
        Int S = Rows[0].Stride[C] < 0 ? -Rows[0].Stride[C] : Rows[0].Stride[C];
        if (!Done[C] && S != 0 && !Columns[C].isSingle() &&
            (Next == NumColumns || S < Stride)) {
          Next = C;
          Stride = S;
        }
      }
      if (Next == NumColumns)
        return true;
      if (Stride > Covered)
        return false;
      Done[Next] = true;
      Covered += product(Stride, Columns[Next].Hi - Columns[Next].Lo - 1);
    }
  }
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_BOX_H
