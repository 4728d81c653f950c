// A captured token has no bytes, but may forbid other threads.
//
// RUN: not %{rustc} --emit=metadata -o %t %s 2>&1 | FileCheck %s

use ferry::prelude::*;
use std::marker::PhantomData;
#[derive(Clone, Copy)]
struct OneThread(PhantomData<*const ()>);
fn main() {
    let mut y = [0.0; 4];
    let token = OneThread(PhantomData);
    let _ = launch(move |y: &mut f32| { let _keep = token; *y = 1.0 }, over(4), (each(&mut y),));
}

// CHECK: `*const ()` cannot be shared between threads safely
