; Copies of one call at which threads meet, on ways that exclude each other, are
; made one call again: of barriers, of warp operations with their operands, of
; functions with a barrier. Others stay: those of two places, and those that come
; one after the other.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s

; CHECK-LABEL: define void @ferry_copies_
; CHECK-COUNT-1: call void @__ferry_sync_threads()
; CHECK-COUNT-1: call i32 @__ferry_warp_shuffle(
; CHECK-COUNT-1: call void @__ferry_sync_threads()
; CHECK-NOT: @__ferry_sync_threads()
; CHECK: ret void

; CHECK-LABEL: define void @ferry_others_
; CHECK-COUNT-4: call void @__ferry_sync_threads()
; CHECK-NOT: @__ferry_sync_threads()
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@copies.name = private constant [6 x i8] c"copies"
@others.name = private constant [6 x i8] c"others"

declare i32 @__ferry_launch(i64, ...)
declare i32 @__ferry_thread_idx(i32)
declare void @__ferry_sync_threads()
declare i32 @__ferry_warp_shuffle(i32, i32)

define internal void @helper(ptr %p) !dbg !20 {
  store volatile i32 3, ptr %p, !dbg !21
  call void @__ferry_sync_threads(), !dbg !21
  ret void, !dbg !21
}

define internal void @copies(ptr %block) !dbg !4 {
  %p = load ptr, ptr %block, !dbg !10
  %t = call i32 @__ferry_thread_idx(i32 0), !dbg !10
  %first = icmp eq i32 %t, 0, !dbg !10
  br i1 %first, label %a, label %b, !dbg !10
a:
  store volatile i32 1, ptr %p, !dbg !11
  %x = load volatile i32, ptr %p, !dbg !11
  call void @__ferry_sync_threads(), !dbg !12
  %s = call i32 @__ferry_warp_shuffle(i32 %x, i32 1), !dbg !13
  call void @helper(ptr %p), !dbg !14
  %sum = add i32 %s, %x, !dbg !15
  store volatile i32 %sum, ptr %p, !dbg !15
  br label %end, !dbg !15
b:
  call void @__ferry_sync_threads(), !dbg !12
  %u = call i32 @__ferry_warp_shuffle(i32 7, i32 %t), !dbg !13
  call void @helper(ptr %p), !dbg !14
  store volatile i32 %u, ptr %p, !dbg !15
  br label %end, !dbg !15
end:
  ret void, !dbg !15
}

define internal void @others(ptr %block) !dbg !5 {
  %p = load ptr, ptr %block, !dbg !30
  call void @__ferry_sync_threads(), !dbg !31
  store volatile i32 1, ptr %p, !dbg !31
  call void @__ferry_sync_threads(), !dbg !31
  %t = call i32 @__ferry_thread_idx(i32 0), !dbg !30
  %first = icmp eq i32 %t, 0, !dbg !30
  br i1 %first, label %a, label %b, !dbg !30
a:
  store volatile i32 2, ptr %p, !dbg !30
  call void @__ferry_sync_threads(), !dbg !32
  br label %end, !dbg !30
b:
  store volatile i32 3, ptr %p, !dbg !30
  call void @__ferry_sync_threads(), !dbg !33
  store volatile i32 4, ptr %p, !dbg !30
  br label %end, !dbg !30
end:
  ret void, !dbg !30
}

define i32 @main() !dbg !6 {
  %buffer = alloca i32
  %1 = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @copies, ptr @copies.name, i64 6, ptr @copies.name, i64 6, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 8, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %buffer, i64 4), !dbg !40
  %2 = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @others, ptr @others.name, i64 6, ptr @copies.name, i64 6, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 8, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %buffer, i64 4), !dbg !40
  ret i32 0, !dbg !40
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "app.rs", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "copies", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "others", file: !1, line: 20, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "main", file: !1, line: 40, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 2, scope: !4)
!11 = !DILocation(line: 3, scope: !4)
!12 = !DILocation(line: 4, scope: !4)
!13 = !DILocation(line: 5, scope: !4)
!14 = !DILocation(line: 6, scope: !4)
!15 = !DILocation(line: 7, scope: !4)
!20 = distinct !DISubprogram(name: "helper", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!21 = !DILocation(line: 11, scope: !20)
!30 = !DILocation(line: 21, scope: !5)
!31 = !DILocation(line: 22, scope: !5)
!32 = !DILocation(line: 23, scope: !5)
!33 = !DILocation(line: 24, scope: !5)
!40 = !DILocation(line: 41, scope: !6)
