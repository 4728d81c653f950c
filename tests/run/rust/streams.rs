//! Launches in streams: order inside of one, independence of others, events, data
//! that is lent to a stream, where errors come out, and that a scope waits.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
// CHECK: all right
use ferry::ErrorKind;
use ferry::prelude::*;

fn add(by: i32, x: &mut i32) {
    *x = x.wrapping_add(by);
}

fn add_to(x: &[i32], y: &mut i32) {
    *y = y.wrapping_add(x[gpu::global_id()]);
}

fn triple_all(part: &mut [i32]) {
    for x in part {
        *x = x.wrapping_mul(3);
    }
}

fn require(x: &mut i32, value: i32) {
    assert!(*x == value, "a wrong value");
}

const N: usize = 2000;

fn independent() -> ferry::Result<()> {
    let (x, mut a, mut b) = (vec![1; N], vec![1; N], vec![1; N]);
    let after = ferry::scope(|scope| {
        let (s, t) = (scope.stream()?, scope.stream()?);
        launch(add_to, over(N).stream(&s), (&x, each(&mut a)))?;
        launch(add_to, over(N).stream(&t), (&x, each(&mut b)))?;
        t.wait()?;
        Ok(x[0])
    })?;
    assert_eq!((after, a[0], b[N - 1]), (1, 2, 2));
    Ok(())
}

fn lent() -> ferry::Result<()> {
    let (mut a, mut b) = (vec![1; N], vec![0; N]);
    let on_cpu = ferry::current_device() == 0;
    let before = ferry::stats();
    ferry::scope(|scope| {
        let s = scope.stream()?;
        let (mut x, mut y) = (s.lend(&mut a), s.lend(&mut b));
        x.to_device(..)?;
        for _ in 0..5 {
            launch(add, over(N).stream(&s), (1, x.each()))?;
            launch(triple_all, over(N / 2).stream(&s), (x.chunks(2),))?;
            launch(add_to, over(N).stream(&s), (&x, y.each()))?;
        }
        x.to_host(..1)?;
        assert_eq!(x.wait(..1)?, [606]);
        x.wait_mut(1..2)?[0] = 4;
        launch(add, over(N).stream(&s), (1, x.each()))?;
        assert_eq!((x.len(), y.len()), (N, N));
        Ok(())
    })?;
    let sum = 6 + 21 + 66 + 201 + 606;
    assert_eq!((a[0], a[1], a[2]), (607, 5, 607));
    assert_eq!((b[0], b[N - 1]), (sum, sum));
    if !on_cpu {
        let after = ferry::stats();
        // `a` there once, and one element again; `b`'s zeros are the device's own.
        assert_eq!(after.bytes_to_device - before.bytes_to_device, 4 * N as u64 + 4);
    }
    Ok(())
}

fn events() -> ferry::Result<()> {
    let mut v = vec![1; N];
    let (left, right) = v.split_at_mut(N / 2);
    let event = ferry::scope(|scope| {
        let (s, t) = (scope.stream()?, scope.stream()?);
        let (mut x, mut y) = (s.lend(left), t.lend(right));
        for _ in 0..10 {
            launch(add, over(N / 2).stream(&s), (1, x.each()))?;
            t.after(s.record())?;
            launch(add, over(N / 2).stream(&t), (2, y.each()))?;
            s.after(t.record())?;
        }
        let event = s.record();
        event.wait()?;
        assert!(event.is_done());
        Ok(event)
    })?;
    assert!(event.is_done());
    assert_eq!((v[0], v[N - 1]), (11, 21));
    Ok(())
}

fn errors() -> ferry::Result<()> {
    let (mut v, mut w, x) = (vec![1; N], vec![1; N], vec![1; N]);
    // The scope returns what nobody has waited for.
    let error = ferry::scope(|scope| {
        let s = scope.stream()?;
        let mut v = s.lend(&mut v);
        launch(add, over(N).stream(&s), (1, v.each()))?;
        launch(require, over(N).stream(&s), (v.each(), 3))?;
        launch(add, over(N).stream(&s), (1, v.each()))?;
        Ok(())
    })
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panic);
    assert!(error.message().contains("a wrong value"), "{error}");
    assert_eq!((v[0], v[N - 1]), (2, 2));

    ferry::scope(|scope| {
        let (s, t) = (scope.stream()?, scope.stream()?);
        let mut v = s.lend(&mut v);
        launch(require, over(N).stream(&s), (v.each(), 3))?;
        assert_eq!(s.wait().unwrap_err().kind(), ErrorKind::Panic);
        // And then it goes on.
        launch(add, over(N).stream(&s), (1, v.each()))?;
        let others = [
            launch(add, over(N).stream(&t), (1, v.each())).unwrap_err(),
            launch(add, over(N), (1, v.each())).unwrap_err(),
            launch(add_to, over(N), (&v, each(&mut w))).unwrap_err(),
            launch(add, over(N + 1).stream(&s), (1, v.each())).unwrap_err(),
            launch(triple_all, over(1).stream(&s), (v.chunks(0),)).unwrap_err(),
        ];
        for error in &others {
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        }
        assert!(others[0].message().contains("this launch is in another"), "{}", others[0]);
        assert!(others[1].message().contains("this launch is in none"), "{}", others[1]);
        assert_eq!(v.wait(..1)?, [3]);
        let error = scope.stream_on(77).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoDevice);
        Ok(())
    })?;

    // A panic in the scope waits, too.
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        ferry::scope(|scope| -> ferry::Result<()> {
            let s = scope.stream()?;
            launch(add_to, over(N).stream(&s), (&x, each(&mut w)))?;
            std::panic::resume_unwind(Box::new(42));
        })
    }));
    assert!(panicked.is_err());
    assert_eq!((w[0], w[N - 1]), (2, 2));
    Ok(())
}

fn devices() -> ferry::Result<()> {
    let mut v = vec![0; N];
    let devices = ferry::devices();
    let part = N / devices;
    ferry::scope(|scope| {
        for (device, part) in v.chunks_mut(part).take(devices).enumerate() {
            let s = scope.stream_on(device)?;
            let mut part = s.lend(part);
            for _ in 0..3 {
                launch(add, over(part.len()).stream(&s), (device as i32, part.each()))?;
            }
        }
        Ok(())
    })?;
    for (i, &x) in v.iter().take(devices * part).enumerate() {
        assert_eq!(x, 3 * (i / part) as i32);
    }
    Ok(())
}

fn main() -> ferry::Result<()> {
    independent()?;
    lent()?;
    events()?;
    errors()?;
    devices()?;
    println!("all right");
    Ok(())
}
