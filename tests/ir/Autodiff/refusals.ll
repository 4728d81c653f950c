; What is not supported is refused, with the function, the instruction and the
; variable.
;
; RUN: split-file %s %t
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/unknown-callee.ll -o %t/object 2>&1 | FileCheck %t/unknown-callee.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/unknown-function.ll -o %t/object 2>&1 | FileCheck %t/unknown-function.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/arguments.ll -o %t/object 2>&1 | FileCheck %t/arguments.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/bits.ll -o %t/object 2>&1 | FileCheck %t/bits.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/modes.ll -o %t/object 2>&1 | FileCheck %t/modes.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/constant.ll -o %t/object 2>&1 | FileCheck %t/constant.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/registered.ll -o %t/object 2>&1 | FileCheck %t/registered.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/release.ll -o %t/object 2>&1 | FileCheck %t/release.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/unknown-block.ll -o %t/object 2>&1 | FileCheck %t/unknown-block.ll
; RUN: not %clang -fpass-plugin=%plugin -Wno-override-module -c %t/external-memory.ll -o %t/object 2>&1 | FileCheck %t/external-memory.ll

;--- unknown-callee.ll
declare double @__enzyme_fwddiff(ptr, ...)
declare double @mystery(double)
; CHECK: error: {{.*}}cannot differentiate 'f': gives 'x' to 'mystery', whose body is not known here (in call of 'mystery'); define it in this file
define double @f(double %x) {
  %r = call double @mystery(double %x)
  ret double %r
}
define double @df() {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double 2.0, double 1.0)
  ret double %d
}

;--- unknown-function.ll
declare double @__enzyme_fwddiff(ptr, ...)
declare double @g(double)
; CHECK: error: {{.*}}'__enzyme_fwddiff' in 'df': the function to differentiate is not known here
define double @df(ptr %table) {
  %f = load ptr, ptr %table
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr %f, double 2.0, double 1.0)
  ret double %d
}
; CHECK: error: {{.*}}'g' has no body in this file
define double @dg() {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @g, double 2.0, double 1.0)
  ret double %d
}

;--- arguments.ll
@enzyme_out = external global i32
declare double @__enzyme_fwddiff(ptr, ...)
define double @f(double %x, ptr %p) {
  ret double %x
}
; CHECK: 'few': parameter 2 of the function is missing
define double @few() {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double 2.0, double 1.0)
  ret double %d
}
; CHECK: 'shadowless': the shadow of parameter 2 of the function is missing
define double @shadowless(ptr %p) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double 2.0, double 1.0, ptr %p)
  ret double %d
}
; CHECK: 'many': more arguments than the function's 2
define double @many(ptr %p) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double 2.0, double 1.0, ptr %p, ptr %p, i32 1)
  ret double %d
}
; CHECK: 'mistyped': a value of type ptr is given for parameter 1 of type double
define double @mistyped(ptr %p) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %p, double 1.0, ptr %p, ptr %p)
  ret double %d
}
; CHECK: 'out': parameter 1 of the function is enzyme_out in forward mode
define double @out(ptr %p) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_out, double 1.0, ptr %p, ptr %p)
  ret double %d
}

;--- bits.ll
declare double @__enzyme_fwddiff(ptr, ...)
; CHECK: error: {{.*}}cannot differentiate 'f': makes a number of the result of sub, which is computed from the bits of an active number (in bitcast)
define double @f(double %x) {
  %bits = bitcast double %x to i64
  %half = lshr i64 %bits, 1
  %magic = sub i64 6910469410427058089, %half
  %y = bitcast i64 %magic to double
  ret double %y
}
define double @df() {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double 2.0, double 1.0)
  ret double %d
}

;--- modes.ll
declare double @__enzyme_augmentfwd(ptr, ...)
; CHECK: error: {{.*}}'__enzyme_augmentfwd' is not supported yet
define double @f(double %x) {
  ret double %x
}
define double @df() {
  %d = call double (ptr, ...) @__enzyme_augmentfwd(ptr @f, double 2.0)
  ret double %d
}

;--- constant.ll
@enzyme_const = external global i32
declare double @__enzyme_fwddiff(ptr, ...)
; CHECK: error: {{.*}}cannot differentiate 'f': memory that is differentiated meets the constant pointer 'q'
define double @f(i1 %c, ptr %p, ptr %q) {
  %r = select i1 %c, ptr %p, ptr %q
  %v = load double, ptr %r
  ret double %v
}
define double @df(ptr %p) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, i1 true, ptr %p, ptr %p, ptr @enzyme_const, ptr %p)
  ret double %d
}

;--- registered.ll
@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr @f]
declare double @__enzyme_fwddiff(ptr, ...)
; CHECK: error: ferry: '__enzyme_register_derivative_f': __enzyme_register_* is not supported yet
define double @f(double %x) {
  ret double %x
}
define double @df() {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double 2.0, double 1.0)
  ret double %d
}

;--- release.ll
declare double @__enzyme_autodiff(ptr, ...)
declare noalias ptr @malloc(i64)
declare void @free(ptr)
; CHECK: error: {{.*}}cannot differentiate 'last': frees or grows memory that it was given, 'p'
define double @last(ptr %p, i32 %n) {
entry:
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call double @last(ptr %p, i32 %m)
  ret double %r
end:
  %v = load double, ptr %p
  call void @free(ptr %p)
  ret double %v
}
define double @f(double %x) {
  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  %r = call double @last(ptr %p, i32 3)
  ret double %r
}
define double @df() {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double 2.0)
  ret double %d
}

;--- unknown-block.ll
declare double @__enzyme_autodiff(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; CHECK: error: {{.*}}cannot differentiate 'f': moves a block of memory, and it cannot be told what numbers are in it
define void @f(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}
define void @df(ptr %p) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %p, ptr %p, ptr %p, i64 8)
  ret void
}

;--- external-memory.ll
declare double @__enzyme_autodiff(ptr, ...)
@buffer = external global ptr
; CHECK: error: {{.*}}cannot differentiate 'f': stores the active value 'x' in {{.*}}, which has no shadow
define double @f(double %x) {
  %p = load ptr, ptr @buffer
  store double %x, ptr %p
  %v = load double, ptr %p
  ret double %v
}
define double @df() {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double 2.0)
  ret double %d
}
