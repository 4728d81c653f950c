; An expression computes first the operand that takes the most registers. Values
; with several uses, phis and what has effects stay; loads stay before writes.
;
; RUN: %opt -passes=ferry-order-expressions -S %s | FileCheck %s

declare void @llvm.assume(i1)
declare void @effect()
declare void @both(i64, float)
declare float @llvm.fma.f32(float, float, float)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

; The sum takes two registers while it is computed, the other load only one.
; CHECK-LABEL: @larger_first(
; CHECK-NEXT:    %la = load
; CHECK-NEXT:    %lb = load
; CHECK-NEXT:    %sum = fadd
; CHECK-NEXT:    %alone = load
; CHECK-NEXT:    %all = fadd float %alone, %sum
; CHECK-NEXT:    store float %all
define void @larger_first(ptr noalias %a, ptr noalias %b, ptr noalias %o) {
  %alone = load float, ptr %o
  %la = load float, ptr %a
  %lb = load float, ptr %b
  %sum = fadd float %la, %lb
  %all = fadd float %alone, %sum
  store float %all, ptr %o
  ret void
}

; Alike, so the program's order.
; CHECK-LABEL: @alike(
; CHECK:         %x = fmul
; CHECK-NEXT:    %y = fmul
; CHECK-NEXT:    %z = fadd float %y, %x
define float @alike(float %a, float %b) {
  %x = fmul float %a, %a
  %y = fmul float %b, %b
  %z = fadd float %y, %x
  ret float %z
}

; What an operand stays in is held in either order: both take two registers, but
; the sum stays in one.
; CHECK-LABEL: @stays_in_fewer(
; CHECK-NEXT:    %a = fadd
; CHECK-NEXT:    %b = fadd
; CHECK-NEXT:    %sum = fadd
; CHECK-NEXT:    %wide = add
; CHECK-NEXT:    call void @both
define void @stays_in_fewer(i64 %p, float %q) {
  %wide = add i64 %p, 1
  %a = fadd float %q, 1.0
  %b = fadd float %q, 2.0
  %sum = fadd float %a, %b
  call void @both(i64 %wide, float %sum)
  ret void
}

; CHECK-LABEL: @stays_before_writes(
; CHECK-NEXT:    %early = load
; CHECK-NEXT:    store float 0.0
; CHECK-NEXT:    %la = load
; CHECK-NEXT:    %lb = load
; CHECK-NEXT:    %sum = fadd
; CHECK-NEXT:    %all = fadd
define float @stays_before_writes(ptr %a, ptr %b, ptr %o) {
  %early = load float, ptr %o
  store float 0.0, ptr %a
  %la = load float, ptr %a
  %lb = load float, ptr %b
  %sum = fadd float %la, %lb
  %all = fadd float %early, %sum
  ret float %all
}

; CHECK-LABEL: @several_uses(
; CHECK-NEXT:    %twice = fmul
; CHECK-NEXT:    call void @effect()
; CHECK-NEXT:    %la = load
; CHECK-NEXT:    %lb = load
; CHECK-NEXT:    %sum = fadd
; CHECK-NEXT:    %part = fadd
define float @several_uses(float %x, ptr %a, ptr %b) {
  %twice = fmul float %x, %x
  call void @effect()
  %part = fadd float %twice, 1.0
  %la = load float, ptr %a
  %lb = load float, ptr %b
  %sum = fadd float %la, %lb
  %all = fmul float %part, %sum
  %r = fmul float %all, %twice
  ret float %r
}

; Threads meet at a shuffle.
; CHECK-LABEL: @shuffle(
; CHECK-NEXT:    %s = call i32 @llvm.nvvm.shfl
; CHECK-NEXT:    call void @effect()
define i32 @shuffle(i32 %x) {
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 0, i32 31)
  call void @effect()
  %r = add i32 %s, 1
  ret i32 %r
}

; An atomic access stays, relaxed or not, and so does a volatile one.
; CHECK-LABEL: @atomic(
; CHECK-NEXT:    %s = load atomic
; CHECK-NEXT:    %v = load volatile
; CHECK-NEXT:    %la = load
define i32 @atomic(ptr %a, ptr %b) {
  %s = load atomic i32, ptr %a monotonic, align 4
  %v = load volatile i32, ptr %b
  %la = load i32, ptr %a
  %lb = load i32, ptr %b
  %sum = add i32 %la, %lb
  %all = add i32 %s, %sum
  %r = add i32 %v, %all
  ret i32 %r
}

; An assumption is no use, and no write.
; CHECK-LABEL: @assumption(
; CHECK-NOT:     @llvm.assume
; CHECK-NOT:     icmp
; CHECK:         %la = load
; CHECK-NEXT:    %lb = load
; CHECK-NEXT:    %sum = fadd
; CHECK-NEXT:    %alone = load
; CHECK-NEXT:    %all = fadd
define float @assumption(ptr %a, ptr %b, ptr %o, i32 %i, i32 %n) {
  %alone = load float, ptr %o
  %in = icmp ult i32 %i, %n
  call void @llvm.assume(i1 %in)
  %la = load float, ptr %a
  %lb = load float, ptr %b
  %sum = fadd float %la, %lb
  %all = fadd float %alone, %sum
  ret float %all
}

; Uses in phis and in other blocks are no expression of this block's.
; CHECK-LABEL: @phi(
; CHECK:       loop:
; CHECK-NEXT:    %s = phi
; CHECK-NEXT:    %next = fadd
; CHECK-NEXT:    %big = fcmp
; CHECK-NEXT:    br i1 %big
; CHECK:       out:
; CHECK-NEXT:    ret float %s
define float @phi(float %x) {
entry:
  br label %loop
loop:
  %s = phi float [ 0.0, %entry ], [ %next, %loop ]
  %next = fadd float %s, %x
  %big = fcmp ogt float %s, 1.0
  br i1 %big, label %out, label %loop
out:
  ret float %s
}
