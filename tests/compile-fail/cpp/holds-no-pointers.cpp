// What counts as holding a pointer or reference, at any depth.
//
// RUN: %accepted

#include <ferry/detail/plain.h>

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

using ferry::detail::isPlain;

enum E {};
struct BitFields { int A : 3; int : 0; double Z; union { int Q; float R; }; };
struct Everything {
  int X; int A[3]; BitFields B; E Ee; __int128 I; _Float16 H; bool Bo; char C;
  long double L; wchar_t W; BitFields Bs[3]; float M[4][4]; char8_t U;
  std::array<BitFields, 2> Ar; std::complex<float> Co; std::optional<int> O;
};
class Hidden { int Value; int Other; public: Hidden() = delete; };
struct NoDefault { explicit NoDefault(int); const int X; };
struct Megabyte { float V[1 << 18]; };
struct Empty {};
static_assert(isPlain<BitFields>() && isPlain<Everything>() && isPlain<Hidden>());
static_assert(isPlain<NoDefault>() && isPlain<Megabyte>() && isPlain<Empty>());
static_assert(isPlain<std::chrono::seconds>() && isPlain<std::bitset<70>>());
static_assert(isPlain<std::variant<int, float>>() && isPlain<std::mt19937>());

struct Pointer { float *P; };
class PrivatePointer { [[maybe_unused]] const char *S; };
struct InBase : private PrivatePointer { int K; };
struct InArray { Pointer A[2]; };
struct ArrayOf { float *P[2]; };
struct InUnion { union { int *P; int Q; }; };
struct ToMember { int Pointer::*P; };
struct ToFunction { void (*F)(); };
struct ToArray { float (*P)[3]; };
struct Null { std::nullptr_t N; };
struct InOptional { std::optional<float *> O; };
struct InStdArray { std::array<const char *, 3> A; };
static_assert(!isPlain<Pointer>() && !isPlain<PrivatePointer>() && !isPlain<InBase>());
static_assert(!isPlain<InArray>() && !isPlain<ArrayOf>() && !isPlain<InUnion>());
static_assert(!isPlain<ToMember>() && !isPlain<ToFunction>() && !isPlain<ToArray>());
static_assert(!isPlain<Null>() && !isPlain<InOptional>() && !isPlain<InStdArray>());
static_assert(!isPlain<std::span<float>>() && !isPlain<std::string_view>());
static_assert(!isPlain<std::vector<int>::iterator>());
static_assert(!isPlain<std::reference_wrapper<int>>());

struct Reference { int &R; };
struct ConstReference { const BitFields &R; };
struct RvalueReference { BitFields &&R; };
struct ReferenceToArray { const int (&R)[4]; };
struct ReferenceToInt128 { const __int128 &R; };
struct ReferenceToOptional { const std::optional<int> &R; };
struct Nested { const Reference R[2]; };
static_assert(!isPlain<Reference>() && !isPlain<ConstReference>());
static_assert(!isPlain<RvalueReference>() && !isPlain<ReferenceToArray>());
static_assert(!isPlain<ReferenceToInt128>() && !isPlain<ReferenceToOptional>());
static_assert(!isPlain<Nested>());

void closures(int k, float q, int *p) {
  int array[3] = {};
  auto byValue = [q, array] { (void)q; (void)array; };
  auto nested = [byValue]() mutable { (void)byValue; };
  auto byReference = [&k] { (void)k; };
  auto arrayByReference = [&array] { (void)array; };
  auto pointer = [p] { (void)p; };
  auto nestedReference = [byReference] { (void)byReference; };
  static_assert(isPlain<decltype(byValue)>() && isPlain<decltype(nested)>());
  static_assert(!isPlain<decltype(byReference)>());
  static_assert(!isPlain<decltype(arrayByReference)>());
  static_assert(!isPlain<decltype(pointer)>());
  static_assert(!isPlain<decltype(nestedReference)>());
}
