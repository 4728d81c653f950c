// Intrinsics of one processor. Those that clang writes as ordinary vector
// operations are no such; these are.
// RUN: %refused
#include <ferry/ferry.h>
#include <immintrin.h>
#include <vector>

void reciprocal(std::span<float> V) {
  // CHECK-DAG: x86-intrinsic.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'reciprocal' cannot run on a device: uses the processor-specific intrinsic {{.*}}rcp{{.*}}; write the operation in the source language
  __m128 R = _mm_rcp_ps(_mm_loadu_ps(V.data()));
  _mm_storeu_ps(V.data(), R);
}
inline int mask(__m128i V) {
  // CHECK-DAG: x86-intrinsic.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'masks' cannot run on a device: uses the processor-specific intrinsic {{.*}}(masks → mask)
  return _mm_movemask_epi8(_mm_sad_epu8(V, V));
}
void masks(std::span<int> V) { V[0] = mask(_mm_set1_epi32(V[1])); }
void fences(std::span<int> V) {
  // CHECK-DAG: x86-intrinsic.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'fences' cannot run on a device: uses the processor-specific intrinsic
  _mm_sfence();
  V[0] = 1;
}

int main() {
  std::vector<float> F(4);
  std::vector<int> V(4);
  ferry::launch<reciprocal>(ferry::over(1), F);
  ferry::launch<masks>(ferry::over(1), V);
  ferry::launch<fences>(ferry::over(1), V);
}
