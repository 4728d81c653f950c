//===- RuntimeFormatTest.cpp - Printed values as text ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RustFormats.inc holds what rustc 1.95 makes of each format. libstdc++ 12 has
// no std::format, but std::to_chars, which std::format shows floats with.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "ferry/print_format.h"
#include <bit>
#include <charconv>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ferry::rt;
namespace print_format = ferry::print_format;

namespace {

constexpr uint32_t Unsigned = FERRY_PRINT_UNSIGNED, Signed = FERRY_PRINT_SIGNED,
                   Float = FERRY_PRINT_FLOAT, Double = FERRY_PRINT_DOUBLE,
                   Bool = FERRY_PRINT_BOOL, Char = FERRY_PRINT_CHAR,
                   Pointer = FERRY_PRINT_POINTER;

constexpr uint32_t bytes(uint32_t Bytes) {
  return Bytes << FERRY_PRINT_BYTES_SHIFT;
}

struct Value {
  uint32_t Kind;
  uint64_t Bits;
};
Value val(double D) { return {Double, std::bit_cast<uint64_t>(D)}; }
Value val(float F) { return {Float, std::bit_cast<uint32_t>(F)}; }
Value val(int I) { return {Signed | bytes(4), uint64_t(int64_t(I))}; }
Value val(bool B) { return {Bool | bytes(1), B}; }
Value val(char C) { return {Char | bytes(1), uint64_t(C)}; }
Value val(const void *P) { return {Pointer, reinterpret_cast<uint64_t>(P)}; }

std::string shown(const std::string &Format, const std::vector<Value> &Values) {
  std::vector<uint32_t> Kinds;
  std::vector<uint64_t> Bits;
  for (const Value &V : Values) {
    Kinds.push_back(V.Kind);
    Bits.push_back(V.Bits);
  }
  Text T;
  addPrinted(T, {Format.data(), Format.size(), Values.size(), Kinds.data()},
             Bits.data());
  return std::string(T.chars(), T.size());
}

template <typename... Types>
std::string cxx(const std::string &Format, Types... Values) {
  return shown(Format, {val(Values)...});
}

std::string problem(const std::string &Format, std::vector<uint32_t> Kinds) {
  const char *P = print_format::problem(Format.data(), Format.size(),
                                        Kinds.data(), Kinds.size());
  return P ? P : "";
}

template <typename T> std::string toChars(T Value) {
  char Buffer[128];
  auto End = std::to_chars(Buffer, Buffer + sizeof(Buffer), Value);
  return std::string(Buffer, End.ptr);
}

struct RustRow {
  const char *Format;
  uint32_t Kind;
  uint64_t Bits;
  const char *Expected;
};
constexpr RustRow RustRows[] = {
#include "RustFormats.inc"
};

} // namespace

TEST(Format, ShowsWhatRustShows) {
  for (const RustRow &Row : RustRows)
    EXPECT_EQ(shown(Row.Format, {{Row.Kind | FERRY_PRINT_RUST, Row.Bits}}),
              Row.Expected)
        << Row.Format << " of kind " << Row.Kind << ", bits " << Row.Bits;
}

TEST(Format, TakesRustWidthsFromArguments) {
  auto Rust = [](Value V) {
    V.Kind |= FERRY_PRINT_RUST;
    return V;
  };
  EXPECT_EQ(
      shown("{:1$}|{0:.2$}|", {Rust(val(1.5)), Rust(val(6)), Rust(val(3))}),
      "   1.5|1.500|");
  EXPECT_EQ(shown("{:.*}", {Rust(val(2)), Rust(val(3.14159))}), "3.14");
  EXPECT_EQ(shown("{1} {0} {}", {Rust(val(1)), Rust(val(2))}), "2 1 1");
  EXPECT_EQ(shown("{{{}}}", {Rust(val(7))}), "{7}");
}

TEST(Format, Integers) {
  EXPECT_EQ(cxx("{} {}", 42, -7), "42 -7");
  EXPECT_EQ(cxx("{1}{0}{1}", 1, 2), "212");
  EXPECT_EQ(cxx("{:5}|{:<5}|{:^5}|{:*^6}|", 42, 42, 42, 42),
            "   42|42   | 42  |**42**|");
  EXPECT_EQ(cxx("{:+} {: } {:-}", 4, 4, 4), "+4  4 4");
  EXPECT_EQ(cxx("{:x} {:X} {:#x} {:#X}", 255, 255, 255, 255),
            "ff FF 0xff 0XFF");
  EXPECT_EQ(cxx("{:#06x} {:06d} {:#b} {:#o} {:#o} {:B}", 255, -42, 5, 8, 0, 5),
            "0x00ff -00042 0b101 010 0 101");
  EXPECT_EQ(cxx("{:x} {:#x}", -255, -255), "-ff -0xff");
  EXPECT_EQ(cxx("{:<06}|", 42), "42    |");
  EXPECT_EQ(cxx("{:c}{:c}", 65, 0xe9), "A\303\251");
  EXPECT_EQ(cxx("{:{}}|{:{}}|{:>{}}|", 1, 4, 2, 3, 3, 2), "   1|  2| 3|");
  EXPECT_EQ(shown("{}", {{Unsigned, ~uint64_t(0)}}), "18446744073709551615");
  EXPECT_EQ(shown("{}", {{Signed, uint64_t(1) << 63}}), "-9223372036854775808");
}

TEST(Format, Floats) {
  EXPECT_EQ(cxx("{} {} {} {}", 1.0, 0.1, 1e300, 1.5f), "1 0.1 1e+300 1.5");
  EXPECT_EQ(cxx("{:.2f} {:8.3f}| {:e} {:.1E} {:g} {:G}", 3.14159, 2.5,
                12345.678, 12345.678, 1e-10, 1e20),
            "3.14    2.500| 1.234568e+04 1.2E+04 1e-10 1E+20");
  EXPECT_EQ(cxx("{:.3} {:#} {:#.3g} {:+} {: }", 3.14159, 1.0, 1.0, 0.5, 0.5),
            "3.14 1. 1.00 +0.5  0.5");
  EXPECT_EQ(cxx("{:08.2f} {:<8}| {:^+9.1f}|", -3.14159, 0.25, 1.25),
            "-0003.14 0.25    |   +1.2   |");
  EXPECT_EQ(cxx("{:a} {:A} {:.1a}", 1.5, 10.0, 1.0), "1.8p+0 1.4P+3 1.0p+0");
  EXPECT_EQ(cxx("{} {} {:F} {:06}|", INFINITY, -INFINITY, INFINITY, INFINITY),
            "inf -inf INF    inf|");
  EXPECT_EQ(cxx("{} {:E}", NAN, NAN), "nan NAN");
  EXPECT_EQ(cxx("{} {}", -0.0, -0.0f), "-0 -0");
  EXPECT_EQ(cxx("{:.{}f}", 1.0, 3), "1.000");
  EXPECT_EQ(cxx("{:.300f}", 1.0).size(), 302u);
}

TEST(Format, ShortestFloatsAreThoseOfToChars) {
  std::mt19937_64 Random(1);
  auto Check = [](auto V) { ASSERT_EQ(cxx("{}", V), toChars(V)); };
  for (int I = -1074; I < 1024; ++I)
    Check(std::ldexp(1.0, I));
  for (int I = -149; I < 128; ++I)
    Check(std::ldexp(1.0f, I));
  for (int I = 0; I < 4000; ++I) {
    uint64_t Bits = Random();
    if (double D = std::bit_cast<double>(Bits); std::isfinite(D))
      Check(D);
    if (float F = std::bit_cast<float>(uint32_t(Bits)); std::isfinite(F))
      Check(F);
    Check(double(int64_t(Bits) >> (Bits % 60)));
    Check(float(int32_t(Bits) >> (Bits % 30)) / 100);
  }
}

TEST(Format, OtherValues) {
  EXPECT_EQ(cxx("{} {:6}|{:>6}|{:d} {:s}", true, false, true, true, false),
            "true false |  true|1 false");
  EXPECT_EQ(cxx("{}{:3}|{:>3}|{:d} {:#x}", 'a', 'b', 'c', 'A', 'A'),
            "ab  |  c|65 0x41");
  const void *P = reinterpret_cast<const void *>(0xbeef);
  EXPECT_EQ(cxx("{} {:p} {:10}|{:<10}|", P, P, P, P),
            "0xbeef 0xbeef     0xbeef|0xbeef    |");
}

TEST(Format, TextAndBraces) {
  EXPECT_EQ(cxx(""), "");
  EXPECT_EQ(cxx("{{}} 100% \n"), "{} 100% \n");
  EXPECT_EQ(cxx("{{{}}}", 1), "{1}");
  EXPECT_EQ(shown(std::string("a\0b{}", 5), {val(1)}), std::string("a\0b1", 4));
  EXPECT_EQ(cxx("{:é^5}|", 1), "éé1éé|");
}

TEST(Format, SaysWhatIsWrong) {
  EXPECT_EQ(problem("{} {}", {Signed, Double}), "");
  EXPECT_EQ(problem("{} {}", {Signed}), "there are more fields than values");
  EXPECT_EQ(problem("{3}", {Signed}), "there are more fields than values");
  EXPECT_NE(problem("{", {Signed}), "");
  EXPECT_NE(problem("}", {}), "");
  EXPECT_NE(problem("{:d", {Signed}), "");
  for (const char *Format : {"{:d}", "{:s}", "{:x}", "{:?}", "{:k}", "{:5.}"})
    EXPECT_NE(problem(Format, {Double}), "") << Format;
  for (const char *Format : {"{:f}", "{:.2}", "{:s}", "{:p}", "{:{}}"})
    EXPECT_NE(problem(Format, {Signed}), "") << Format;
  EXPECT_NE(problem("{:+}", {Bool}), "");
  EXPECT_NE(problem("{:99999}", {Signed}), "");
  EXPECT_NE(problem("{:{}}", {Signed, Double}), "");
  EXPECT_NE(problem("{:d}", {Signed | FERRY_PRINT_RUST}), "");
  EXPECT_EQ(problem("{:?}", {Signed | FERRY_PRINT_RUST}), "");
  static_assert(!print_format::problem("{}", 2, &Signed, 1));
}
