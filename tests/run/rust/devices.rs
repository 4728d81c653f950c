//! FERRY_DEVICE, set_device and .device(i) choose; what is not there is an error
//! that lists what there is. Copies are counted.
//
// RUN: %run-rust-everywhere --output %t %s
// RUN: %run-rust-everywhere --output %t --profiles=release --devices=gpu %s | FileCheck %s --check-prefix=GPU
// GPU: kernel '{{.*}}add' launched at {{.*}}devices.rs:[[#]]:[[#]]: FERRY_DEVICE=gpu{{.*}}0 (cpu){{.*}}virtual:0
// RUN: %run-rust-everywhere --output %t --profiles=release --devices=banana %s | FileCheck %s --check-prefix=NAME
// NAME: FERRY_DEVICE=banana{{.*}}cpu{{.*}}virtual
use ferry::ErrorKind::NoDevice;
use ferry::prelude::*;

fn add(x: &[i32], v: &mut i32) {
    *v += x[gpu::global_id()];
}

fn main() -> ferry::Result<()> {
    let (x, mut v) = ([1, 2, 3], vec![0; 3]);
    let device = std::env::var("FERRY_DEVICE").unwrap();
    if device != "cpu" && device != "virtual" {
        let error = launch(add, over(3), (&x, each(&mut v))).unwrap_err();
        assert_eq!(error.kind(), NoDevice);
        assert_eq!(v, [0; 3]);
        println!("{error}");
        return Ok(());
    }
    let start = if device == "cpu" { 0 } else { 1 };
    assert_eq!(ferry::current_device(), start);
    assert!(ferry::devices() >= 5);
    let before = ferry::stats();
    launch(add, over(3), (&x, each(&mut v)))?;
    let after = ferry::stats();
    assert_eq!(after.launches - before.launches, 1);
    let copied = (
        after.copies_to_device - before.copies_to_device,
        after.bytes_to_device - before.bytes_to_device,
        after.copies_to_host - before.copies_to_host,
        after.bytes_to_host - before.bytes_to_host,
    );
    if start == 0 {
        assert_eq!(copied, (0, 0, 0, 0));
    } else {
        // v's zeros are the device's own.
        assert_eq!((copied.0, copied.1), (1, 12));
        // The index may be out of bounds: the report of that is 64 bytes.
        assert!(copied.2 <= 2 && copied.3 <= 12 + 64, "{copied:?}");
    }
    for d in 0..5 {
        let name = if d == 0 { "cpu".into() } else { format!("virtual:{}", d - 1) };
        assert_eq!(ferry::device_name(d), Some(name));
        launch(add, over(3).device(d), (&x, each(&mut v)))?;
        launch(add, blocks(1).threads(3).device(d), (&x, each(&mut v)))?;
        ferry::set_device(d)?;
        assert_eq!(ferry::current_device(), d);
    }
    assert_eq!(v, [11, 22, 33]);
    for d in [ferry::devices(), 1000, usize::MAX] {
        let error = launch(add, over(3).device(d), (&x, each(&mut v))).unwrap_err();
        assert_eq!(error.kind(), NoDevice);
        assert_eq!(ferry::set_device(d).unwrap_err().kind(), NoDevice);
        assert_eq!(ferry::device_name(d), None);
    }
    assert_eq!((v, ferry::current_device()), (vec![11, 22, 33], 4));
    Ok(())
}
