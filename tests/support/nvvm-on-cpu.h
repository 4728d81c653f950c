// NVIDIA's arithmetic instructions that libdevice asks for by name, as
// gpu-on-cpu.py leaves them. Approximations have the errors that the PTX manual
// allows at most where libdevice corrects them afterwards: of a reciprocal and
// a reciprocal root in double only the upper half is given.

#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace nvvm {
template <class To, class From> To bits(From V) {
  To R;
  static_assert(sizeof(To) == sizeof(From));
  std::memcpy(&R, &V, sizeof(R));
  return R;
}
inline float flushed(float V) {
  return std::fabs(V) < 0x1p-126f ? std::copysign(0.f, V) : V;
}
inline double upperHalf(double V) {
  return bits<double>(bits<uint64_t>(V) & ~uint64_t(0xffffffff));
}
template <class F> float rounded(int Mode, F Operation) {
  int Before = std::fegetround();
  std::fesetround(Mode);
  volatile float R = Operation();
  std::fesetround(Before);
  return R;
}
template <class T> int32_t toInt(T V) {
  if (std::isnan(V))
    return 0;
  if (V >= T(2147483648.0))
    return INT32_MAX;
  return V <= T(-2147483648.0) ? INT32_MIN : int32_t(V);
}
/// What assembly with two results gives back, in two registers.
struct Pair {
  uint64_t Low, High;
};
using Wide = unsigned __int128;
inline Pair pair(Wide V) { return {uint64_t(V), uint64_t(V >> 64)}; }
inline Wide wide(uint64_t Low, uint64_t High) { return Wide(High) << 64 | Low; }
} // namespace nvvm

extern "C" {
inline __attribute__((used)) nvvm::Pair nvvm_mad_32(uint32_t A, uint32_t B,
                                                    uint32_t C) {
  uint64_t R = uint64_t(A) * B + C;
  return {uint32_t(R), R >> 32};
}
inline __attribute__((used)) nvvm::Pair nvvm_mad_64(uint64_t A, uint64_t B,
                                                    uint64_t C) {
  return nvvm::pair(nvvm::Wide(A) * B + C);
}
inline __attribute__((used)) nvvm::Pair nvvm_mul_64(uint64_t A, uint64_t B) {
  return nvvm::pair(nvvm::Wide(A) * B);
}
inline __attribute__((used)) nvvm::Pair nvvm_add_128(uint64_t A, uint64_t B,
                                                     uint64_t C, uint64_t D) {
  return nvvm::pair(nvvm::wide(A, B) + nvvm::wide(C, D));
}
inline __attribute__((used)) nvvm::Pair nvvm_sub_128(uint64_t A, uint64_t B,
                                                     uint64_t C, uint64_t D) {
  return nvvm::pair(nvvm::wide(A, B) - nvvm::wide(C, D));
}
inline __attribute__((used)) double nvvm_add_rn_d(double A, double B) {
  return A + B;
}
inline __attribute__((used)) float nvvm_add_rn_f(float A, float B) {
  return A + B;
}
inline __attribute__((used)) double nvvm_mul_rn_d(double A, double B) {
  return A * B;
}
inline __attribute__((used)) float nvvm_mul_rn_f(float A, float B) {
  return A * B;
}
inline __attribute__((used)) float nvvm_div_rn_f(float A, float B) {
  return A / B;
}
inline __attribute__((used)) float nvvm_add_rz_f(float A, float B) {
  volatile float X = A, Y = B;
  return nvvm::rounded(FE_TOWARDZERO, [&] { return X + Y; });
}
inline __attribute__((used)) float nvvm_fma_rz_f(float A, float B, float C) {
  volatile float X = A, Y = B, Z = C;
  return nvvm::rounded(FE_TOWARDZERO, [&] { return fmaf(X, Y, Z); });
}
inline __attribute__((used)) float nvvm_fma_rm_f(float A, float B, float C) {
  volatile float X = A, Y = B, Z = C;
  return nvvm::rounded(FE_DOWNWARD, [&] { return fmaf(X, Y, Z); });
}
inline __attribute__((used)) int32_t nvvm_d2i_hi(double V) {
  return nvvm::bits<uint64_t>(V) >> 32;
}
inline __attribute__((used)) int32_t nvvm_d2i_lo(double V) {
  return int32_t(nvvm::bits<uint64_t>(V));
}
inline __attribute__((used)) double nvvm_lohi_i2d(uint32_t Low, uint32_t High) {
  return nvvm::bits<double>(uint64_t(High) << 32 | Low);
}
inline __attribute__((used)) int32_t nvvm_d2i_rn(double V) {
  return nvvm::toInt(std::rint(V));
}
inline __attribute__((used)) int32_t nvvm_f2i_rn(float V) {
  return nvvm::toInt(std::rint(V));
}
inline __attribute__((used)) int32_t nvvm_f2i_rz(float V) {
  return nvvm::toInt(std::trunc(V));
}
inline __attribute__((used)) float nvvm_div_approx_f(float A, float B) {
  return A / B;
}
inline __attribute__((used)) float nvvm_div_approx_ftz_f(float A, float B) {
  return nvvm::flushed(nvvm::flushed(A) / nvvm::flushed(B));
}
inline __attribute__((used)) float nvvm_ex2_approx_f32(float V) {
  return std::exp2(V);
}
inline __attribute__((used)) float nvvm_ex2_approx_ftz_f(float V) {
  return nvvm::flushed(std::exp2(nvvm::flushed(V)));
}
inline __attribute__((used)) float nvvm_ex2_approx_ftz_f32(float V) {
  return nvvm_ex2_approx_ftz_f(V);
}
inline __attribute__((used)) float nvvm_lg2_approx_f(float V) {
  return std::log2(V);
}
inline __attribute__((used)) float nvvm_lg2_approx_ftz_f(float V) {
  return std::log2(nvvm::flushed(V));
}
inline __attribute__((used)) float nvvm_fabs_f32(float V) {
  return std::fabs(V);
}
inline __attribute__((used)) double nvvm_fabs_f64(double V) {
  return std::fabs(V);
}
inline __attribute__((used)) double nvvm_root_approx_ftz_d(double V) {
  return nvvm::upperHalf(1 / std::sqrt(V));
}
inline __attribute__((used)) float nvvm_sub_rn_f(float A, float B) {
  return A - B;
}
inline __attribute__((used)) double nvvm_sub_rn_d(double A, double B) {
  return A - B;
}
inline __attribute__((used)) double nvvm_select_equal_d(double A, double B,
                                                        double C, double D) {
  return A < B || A > B ? D : C;
}
inline __attribute__((used)) float nvvm_rcp_approx_ftz_f(float V) {
  return nvvm::flushed(1 / nvvm::flushed(V));
}
inline __attribute__((used)) double nvvm_rcp_approx_ftz_d(double V) {
  return nvvm::upperHalf(1 / V);
}
inline __attribute__((used)) double nvvm_rsqrt_approx_ftz_d(double V) {
  return nvvm::upperHalf(1 / std::sqrt(V));
}
inline __attribute__((used)) float nvvm_rsqrt_approx_ftz_f(float V) {
  return 1 / std::sqrt(nvvm::flushed(V));
}
inline __attribute__((used)) double nvvm_round_d(double V) {
  return std::rint(V);
}
inline __attribute__((used)) float nvvm_round_f(float V) {
  return std::rint(V);
}
inline __attribute__((used)) float nvvm_saturate_f(float V) {
  return V >= 1 ? 1.f : V > 0 ? V : 0.f;
}
inline __attribute__((used)) float nvvm_sqrt_rn_f(float V) {
  return std::sqrt(V);
}
inline __attribute__((used)) double nvvm_sqrt_rn_d(double V) {
  return std::sqrt(V);
}
}
