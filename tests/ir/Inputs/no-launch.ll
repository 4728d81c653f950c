target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@counter = global i32 5
declare i32 @printf(ptr, ...)
define i32 @f(i32 %x) {
  %v = load i32, ptr @counter
  %r = add i32 %x, %v
  ret i32 %r
}
