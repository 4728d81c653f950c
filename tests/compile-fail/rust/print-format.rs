// Mistakes in a format, which is std::fmt's.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn kernel(x: f32) {
    gpu::print!("{} {}", x);
    // CHECK: error: the format asks for argument 1, counted from 0, but there is one
    // CHECK: print-format.rs:[[@LINE-2]]:17
    gpu::print!("{2}", x, x);
    // CHECK: error: the format asks for argument 2, counted from 0, but there are 2
    gpu::print!("{}", x, 2.0);
    // CHECK: error: no field shows this argument
    // CHECK: print-format.rs:[[@LINE-2]]:26
    gpu::print!("{x} {", x = 1);
    // CHECK: error: `{` without `}`: to print one, write `{{[{][{]}}`
    gpu::print!("} {x}");
    // CHECK: error: unmatched `}`: to print one, write `}}`
    gpu::print!("{:q}", x);
    // CHECK: error: unknown format type `q`
    gpu::print!("{:p}", &x);
    // CHECK: error: a kernel does not print pointers: its addresses mean nothing elsewhere
    gpu::print!("{:5.}", x);
    // CHECK: error: `.` without a precision
    gpu::print!("{x+1}");
    // CHECK: error: a field does not go on with `+`
    gpu::print!(x);
    // CHECK: error: the format must be a string literal, such as "{}"
    gpu::print!("{a} {}", a = x, x);
    // CHECK: error: named arguments come after those without a name
    gpu::print!("{:70000}", x);
    // CHECK: error: the number 70000 is too large
    gpu::println!("{y}");
    // CHECK: error[E0425]: cannot find value `y` in this scope
    // CHECK: print-format.rs:[[@LINE-2]]:19
}
fn main() {
    let _ = launch(kernel, over(1), (0.5,));
}
