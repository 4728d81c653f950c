//! each, chunks and rows give every thread its part; too many threads, chunks of
//! nothing and lengths that ncols does not divide are errors that name the
//! numbers, before anything runs.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::ErrorKind::InvalidArgument;
use ferry::prelude::*;

fn add(v: &mut i32) {
    *v += 1 + gpu::global_id() as i32;
}
fn fill(part: &mut [i32]) {
    let n = part.len() as i32;
    for v in part {
        *v = 100 * gpu::global_id() as i32 + n;
    }
}

fn refused(result: ferry::Result<()>) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), InvalidArgument);
    println!("{error}");
}

fn main() -> ferry::Result<()> {
    let mut v = vec![0; 10];
    launch(add, over(10), (each(&mut v),))?;
    assert_eq!(v, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    launch(add, over(4), (each(&mut v),))?;
    assert_eq!(v, [2, 4, 6, 8, 5, 6, 7, 8, 9, 10]);
    launch(add, over((2, 3)), (each(&mut v),))?;
    assert_eq!(v, [3, 6, 9, 12, 10, 12, 7, 8, 9, 10]);
    launch(add, blocks(2).threads(5), (each(&mut v),))?;
    assert_eq!(v[9], 20);

    let mut v = vec![0; 10];
    launch(fill, over(4), (chunks(&mut v, 3),))?;
    assert_eq!(v, [3, 3, 3, 103, 103, 103, 203, 203, 203, 301]);
    let mut v = vec![-1; 10];
    launch(fill, over(2), (chunks(&mut v, 4),))?;
    assert_eq!(v, [4, 4, 4, 4, 104, 104, 104, 104, -1, -1]);
    let mut v = vec![-1; 3];
    launch(fill, over(1), (chunks(&mut v, 100),))?;
    assert_eq!(v, [3; 3]);
    let mut m = [[0; 5]; 3].concat();
    launch(fill, over(3), (rows(&mut m, 5),))?;
    assert_eq!(m, [[5; 5], [105; 5], [205; 5]].concat());
    let mut m = vec![-1; 6];
    launch(fill, over(1), (rows(&mut m, 2),))?;
    assert_eq!(m, [2, 2, -1, -1, -1, -1]);

    let mut v = vec![7; 10];
    // CHECK: kernel '{{.*}}add' launched at {{.*}}parts.rs:[[#@LINE+1]]:{{[0-9]+}}: argument 1: {{.*}}10{{.*}}11
    refused(launch(add, over(11), (each(&mut v),)));
    // CHECK: parts.rs:[[#@LINE+1]]:{{.*}}10{{.*}}12
    refused(launch(add, over((3, 4)), (each(&mut v),)));
    // CHECK: parts.rs:[[#@LINE+1]]:{{.*}}10{{.*}}64
    refused(launch(add, blocks(2).threads(32), (each(&mut v),)));
    // CHECK: parts.rs:[[#@LINE+1]]:{{.*}}4 chunks{{.*}}5
    refused(launch(fill, over(5), (chunks(&mut v, 3),)));
    // CHECK: parts.rs:[[#@LINE+1]]:{{.*}}chunk
    refused(launch(fill, over(5), (chunks(&mut v, 0),)));
    // CHECK: parts.rs:[[#@LINE+1]]:{{.*}}10{{.*}}3
    refused(launch(fill, over(3), (rows(&mut v, 3),)));
    // CHECK: parts.rs:[[#@LINE+1]]:{{.*}}5 rows{{.*}}6
    refused(launch(fill, over(6), (rows(&mut v, 2),)));
    // CHECK: parts.rs:[[#@LINE+1]]:{{.*}}column
    refused(launch(fill, over(6), (rows(&mut v, 0),)));
    assert_eq!(v, [7; 10]);
    // CHECK: done
    println!("done");
    Ok(())
}
