//===- ferry/print_format.h - The grammar of print formats ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the format of a __ferry_print (markers.h) piece by piece: the plugin to
// check it, libferry to print. The grammar is [format.string.std] of C++, or
// that of Rust's std::fmt when the values are Rust's; neither has strings or
// locales here. Every function can run at compile time.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PRINT_FORMAT_H
#define FERRY_PRINT_FORMAT_H

#include "ferry/markers.h"
#include <cstddef>
#include <cstdint>

namespace ferry::print_format {

/// What stands behind the colon of a field.
struct Spec {
  static constexpr unsigned NoArgument = ~0u;

  const char *Fill = " "; ///< one character, of FillBytes bytes
  size_t FillBytes = 1;
  char Align = 0; ///< '<', '>', '^'; 0: as the type has it
  char Sign = 0;  ///< '+', '-', ' ' or 0
  bool Alternate = false, Zero = false;
  unsigned Width = 0;
  int Precision = -1; ///< -1: not given
  unsigned WidthFrom = NoArgument, PrecisionFrom = NoArgument;
  char Type = 0;
  bool Debug = false; ///< Rust's {:?}
};

struct Piece {
  enum { End, Text, Value, Wrong } Kind = End;
  const char *Begin = nullptr; ///< of a Text
  size_t Bytes = 0;
  unsigned Argument = 0; ///< of a Value
  Spec How;
  const char *Problem = nullptr; ///< of a Wrong
};

constexpr unsigned kindOf(uint32_t Kind) { return Kind & 0xff; }
constexpr unsigned bytesOf(uint32_t Kind) {
  unsigned Bytes = Kind >> FERRY_PRINT_BYTES_SHIFT & 0xff;
  return Bytes ? Bytes : 8;
}
constexpr bool isRust(uint32_t Kind) { return Kind & FERRY_PRINT_RUST; }

class Reader {
public:
  constexpr Reader(const char *Format, size_t Bytes, const uint32_t *Kinds,
                   unsigned Count)
      : At(Format), Stop(Format + Bytes), Kinds(Kinds), Count(Count),
        Rust(Count && isRust(Kinds[0])) {}

  constexpr Piece next() {
    Piece P;
    if (At == Stop)
      return P;
    if (*At != '{' && *At != '}')
      return text();
    if (Stop - At > 1 && At[1] == At[0]) {
      P = {Piece::Text, At, 1, 0, {}, nullptr};
      At += 2;
      return P;
    }
    if (*At == '}')
      return wrong("'}' without '{'");
    ++At;
    return field();
  }

private:
  const char *At, *Stop;
  const uint32_t *Kinds;
  unsigned Count;
  bool Rust;
  unsigned NextArgument = 0;
  const char *Trouble = nullptr;

  constexpr bool is(char C) const { return At != Stop && *At == C; }
  constexpr bool take(char C) {
    if (!is(C))
      return false;
    ++At;
    return true;
  }
  constexpr bool isDigit() const {
    return At != Stop && *At >= '0' && *At <= '9';
  }

  constexpr Piece wrong(const char *Problem) {
    At = Stop;
    Piece P;
    P.Kind = Piece::Wrong;
    P.Problem = Problem;
    return P;
  }

  constexpr void complain(const char *Problem) {
    if (!Trouble)
      Trouble = Problem;
  }

  constexpr Piece text() {
    Piece P{Piece::Text, At, 0, 0, {}, nullptr};
    while (At != Stop && *At != '{' && *At != '}')
      ++At;
    P.Bytes = size_t(At - P.Begin);
    return P;
  }

  constexpr unsigned number() {
    unsigned N = 0;
    for (; isDigit(); ++At) {
      N = N * 10 + unsigned(*At - '0');
      if (N > MostWidth) {
        complain("a width or precision is larger than 65535");
        N = MostWidth;
      }
    }
    return N;
  }

  constexpr unsigned argument() {
    return isDigit() ? number() : NextArgument++;
  }

  constexpr unsigned integerArgument(unsigned Number) {
    if (Number >= Count)
      complain("a width or precision names a value that is not there");
    else if (kindOf(Kinds[Number]) > FERRY_PRINT_SIGNED)
      complain("a width or precision is taken from a value that is no integer");
    return Number;
  }

  constexpr Piece field() {
    Piece P;
    P.Kind = Piece::Value;
    // Rust's `.*` takes its precision before the value, so the value's own
    // number is taken last.
    bool Numbered = isDigit();
    if (Numbered)
      P.Argument = number();
    else if (!Rust)
      P.Argument = NextArgument++;
    if (take(':'))
      spec(P.How);
    if (!take('}'))
      complain("a '{' without '}', or something unknown in a field");
    if (!Numbered && Rust)
      P.Argument = NextArgument++;
    if (!Trouble && P.Argument >= Count)
      complain("there are more fields than values");
    if (!Trouble)
      complain(problemOf(P.How, Kinds[P.Argument]));
    return Trouble ? wrong(Trouble) : P;
  }

  static constexpr bool isAlign(char C) {
    return C == '<' || C == '>' || C == '^';
  }

  constexpr size_t characterBytes() const {
    auto C = static_cast<unsigned char>(*At);
    size_t Bytes = C < 0xC0 ? 1 : C < 0xE0 ? 2 : C < 0xF0 ? 3 : 4;
    size_t Left = size_t(Stop - At);
    return Bytes < Left ? Bytes : Left;
  }

  constexpr void spec(Spec &S) {
    if (At == Stop)
      return;
    size_t Fill = characterBytes();
    if (size_t(Stop - At) > Fill && isAlign(At[Fill]) && *At != '{') {
      S.Fill = At;
      S.FillBytes = Fill;
      At += Fill;
    }
    if (At != Stop && isAlign(*At))
      S.Align = *At++;
    if (is('+') || is('-') || (!Rust && is(' ')))
      S.Sign = *At++;
    S.Alternate = take('#');
    // In Rust `0$` is a width taken from argument 0.
    if (is('0') && !(Rust && Stop - At > 1 && At[1] == '$'))
      S.Zero = take('0');
    count(S.Width, S.WidthFrom);
    if (take('.')) {
      unsigned Precision = 0;
      if (Rust && take('*'))
        S.PrecisionFrom = integerArgument(NextArgument++);
      else if (!isDigit() && !(!Rust && is('{')))
        complain("a '.' without a precision");
      else
        count(Precision, S.PrecisionFrom);
      S.Precision = int(Precision);
    }
    if (!Rust)
      take('L');
    type(S);
  }

  /// A width or precision: a number, C++'s {} and {n}, or Rust's n$.
  constexpr void count(unsigned &Fixed, unsigned &From) {
    if (!Rust && take('{')) {
      From = integerArgument(argument());
      if (!take('}'))
        complain("a '{' without '}' in a field");
    } else if (isDigit()) {
      Fixed = number();
      if (Rust && take('$')) {
        From = integerArgument(Fixed);
        Fixed = 0;
      }
    }
  }

  constexpr void type(Spec &S) {
    if (At == Stop || *At == '}')
      return;
    if (!Rust || *At != '?')
      S.Type = *At++;
    S.Debug = take('?');
  }

  static constexpr bool isOneOf(char C, const char *List) {
    for (; *List; ++List)
      if (*List == C)
        return true;
    return C == 0;
  }

  /// What is wrong with showing a value of `Kind` so; null: nothing.
  static constexpr const char *problemOf(const Spec &S, uint32_t Kind) {
    const char *Types[] = {"bBcdoxX", "bBcdoxX",  "aAeEfFgG", "aAeEfFgG",
                           "sbBdoxX", "c?bBdoxX", "pP"};
    const char *RustTypes[] = {"xXobeE", "xXobeE", "eE", "eE", "", "", "p"};
    unsigned K = kindOf(Kind);
    if (K > FERRY_PRINT_POINTER)
      return "a value is of a kind that is not known";
    if (!isOneOf(S.Type, isRust(Kind) ? RustTypes[K] : Types[K]) ||
        (S.Debug && !isRust(Kind)) ||
        (S.Debug && S.Type && S.Type != 'x' && S.Type != 'X'))
      return "a field's type does not fit its value";
    if (isRust(Kind))
      return nullptr;
    bool IsFloat = K == FERRY_PRINT_FLOAT || K == FERRY_PRINT_DOUBLE;
    bool IsText = (K == FERRY_PRINT_BOOL && isOneOf(S.Type, "s")) ||
                  (K == FERRY_PRINT_CHAR && isOneOf(S.Type, "c")) ||
                  (K <= FERRY_PRINT_SIGNED && S.Type == 'c');
    if (S.Precision >= 0 && !IsFloat)
      return "only floating-point values have a precision";
    if ((S.Sign || S.Alternate || S.Zero) && IsText)
      return "a sign, '#' or '0' is for numbers";
    if ((S.Sign || S.Alternate) && K == FERRY_PRINT_POINTER)
      return "a sign or '#' is for numbers";
    return nullptr;
  }

  static constexpr unsigned MostWidth = 65535;
};

/// What is wrong with a format; null: nothing.
constexpr const char *problem(const char *Format, size_t Bytes,
                              const uint32_t *Kinds, unsigned Count) {
  Reader R(Format, Bytes, Kinds, Count);
  while (true) {
    Piece P = R.next();
    if (P.Kind == Piece::End)
      return nullptr;
    if (P.Kind == Piece::Wrong)
      return P.Problem;
  }
}

} // namespace ferry::print_format

#endif // FERRY_PRINT_FORMAT_H
