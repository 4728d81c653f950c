// The same with cuBLAS compiles and links, for machines that have a GPU.
//
// REQUIRES: cublas
// RUN: %ferrycxx -O2 -Wall -Werror %s -I%cublas -L%cublas/../lib64 -lcublas -lcudart -o %t

#include <cublas_v2.h>
#include <ferry/ferry.h>
#include <stdexcept>
#include <vector>

void product(const std::vector<float> &A, const std::vector<float> &B,
             std::vector<float> &C, int N) {
  cublasHandle_t Handle;
  if (cublasCreate(&Handle) != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error("no cuBLAS");
  float One = 1, Zero = 0;
  ferry::with_device(
      ferry::in(A), ferry::in(B), ferry::out(C),
      [&](const float *DA, const float *DB, float *DC) {
        if (cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &One, DA, N,
                        DB, N, &Zero, DC, N) != CUBLAS_STATUS_SUCCESS ||
            cudaStreamSynchronize(nullptr) != cudaSuccess)
          throw std::runtime_error("cuBLAS failed");
      });
  cublasDestroy(Handle);
}

int main(int Count, char **) {
  std::vector<float> A(4, 1), B(4, 1), C(4);
  if (Count > 1)
    product(A, B, C, 2);
}
