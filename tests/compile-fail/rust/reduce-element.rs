// What a reduction's functions must be like.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn main() {
    let x = [1.0; 4];
    // The element's number is missing.
    let _ = ferry::parallel_reduce(over(4), 0.0, |a, b| a + b, |x: &[f32]| x[gpu::global_id()], (&x,));
    // CHECK: closure is expected to take 2 arguments, but it takes 1 argument

    // Its first parameter is no number.
    fn value(at: f32, x: &[f32]) -> f32 {
        x[at as usize]
    }
    let _ = ferry::parallel_reduce(over(4), 0f32, |a, b| a + b, value, (&x,));
    // CHECK: does not give a `f32` for each element
    // CHECK: not a function of an element's number
    // CHECK: its first parameter is the element's number, a `usize`; then come the parameters for the arguments: `|i: usize, x: &[f32]| x[i]`

    // A bool has two bit patterns.
    let _ = ferry::parallel_reduce(over(4), false, |a, b| a | b, |i: usize, x: &[f32]| x[i] > 1.0, (&x,));
    // CHECK: a `bool` cannot come from another thread: not every bit pattern is a value of it
}
