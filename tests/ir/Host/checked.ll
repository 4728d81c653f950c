; Every kernel has a second version for FERRY_CHECK: cut at its barriers, with a call
; before each access to memory that others see, its lines in a table, and nothing
; optimised.
;
; RUN: env FERRY_TARGETS=cpu %opt -passes=ferry,verify -S %s | FileCheck %s
; RUN: env FERRY_TARGETS=cpu FERRY_STRIP_DEBUG=1 %opt -passes=ferry,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=FIRST < %t.ll
; RUN: FileCheck %s --check-prefix=SECOND < %t.ll

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare ptr @__ferry_shared(ptr, ptr, i64, i64)
declare void @__ferry_sync_threads()
declare i64 @__ferry_global_id()
declare i32 @__ferry_thread_idx(i32)
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@tile = private constant i8 0

define internal void @shim(ptr %block) !dbg !10 {
  %x = load ptr, ptr %block, align 8
  call void @kernel(ptr %x), !dbg !9
  ret void
}

; Two regions, of 256 shared bytes.
; CHECK-DAG: @[[REGIONS:ferry.checked.regions[.0-9]*]] = private constant [2 x { ptr, i32, i32, i32, i32, i32, i32 }]
; CHECK-DAG: @ferry_kernel_{{[0-9a-f]+}}.checked = internal constant { i64, ptr, i64, i64, i64, ptr, ptr } { i64 2, ptr @[[REGIONS]], i64 {{[0-9]+}}, i64 256, i64 1,
; CHECK-DAG: @ferry.check.sites = private {{.*}} i32 4, i32 7
; CHECK-DAG: c"dir/a.cpp\00"
; CHECK: define internal i32 @ferry_kernel_{{[0-9a-f]+}}.checked.entry.0({{.*}}) #[[CHECKED:[0-9]+]] section ".text.ferry.checked"
; CHECK: attributes #[[CHECKED]] = { {{.*}}noinline{{.*}}optnone
; The tile is written before the barrier and read behind it.
; FIRST: define internal i32 @ferry_kernel_{{[0-9a-f]+}}.checked.thread.region.0(
; FIRST: call i32 @__ferry_check_access(ptr %{{.*}}, i64 4, i32 2, i32 {{[0-9]+}})
; FIRST: br i1
; FIRST: ret i32 1
; SECOND: define internal i32 @ferry_kernel_{{[0-9a-f]+}}.checked.thread.region.1(
; SECOND: call i32 @__ferry_check_access(ptr %{{.*}}, i64 4, i32 1, i32 {{[0-9]+}})
; SECOND: call i32 @__ferry_check_access(ptr %{{.*}}, i64 4, i32 2, i32 {{[0-9]+}})
; SECOND: ret i32 0
define void @kernel(ptr %x) !dbg !5 {
  %tile = call ptr @__ferry_shared(ptr @tile, ptr null, i64 256, i64 4)
  %t = call i32 @__ferry_thread_idx(i32 0)
  %i = zext i32 %t to i64
  %own = getelementptr float, ptr %tile, i64 %i
  store float 1.0, ptr %own, !dbg !6
  call void @__ferry_sync_threads(), !dbg !7
  %other = xor i64 %i, 1
  %theirs = getelementptr float, ptr %tile, i64 %other
  %v = load float, ptr %theirs, !dbg !8
  %g = call i64 @__ferry_global_id()
  %out = getelementptr float, ptr %x, i64 %g
  store float %v, ptr %out, !dbg !8
  ret void
}
define i32 @run(ptr %x) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 1,
      i64 8, i64 1, i64 1, i64 64, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 97, ptr %x, i64 2048)
  ret i32 %r
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "dir/a.cpp", directory: "/nowhere")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "kernel", file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 4, column: 7, scope: !5)
!7 = !DILocation(line: 5, column: 3, scope: !5)
!8 = !DILocation(line: 6, column: 9, scope: !5)
!9 = !DILocation(line: 1, column: 1, scope: !10)
!10 = distinct !DISubprogram(name: "shim", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
