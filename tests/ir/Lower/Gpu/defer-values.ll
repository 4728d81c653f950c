; A value made of one other, such as an address, waits until right before its
; first use, where that holds fewer registers.
;
; RUN: %opt -passes=ferry-defer-values -S %s | FileCheck %s

declare void @effect()

; Past a branch; the index is held anyway, for the comparison.
; CHECK-LABEL: @past_branch(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %t = load i32
; CHECK-NEXT:    %some = icmp
; CHECK-NEXT:    br
; CHECK:       then:
; CHECK-NEXT:    call void @effect()
; CHECK:       join:
; CHECK-NEXT:    %wide = zext
; CHECK-NEXT:    %address = getelementptr
; CHECK-NEXT:    store i32 %t, ptr %address
; CHECK-NEXT:    call void @effect()
; CHECK-NEXT:    store i32 0, ptr %address
define void @past_branch(ptr %p, ptr %q) {
entry:
  %t = load i32, ptr %q
  %wide = zext i32 %t to i64
  %address = getelementptr i32, ptr %p, i64 %wide
  %some = icmp eq i32 %t, 7
  br i1 %some, label %then, label %join
then:
  call void @effect()
  br label %join
join:
  store i32 %t, ptr %address
  call void @effect()
  store i32 0, ptr %address
  ret void
}

; Not into a loop, where it would be computed again and again.
; CHECK-LABEL: @not_into_loop(
; CHECK:       ready:
; CHECK-NEXT:    %wide = zext
; CHECK-NEXT:    %address = getelementptr
; CHECK-NEXT:    br label %loop
; CHECK:       loop:
; CHECK-NEXT:    %i = phi
; CHECK-NEXT:    store i32 %i, ptr %address
define void @not_into_loop(ptr %p, ptr %q, i32 %n) {
entry:
  %t = load i32, ptr %q
  %wide = zext i32 %t to i64
  %address = getelementptr i32, ptr %p, i64 %wide
  %some = icmp eq i32 %t, 7
  br i1 %some, label %out, label %ready
ready:
  br label %loop
loop:
  %i = phi i32 [ 0, %ready ], [ %next, %loop ]
  store i32 %i, ptr %address
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A phi uses it at the end of the block that it comes from.
; CHECK-LABEL: @phi(
; CHECK:       left:
; CHECK-NEXT:    %wide = zext
; CHECK-NEXT:    br label %join
define i64 @phi(ptr %q) {
entry:
  %t = load i32, ptr %q
  %wide = zext i32 %t to i64
  %some = icmp eq i32 %t, 7
  br i1 %some, label %left, label %join
left:
  br label %join
join:
  %r = phi i64 [ 0, %entry ], [ %wide, %left ]
  ret i64 %r
}

; Two values would be held for one, or one for one, or a larger one: nothing is
; gained. Loads and comparisons don't wait.
; CHECK-LABEL: @stays(
; CHECK-NEXT:    %t = load i32
; CHECK-NEXT:    %u = load i32
; CHECK-NEXT:    %v = load i32
; CHECK-NEXT:    %w = load i64
; CHECK-NEXT:    %sum = add i32 %t, %u
; CHECK-NEXT:    %same = mul i32 %v, 3
; CHECK-NEXT:    %narrow = trunc i64 %w to i32
; CHECK-NEXT:    %less = icmp slt i32 %u, 9
; CHECK-NEXT:    call void @effect()
define i32 @stays(ptr %q, ptr %r) {
  %t = load i32, ptr %q
  %u = load i32, ptr %q
  %v = load i32, ptr %q
  %w = load i64, ptr %r
  %sum = add i32 %t, %u
  %same = mul i32 %v, 3
  %narrow = trunc i64 %w to i32
  %less = icmp slt i32 %u, 9
  call void @effect()
  %a = add i32 %sum, %same
  %b = add i32 %a, %narrow
  %c = select i1 %less, i32 %b, i32 0
  ret i32 %c
}
