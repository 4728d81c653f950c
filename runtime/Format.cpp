//===- Format.cpp - Printed values as text --------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel's print shows, as C++'s std::format or Rust's std::fmt would.
// Their grammars are one header (ferry/print_format.h); what remains are the
// values. Each becomes a sign, a prefix ("0x") and a body, which one function
// then pads.
//
// Digits come from the C library: %.*e rounds correctly, and trying one more
// digit until the number reads back gives the shortest. That is slow beside
// Ryu, and prints are rare. The program's locale may have a decimal comma, so
// only digits and exponent are taken from there.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "ferry/print_format.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ferry::rt {

using print_format::Piece;
using print_format::Spec;

namespace {
/// A value on its way: Prefix is the sign and "0x", Body the rest.
struct Shown {
  Text Prefix, Body;
  bool PadsLeft = true; ///< numbers stand to the right
  bool MayZeroFill = true;
};
} // namespace

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// Takes "d.ddde+xx" apart, whatever the point looks like.
static int splitScientific(const char *Printed, char *Digits) {
  char *To = Digits;
  const char *C = Printed;
  for (; *C && *C != 'e'; ++C)
    if (*C >= '0' && *C <= '9')
      *To++ = *C;
  *To = 0;
  return *C ? atoi(C + 1) : 0;
}

static double readBack(const char *Digits, int Exponent, bool Single) {
  char Number[40];
  snprintf(Number, sizeof(Number), "%se%d", Digits,
           Exponent - int(strlen(Digits)) + 1);
  return Single ? strtof(Number, nullptr) : strtod(Number, nullptr);
}

/// The next larger number of as many digits.
static void increment(char *Digits, int &Exponent) {
  size_t Count = strlen(Digits);
  for (size_t I = Count; I-- > 0;) {
    if (Digits[I] != '9') {
      ++Digits[I];
      return;
    }
    Digits[I] = '0';
  }
  Digits[0] = '1';
  ++Exponent;
}

static void dropTrailingZeros(char *Digits) {
  size_t Count = strlen(Digits);
  while (Count > 1 && Digits[Count - 1] == '0')
    Digits[--Count] = 0;
}

int shortestDigits(double Value, bool Single, char *Digits) {
  char Printed[40];
  int Exponent = 0;
  for (int Precision = 0; Precision < 17; ++Precision) {
    snprintf(Printed, sizeof(Printed), "%.*e", Precision, Value);
    Exponent = splitScientific(Printed, Digits);
    if (readBack(Digits, Exponent, Single) == Value)
      break;
    // Above a power of two numbers lie farther apart than below, so the
    // neighbour on that side may do where the nearest does not.
    increment(Digits, Exponent);
    if (readBack(Digits, Exponent, Single) == Value)
      break;
  }
  dropTrailingZeros(Digits);
  return Exponent;
}

/// "15", -1 -> "0.15"
static void addFixed(Text &T, const char *Digits, int Exponent) {
  int Count = int(strlen(Digits));
  if (Exponent < 0) {
    T.add("0.");
    for (int I = Exponent + 1; I < 0; ++I)
      T.add("0");
    T.add("%s", Digits);
    return;
  }
  for (int I = 0; I <= Exponent; ++I)
    T.addBytes(I < Count ? Digits + I : "0", 1);
  if (Count > Exponent + 1)
    T.add(".%s", Digits + Exponent + 1);
}

static void addMantissa(Text &T, const char *Digits) {
  T.addBytes(Digits, 1);
  if (Digits[1])
    T.add(".%s", Digits + 1);
}

/// What printf makes of it, with a decimal point.
static void addPrintf(Text &T, const char *Conversion, int Precision,
                      double Value) {
  char Short[128];
  int Needed = snprintf(Short, sizeof(Short), Conversion, Precision, Value);
  char *Long = Needed < int(sizeof(Short))
                   ? Short
                   : static_cast<char *>(malloc(size_t(Needed) + 1));
  if (!Long)
    return;
  if (Long != Short)
    snprintf(Long, size_t(Needed) + 1, Conversion, Precision, Value);
  for (const char *C = Long; *C; ++C) {
    bool Plain = (*C >= '0' && *C <= '9') || (*C >= 'a' && *C <= 'z') ||
                 (*C >= 'A' && *C <= 'Z') || *C == '+' || *C == '-';
    // A locale's point may take several bytes.
    if (Plain)
      T.addBytes(C, 1);
    else if ((static_cast<unsigned char>(*C) & 0xC0) != 0x80)
      T.add(".");
  }
  if (Long != Short)
    free(Long);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static void addSign(Text &T, bool Negative, char Sign) {
  if (Negative)
    T.add("-");
  else if (Sign == '+' || Sign == ' ')
    T.addBytes(&Sign, 1);
}

static void addUtf8(Text &T, uint32_t C) {
  char Bytes[4];
  int Count = C < 0x80 ? 1 : C < 0x800 ? 2 : C < 0x10000 ? 3 : 4;
  static const unsigned char First[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (int I = Count - 1; I > 0; --I, C >>= 6)
    Bytes[I] = char(0x80 | (C & 0x3F));
  Bytes[0] = char(First[Count] | C);
  T.addBytes(Bytes, size_t(Count));
}

static void addBase(Text &T, uint64_t Value, unsigned Base, bool Upper) {
  char Digits[64];
  unsigned At = 64;
  do {
    unsigned Digit = Value % Base;
    Digits[--At] =
        char(Digit < 10 ? '0' + Digit : (Upper ? 'A' : 'a') + Digit - 10);
    Value /= Base;
  } while (Value);
  T.addBytes(Digits + At, 64 - At);
}

static unsigned baseOf(char Type) {
  switch (Type) {
  case 'x':
  case 'X':
    return 16;
  case 'o':
    return 8;
  case 'b':
  case 'B':
    return 2;
  default:
    return 10;
  }
}

/// Rust's {:e} of an integer: exact, or rounded to even at the precision.
static void addRustExponent(Text &T, uint64_t Value, const Spec &S) {
  char Digits[40];
  snprintf(Digits, sizeof(Digits), "%llu",
           static_cast<unsigned long long>(Value));
  int Exponent = int(strlen(Digits)) - 1;
  if (S.Precision < 0) {
    dropTrailingZeros(Digits);
  } else if (S.Precision < Exponent) {
    const char *Rest = Digits + S.Precision + 1;
    bool Tie = *Rest == '5' && strspn(Rest + 1, "0") == strlen(Rest + 1);
    bool Odd = (Digits[S.Precision] - '0') % 2;
    bool Up = Tie ? Odd : *Rest >= '5';
    Digits[S.Precision + 1] = 0;
    if (Up)
      increment(Digits, Exponent);
  }
  T.addBytes(Digits, 1);
  int Given = int(strlen(Digits)) - 1;
  if (Given || S.Precision > 0)
    T.add(".%s", Digits + 1);
  for (int I = Given; I < S.Precision; ++I)
    T.add("0");
  T.add("%c%d", S.Type, Exponent);
}

static void showInteger(Shown &V, const Spec &S, uint32_t Kind,
                        uint64_t Value) {
  bool Rust = print_format::isRust(Kind);
  bool Signed = print_format::kindOf(Kind) == FERRY_PRINT_SIGNED;
  if (S.Type == 'c') {
    addUtf8(V.Body, uint32_t(Value));
    V.PadsLeft = V.MayZeroFill = false;
    return;
  }
  unsigned Base = baseOf(S.Type);
  bool Negative = Signed && int64_t(Value) < 0;
  if (Rust && Base != 10) {
    unsigned Bits = 8 * print_format::bytesOf(Kind);
    if (Bits < 64)
      Value &= (uint64_t(1) << Bits) - 1;
    Negative = false;
  } else if (Negative) {
    Value = -Value;
  }
  addSign(V.Prefix, Negative, S.Sign);
  if (S.Alternate && Base != 10) {
    if (Rust)
      V.Prefix.add("0%c", S.Type == 'X' ? 'x' : S.Type);
    else if (Base == 8)
      V.Prefix.add("%s", Value ? "0" : "");
    else
      V.Prefix.add("0%c", S.Type);
  }
  if (Rust && (S.Type == 'e' || S.Type == 'E'))
    addRustExponent(V.Body, Value, S);
  else
    addBase(V.Body, Value, Base, S.Type == 'X');
}

static void showCxxFloat(Shown &V, const Spec &S, double Value, bool Single) {
  bool Upper = S.Type >= 'A' && S.Type <= 'Z';
  addSign(V.Prefix, std::signbit(Value), S.Sign);
  Value = std::fabs(Value);
  if (!std::isfinite(Value)) {
    const char *Name = std::isnan(Value) ? "nan" : "inf";
    const char *Capital = std::isnan(Value) ? "NAN" : "INF";
    V.Body.add("%s", Upper ? Capital : Name);
    V.MayZeroFill = false;
    return;
  }
  if (!S.Type && S.Precision < 0) {
    char Digits[24];
    int Exponent = shortestDigits(Value, Single, Digits);
    Text Fixed, Scientific;
    addFixed(Fixed, Digits, Exponent);
    addMantissa(Scientific, Digits);
    bool HasPoint = Digits[1];
    if (S.Alternate && !HasPoint)
      Scientific.add(".");
    Scientific.add("e%c%02d", Exponent < 0 ? '-' : '+', std::abs(Exponent));
    bool TakesFixed =
        Fixed.size() <= Scientific.size() - (S.Alternate && !HasPoint);
    // Of large integers every digit is shown.
    if (TakesFixed && Exponent >= int(strlen(Digits))) {
      addPrintf(V.Body, "%.*f", 0, Value);
    } else {
      const Text &Shorter = TakesFixed ? Fixed : Scientific;
      V.Body.addBytes(Shorter.chars(), Shorter.size());
    }
    if (S.Alternate && TakesFixed && !strchr(V.Body.chars(), '.'))
      V.Body.add(".");
    return;
  }
  char Type = S.Type ? S.Type : 'g';
  bool Hex = Type == 'a' || Type == 'A';
  char Conversion[8];
  // Without a precision %a is exact.
  snprintf(Conversion, sizeof(Conversion), "%%%s.*%c", S.Alternate ? "#" : "",
           Type);
  Text Printed;
  addPrintf(Printed, Conversion, S.Precision < 0 && !Hex ? 6 : S.Precision,
            Value);
  size_t Skip = Hex ? 2 : 0; // std::format has no 0x there
  V.Body.addBytes(Printed.chars() + Skip,
                  Printed.size() > Skip ? Printed.size() - Skip : 0);
}

static void showRustFloat(Shown &V, const Spec &S, double Value, bool Single) {
  if (std::isnan(Value)) {
    V.Body.add("NaN");
    return;
  }
  addSign(V.Prefix, std::signbit(Value), S.Sign);
  Value = std::fabs(Value);
  if (std::isinf(Value)) {
    V.Body.add("inf");
    return;
  }
  char Type = S.Type;
  // {:?} of very large and very small numbers has an exponent.
  double Large = Single ? double(1e16f) : 1e16, Small = Single ? 1e-4f : 1e-4;
  if (S.Debug && S.Precision < 0 && Value != 0 &&
      (Value >= Large || Value < Small))
    Type = 'e';
  if (Type && S.Precision >= 0) {
    Text Printed;
    addPrintf(Printed, "%.*e", S.Precision, Value);
    const char *E = strchr(Printed.chars(), 'e');
    if (!E)
      return;
    V.Body.addBytes(Printed.chars(), size_t(E - Printed.chars()));
    V.Body.add("%c%d", Type, atoi(E + 1));
  } else if (Type) {
    char Digits[24];
    int Exponent = shortestDigits(Value, Single, Digits);
    addMantissa(V.Body, Digits);
    V.Body.add("%c%d", Type, Exponent);
  } else if (S.Precision >= 0) {
    addPrintf(V.Body, "%.*f", S.Precision, Value);
  } else {
    char Digits[24];
    int Exponent = shortestDigits(Value, Single, Digits);
    addFixed(V.Body, Digits, Exponent);
    if (S.Debug && !strchr(V.Body.chars(), '.'))
      V.Body.add(".0");
  }
}

static void showRustChar(Shown &V, const Spec &S, uint32_t C) {
  V.PadsLeft = false;
  if (!S.Debug) {
    if (S.Precision != 0)
      addUtf8(V.Body, C);
    return;
  }
  // {:?} is neither padded nor cut.
  V.Body.add("'");
  static const char Escaped[] = "\0000\tt\rr\nn\'\'\\\\";
  const char *E = nullptr;
  for (unsigned I = 0; I + 1 < sizeof(Escaped); I += 2)
    if (C < 0x80 && Escaped[I] == char(C))
      E = Escaped + I + 1;
  if (E)
    V.Body.add("\\%c", *E);
  else if (C < 0x20 || (C >= 0x7f && C < 0xa0))
    V.Body.add("\\u{%x}", C);
  else
    addUtf8(V.Body, C);
  V.Body.add("'");
}

static void show(Shown &V, const Spec &S, uint32_t Kind, uint64_t Value) {
  bool Rust = print_format::isRust(Kind);
  switch (print_format::kindOf(Kind)) {
  case FERRY_PRINT_FLOAT: {
    float F;
    uint32_t Bits = uint32_t(Value);
    memcpy(&F, &Bits, sizeof(F));
    return Rust ? showRustFloat(V, S, F, true) : showCxxFloat(V, S, F, true);
  }
  case FERRY_PRINT_DOUBLE: {
    double D;
    memcpy(&D, &Value, sizeof(D));
    return Rust ? showRustFloat(V, S, D, false) : showCxxFloat(V, S, D, false);
  }
  case FERRY_PRINT_BOOL:
    if (Rust || !S.Type || S.Type == 's') {
      const char *Name = Value ? "true" : "false";
      size_t Bytes = strlen(Name);
      if (S.Precision >= 0)
        Bytes = std::min(Bytes, size_t(S.Precision));
      V.Body.addBytes(Name, Bytes);
      V.PadsLeft = V.MayZeroFill = false;
      return;
    }
    break;
  case FERRY_PRINT_CHAR:
    if (Rust)
      return showRustChar(V, S, uint32_t(Value));
    if (!S.Type || S.Type == 'c') {
      char Byte = char(Value);
      if (print_format::bytesOf(Kind) == 1)
        V.Body.addBytes(&Byte, 1);
      else
        addUtf8(V.Body, uint32_t(Value));
      V.PadsLeft = false;
      return;
    }
    break;
  case FERRY_PRINT_POINTER: {
    Spec Hex = S;
    Hex.Type = S.Type == 'P' ? 'X' : 'x';
    Hex.Alternate = true;
    Hex.Precision = -1;
    return showInteger(V, Hex, FERRY_PRINT_UNSIGNED, Value);
  }
  default:
    break;
  }
  showInteger(V, S, Kind, Value);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Characters, not bytes.
static size_t lengthOf(const Text &T) {
  size_t Count = 0;
  for (const char *C = T.chars(), *E = C + T.size(); C != E; ++C)
    Count += (static_cast<unsigned char>(*C) & 0xC0) != 0x80;
  return Count;
}

static void fill(Text &T, const char *Bytes, size_t Length, size_t Times) {
  for (; Times; --Times)
    T.addBytes(Bytes, Length);
}

static void addPadded(Text &T, const Shown &V, const Spec &S, bool Rust) {
  size_t Length = lengthOf(V.Prefix) + lengthOf(V.Body);
  size_t Missing = S.Width > Length ? S.Width - Length : 0;
  bool Zeros = S.Zero && V.MayZeroFill && (Rust || !S.Align);
  size_t Before = 0;
  if (!Zeros) {
    char Align = S.Align ? S.Align : V.PadsLeft ? '>' : '<';
    Before = Align == '>' ? Missing : Align == '^' ? Missing / 2 : 0;
    fill(T, S.Fill, S.FillBytes, Before);
  }
  T.addBytes(V.Prefix.chars(), V.Prefix.size());
  if (Zeros)
    fill(T, "0", 1, Missing);
  T.addBytes(V.Body.chars(), V.Body.size());
  if (!Zeros)
    fill(T, S.Fill, S.FillBytes, Missing - Before);
}

void addPrinted(Text &T, const ferry_print_site &Site, const uint64_t *Values) {
  print_format::Reader R(Site.format, Site.length, Site.kinds, Site.num_values);
  while (true) {
    Piece P = R.next();
    switch (P.Kind) {
    case Piece::End:
      return;
    case Piece::Text:
      T.addBytes(P.Begin, P.Bytes);
      break;
    case Piece::Wrong:
      T.add("{%s}", P.Problem);
      break;
    case Piece::Value: {
      uint32_t Kind = Site.kinds[P.Argument];
      constexpr uint64_t Most = 65535;
      if (P.How.WidthFrom != Spec::NoArgument)
        P.How.Width = unsigned(std::min(Values[P.How.WidthFrom], Most));
      if (P.How.PrecisionFrom != Spec::NoArgument)
        P.How.Precision = int(std::min(Values[P.How.PrecisionFrom], Most));
      bool Rust = print_format::isRust(Kind);
      // Rust's {:#p} shows all digits.
      if (Rust && P.How.Alternate &&
          print_format::kindOf(Kind) == FERRY_PRINT_POINTER) {
        P.How.Zero = true;
        if (!P.How.Width)
          P.How.Width = 18;
      }
      // ... and {:?} of a character is never padded.
      if (P.How.Debug && print_format::kindOf(Kind) == FERRY_PRINT_CHAR)
        P.How.Width = 0;
      Shown V;
      show(V, P.How, Kind, Values[P.Argument]);
      addPadded(T, V, P.How, Rust);
      break;
    }
    }
  }
}

} // namespace ferry::rt
