// The borrow outlives the wait: what a stream uses is the scope's.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn add(x: &[f32], y: &mut f32) {
    *y += x[gpu::global_id()];
}
fn written(v: &mut Vec<f32>) -> ferry::Result<()> {
    let x = [1.0; 4];
    ferry::scope(|scope| {
        let s = scope.stream()?;
        launch(add, over(4).stream(&s), (&x, each(v)))?;
        launch(add, over(4).stream(&s), (&x, each(v)))?;
        Ok(())
    })
}
// CHECK: error[E0499]: cannot borrow `*v` as mutable more than once at a time
fn inner() -> ferry::Result<()> {
    ferry::scope(|scope| {
        let s = scope.stream()?;
        let (x, mut y) = ([1.0; 4], [1.0; 4]);
        launch(add, over(4).stream(&s), (&x, each(&mut y)))
    })
}
// CHECK: error[E0597]: `x` does not live long enough
// CHECK: error[E0597]: `y` does not live long enough
fn read() -> ferry::Result<()> {
    let (x, mut y) = ([1.0; 4], [1.0; 4]);
    ferry::scope(|scope| {
        let s = scope.stream()?;
        launch(add, over(4).stream(&s), (&x, each(&mut y)))?;
        s.wait()?;
        println!("{}", y[0]);
        Ok(())
    })
}
// CHECK: error[E0502]: cannot borrow `y[_]` as immutable because it is also borrowed as mutable
fn main() {}
