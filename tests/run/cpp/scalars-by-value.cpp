// Every scalar type reaches the kernel, and comes back, with all of its bits.
// RUN: %run-everywhere --output %t %s | FileCheck %s
// CHECK: 34 types
#include "Inputs/check.h"
#include <limits>

static int Types = 0;

template <class T> void byValue(T V, std::span<T> Out) { Out[ferry::global_id()] = V; }
template <class T> void byConstReference(const T &V, T &Out) { Out = V; }
template <class T> void bySpan(std::span<const T> V, std::span<T> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = V[I];
}

template <class T> void roundTrip(std::vector<T> Values) {
  for (const T &V : Values) {
    T Out[3];
    std::memset(&Out, 0x5a, sizeof Out);
    ferry::launch<byValue<T>>(ferry::over(3), V, Out);
    for (const T &O : Out)
      CHECK(sameBits(O, V));
    T Copy;
    std::memset(&Copy, 0x5a, sizeof Copy);
    ferry::launch<byConstReference<T>>(ferry::over(1), V, Copy);
    CHECK(sameBits(Copy, V));
  }
  T *Out = new T[Values.size()];
  std::memset(static_cast<void *>(Out), 0x5a, Values.size() * sizeof(T));
  ferry::launch<bySpan<T>>(ferry::over(Values.size()), Values, ferry::inout(Out, Values.size()));
  CHECK(std::memcmp(Out, Values.data(), Values.size() * sizeof(T)) == 0);
  delete[] Out;
  ++Types;
}

template <class T> void integer() {
  T Least = static_cast<T>(static_cast<T>(1) << (sizeof(T) * 8 - 1));
  T Pattern = 0;
  for (unsigned I = 0; I < sizeof(T); ++I)
    Pattern = static_cast<T>(Pattern | static_cast<T>(static_cast<T>(0x80 + 7 * I) << (8 * I)));
  roundTrip<T>({T(0), T(1), T(42), T(-1), Least, T(~Least), Pattern});
}

template <class T, class Bits> void floating(std::vector<Bits> Patterns) {
  std::vector<T> Values;
  for (Bits B : Patterns)
    Values.push_back(std::bit_cast<T>(B));
  roundTrip<T>(Values);
}

enum Unscoped { A, B = 70000 };
enum Negative { M = -5, N = 5 };
enum class Tiny : unsigned char { X = 0, Y = 255 };
enum class Wide : unsigned __int128 { X = 1, Y = static_cast<unsigned __int128>(-1) };
enum class Truth : bool { No, Yes };

int main() {
  roundTrip<char>({'\0', 'a', '\x7f', '\x80', '\xff'});
  integer<signed char>();
  integer<unsigned char>();
  integer<short>();
  integer<unsigned short>();
  integer<int>();
  integer<unsigned>();
  integer<long>();
  integer<unsigned long>();
  integer<long long>();
  integer<unsigned long long>();
  integer<__int128>();
  integer<unsigned __int128>();
  integer<char8_t>();
  integer<char16_t>();
  integer<char32_t>();
  integer<wchar_t>();
  integer<std::int8_t>();
  integer<std::int16_t>();
  integer<std::int32_t>();
  integer<std::int64_t>();
  integer<std::size_t>();
  integer<std::ptrdiff_t>();
  // std::vector<bool> is no array of bools.
  for (bool V : {false, true}) {
    bool Out[2] = {!V, !V};
    ferry::launch<byValue<bool>>(ferry::over(2), V, Out);
    CHECK(Out[0] == V && Out[1] == V);
    bool In[2] = {V, !V};
    ferry::launch<bySpan<bool>>(ferry::over(2), In, Out);
    CHECK(Out[0] == V && Out[1] == !V);
  }
  ++Types;
  roundTrip<std::byte>({std::byte{0}, std::byte{0x80}, std::byte{0xff}});
  // Zeros, denormals, the largest, infinities, NaNs quiet and signalling.
  floating<_Float16, std::uint16_t>({0, 0x8000, 1, 0x3c00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xfe2a, 0x7d55});
  floating<float, std::uint32_t>({0, 0x80000000, 1, 0x3f800000, 0x7f7fffff, 0x7f800000, 0xff800000,
                                  0x7fc00000, 0xffc12345, 0x7f812345});
  floating<double, std::uint64_t>({0, 0x8000000000000000, 1, 0x3ff0000000000000, 0x7fefffffffffffff,
                                   0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
                                   0xfff8123456789abc, 0x7ff0123456789abc});
  roundTrip<Unscoped>({A, B});
  roundTrip<Negative>({M, N});
  roundTrip<Tiny>({Tiny::X, Tiny::Y});
  roundTrip<Wide>({Wide::X, Wide::Y});
  roundTrip<Truth>({Truth::No, Truth::Yes});
  integer<std::intmax_t>();
  std::printf("%d types\n", Types);
}
