// The kernels as CUDA C++ would have them. See kernels.inc.

#define KERNEL extern "C" __global__
#define FUNCTION __device__ inline
#define TABLE __device__ const
#define IN(T, NAME) const T *__restrict__ NAME
#define OUT(T, NAME) T *__restrict__ NAME
#define THREAD threadIdx
#define BLOCK blockIdx
#define THREADS blockDim
#define GRID gridDim
#define SHARED(T, NAME, COUNT) __shared__ T NAME[COUNT]
#define SYNC() __syncthreads()
#define ADD(OBJECT, VALUE) atomicAdd(&(OBJECT), VALUE)
#define LANE (THREAD.x)
#define SHUFFLE(VALUE, FROM) __shfl_sync(0xffffffff, VALUE, FROM)
#define UNROLL _Pragma("unroll")

#include "kernels.inc"
