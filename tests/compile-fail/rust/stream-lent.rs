// What is lent to a stream: one unique use a launch, and no look without waiting.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn both(x: &mut f32, y: &mut f32) {
    *y = *x;
}
fn twice(v: &mut [f32]) -> ferry::Result<()> {
    ferry::scope(|scope| {
        let s = scope.stream()?;
        let mut x = s.lend(v);
        launch(both, over(4).stream(&s), (x.each(), x.each()))
    })
}
// CHECK: error[E0499]: cannot borrow `x` as mutable more than once at a time
fn looks(v: &mut [f32], w: &mut [f32]) -> ferry::Result<()> {
    ferry::scope(|scope| {
        let s = scope.stream()?;
        let (mut x, mut y) = (s.lend(v), s.lend(w));
        let first = x.wait(..)?;
        launch(both, over(4).stream(&s), (x.each(), y.each()))?;
        println!("{}", first[0]);
        Ok(())
    })
}
// CHECK: error[E0502]: cannot borrow `x` as mutable because it is also borrowed as immutable
fn leaves(v: &mut [f32]) -> ferry::Result<()> {
    let kept = ferry::scope(|scope| Ok(scope.stream()?))?;
    kept.wait()
}
// CHECK: error: lifetime may not live long enough
fn main() {}
