// A result that is returned cannot be a stream's.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
fn main() -> ferry::Result<()> {
    let v = [1; 4];
    ferry::scope(|scope| {
        let s = scope.stream()?;
        let shape = over(4).stream(&s);
        ferry::parallel_reduce(shape, 0, |a, b| a + b, |i: usize, v: &[i32]| v[i], (&v,))
    })?;
    Ok(())
}

// CHECK: error[E0277]: `OnStream<'_, Over>` is not a launch shape
