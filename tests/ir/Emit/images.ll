; What libomptarget finds in each kind of image: the kernel's symbol, AMD's
; descriptor and the argument list in the metadata; and that nothing is left
; undefined.
;
; RUN: %opt -passes='ferry-emit<gfx90a>' -disable-output %s > %t.gfx90a
; RUN: llvm-readelf --file-header --dyn-syms --notes %t.gfx90a | FileCheck %s --check-prefixes=AMDGPU,GFX90A
; RUN: %opt -passes='ferry-emit<gfx942>' -disable-output %s > %t.gfx942
; RUN: llvm-readelf --file-header --dyn-syms --notes %t.gfx942 | FileCheck %s --check-prefixes=AMDGPU,GFX942
; RUN: %opt -passes='ferry-emit<gfx1100>' -disable-output %s > %t.gfx1100
; RUN: llvm-readelf --file-header --dyn-syms --notes %t.gfx1100 | FileCheck %s --check-prefixes=AMDGPU,GFX1100
;
; RUN: %opt -passes='ferry-emit<virtual>' -disable-output %s > %t.virtual
; RUN: llvm-readelf --file-header --dyn-syms --dynamic-table %t.virtual | FileCheck %s --check-prefix=VIRTUAL
;
; RUN: env FERRY_PTXAS=none %opt -passes='ferry-emit<sm_90>' -disable-output %s > %t.bc
; RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=BITCODE

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; AMDGPU: OS/ABI: AMDGPU - HSA
; AMDGPU: ABI Version: 3
; GFX90A: Flags: {{.*}}gfx90a
; GFX942: Flags: {{.*}}gfx942
; GFX1100: Flags: {{.*}}gfx1100
; AMDGPU-NOT: UND {{.+}}
; AMDGPU-DAG: FUNC GLOBAL PROTECTED {{.*}} [[KERNEL:ferry_k_[0-9a-f]*]]{{$}}
; AMDGPU-DAG: OBJECT GLOBAL PROTECTED {{.*}} ferry_k_{{[0-9a-f]*}}.kd
; AMDGPU: amdhsa.kernels:
; AMDGPU: .args:
; AMDGPU: .offset: 0
; AMDGPU: .value_kind: global_buffer
; AMDGPU: .address_space: global
; AMDGPU: .offset: 8
; AMDGPU: .name: extent.x
; AMDGPU: .offset: 16
; AMDGPU: .name: block.z
; AMDGPU: .offset: 56
; AMDGPU: .name: dynamic.shared
; AMDGPU: .kernarg_segment_size: 80
; AMDGPU: .max_flat_workgroup_size: 256

; VIRTUAL: Type: DYN
; VIRTUAL: Machine: Advanced Micro Devices X86-64
; VIRTUAL: (NEEDED) Shared library: [libm.so.6]
; VIRTUAL: FUNC GLOBAL {{.*}} ferry_k_

; BITCODE: target triple = "nvptx64-nvidia-cuda"
; BITCODE: define {{.*}}ptx_kernel void @ferry_k_

declare i32 @__ferry_launch(...)
declare i64 @__ferry_global_id()
declare double @tgamma(double)

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %p = getelementptr double, ptr %u, i64 %i
  %v = load double, ptr %p
  %e = call double @tgamma(double %v)
  store double %e, ptr %p
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
