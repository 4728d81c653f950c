// A struct is any bits only if all its fields are; the field is named.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
#[derive(Clone, Copy, Plain)]
struct Letter {
    count: u32,
    letter: char,
}
fn takes(letter: Letter, out: &mut u32) {
    *out = letter.letter as u32 + letter.count; // it is plain, though
}
fn kernel() {
    let _ = gpu::shared::<[[Letter; 4]; 4]>();
}
fn main() {
    let _ = launch(takes, over(1), (Letter { count: 1, letter: 'x' }, each(&mut [0])));
    let _ = launch(kernel, blocks(1).threads(4), ());
}

// CHECK: a `char` cannot come from another thread: not every bit pattern is a value of it
// CHECK: shared-struct-with-char.rs:[[@LINE-8]]
// CHECK: required for `Letter` to implement `Shareable`
// CHECK-NOT: error[
// CHECK: aborting due to 1 previous error
