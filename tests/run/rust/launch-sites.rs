//! A launch works wherever a call does: in loops, branches, closures, generic
//! functions, trait objects, Drop, threads, lazy statics, thread-locals'
//! destructors, during unwinding, at exit.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
// CHECK: lazy 7
// CHECK: unwound 1
// CHECK: main done
// CHECK: at exit 107
use ferry::prelude::*;
use std::sync::LazyLock;

fn add(a: i32, v: &mut i32) {
    *v += a;
}
fn add_elsewhere(a: i32, v: &mut i32) {
    *v += a;
}

static LAZY: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let mut v = vec![3; 1000];
    launch(add, over(1000), (4, each(&mut v))).unwrap();
    v
});

struct Guard<'a>(&'a mut [i32]);
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        launch(add, over(self.0.len()), (5, each(self.0))).unwrap();
    }
}

trait Go {
    fn go(&self, v: &mut [i32]) -> ferry::Result<()>;
}
struct By(i32);
impl Go for By {
    fn go(&self, v: &mut [i32]) -> ferry::Result<()> {
        launch(add_elsewhere, over(v.len()), (self.0, each(v)))
    }
}

unsafe extern "C" {
    fn atexit(f: extern "C" fn()) -> i32;
}
extern "C" fn at_exit() {
    let mut v = vec![7; 10];
    launch(add, over(10), (100, each(&mut v))).unwrap();
    println!("at exit {}", v[9]);
}

fn main() -> ferry::Result<()> {
    println!("lazy {}", LAZY[999]);
    unsafe { atexit(at_exit) };

    let mut v = vec![0; 100];
    for _ in 0..1000 {
        launch(add, over(100), (1, each(&mut v)))?;
    }
    assert_eq!(v, [1000; 100]);
    if std::env::args().count() > 5 {
        launch(add, over(100), (1, each(&mut v)))?;
    } else {
        launch(add_elsewhere, over(50), (2, each(&mut v)))?;
    }
    assert_eq!((v[49], v[50]), (1002, 1000));
    drop(Guard(&mut v));
    assert_eq!(v[0], 1007);
    std::thread::scope(|s| {
        s.spawn(|| launch(add, over(100), (3, each(&mut v))).unwrap());
    });
    assert_eq!(v[0], 1010);
    let go: &dyn Go = &By(6);
    go.go(&mut v)?;
    assert_eq!(v[0], 1016);
    let mut f = |a| launch(add, over(100), (a, each(&mut v)));
    f(1)?;
    f(2)?;
    assert_eq!(v[0], 1019);
    (0..4).try_for_each(|i| launch(add, over(100), (i, each(&mut v))))?;
    assert_eq!(v[0], 1025);

    std::panic::set_hook(Box::new(|_| ()));
    let mut w = vec![0; 3];
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _guard = Guard(&mut w);
        panic!();
    }));
    assert_eq!(w, [5; 3]);
    println!("unwound {}", unwound.is_err() as i32);
    println!("main done");
    Ok(())
}
