// The kernels as clang compiles them for AMD GPUs in HIP's language mode, which
// needs neither ROCm's headers nor an OpenMP device runtime. See kernels.inc.

#define KERNEL extern "C" __attribute__((global))
#define FUNCTION static __attribute__((device)) inline
#define TABLE static __attribute__((device)) const
#define IN(T, NAME) const T *__restrict__ NAME
#define OUT(T, NAME) T *__restrict__ NAME

struct Dim {
  unsigned x, y, z;
};
FUNCTION Dim thread() {
  return {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
          __builtin_amdgcn_workitem_id_z()};
}
FUNCTION Dim block() {
  return {__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
          __builtin_amdgcn_workgroup_id_z()};
}
FUNCTION Dim threads() {
  return {__builtin_amdgcn_workgroup_size_x(),
          __builtin_amdgcn_workgroup_size_y(),
          __builtin_amdgcn_workgroup_size_z()};
}
FUNCTION Dim grid() {
  return {__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
          __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
          __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z()};
}
FUNCTION float shuffle(float v, unsigned lane) {
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(
                                       lane * 4, __builtin_bit_cast(int, v)));
}

#define THREAD thread()
#define BLOCK block()
#define THREADS threads()
#define GRID grid()
#define SHARED(T, NAME, COUNT) static __attribute__((shared)) T NAME[COUNT]
#define SYNC()                                                                 \
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"),                      \
   __builtin_amdgcn_s_barrier(),                                               \
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#define ADD(OBJECT, VALUE)                                                     \
  __hip_atomic_fetch_add(&(OBJECT), VALUE, __ATOMIC_RELAXED,                   \
                         __HIP_MEMORY_SCOPE_AGENT)
#define LANE (THREAD.x)
#define SHUFFLE(VALUE, FROM) shuffle(VALUE, FROM)
#define UNROLL _Pragma("unroll")

#define fabsf __builtin_fabsf
#define fmaxf __builtin_fmaxf
#define sqrtf __builtin_sqrtf
#define expf __builtin_expf
#define logf __builtin_logf

#include "kernels.inc"
