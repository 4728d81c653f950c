//! What kernels print is what the host prints by the same format.
//
// RUN: %run-rust-everywhere --output %t %s > %t.txt
// RUN: sed -n '/^host$/,/^device$/ { //!p }' %t.txt > %t.host
// RUN: sed -n '/^device$/,/^threads$/ { //!p }' %t.txt > %t.device
// RUN: grep -q 'plain text' %t.device
// RUN: diff %t.host %t.device
// RUN: FileCheck %s --input-file=%t.txt
use ferry::prelude::*;

macro_rules! both {
    ([$($name:ident: $type:ty),*] $($format:literal $(, $value:expr)*;)*) => {
        fn device($($name: $type),*) {
            $( gpu::println!($format $(, $value)*); )*
        }
        fn host($($name: $type),*) {
            $( println!($format $(, $value)*); )*
        }
    };
}

both! {
    [i8_: i8, i64_: i64, u16_: u16, x: f32, y: f64, yes: bool, c: char]
    "plain text, {{braces}}, \"quotes\", \\ and a tab\t.";
    "{} {} {} {} {} {} {}", i8_, i64_, u16_, x, y, yes, c;
    "{:?} {:?} {:?} {:?} {:?} {:?} {:?}", i8_, i64_, u16_, x, y, yes, c;
    "{i8_} {x:.2} {y:e} {u16_:#x} {c:?} {yes:>6}|";
    "{0} {1} {0:?} {2:>3$.4$} {2:4$}", x, y, y * 2.0, 12, 3;
    "[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:*^7}] [{:05}] [{:+}]", i8_, i8_, i8_, i8_, i8_, i8_, u16_;
    "[{:8.3}] [{:<8.3}] [{:+08.2}] [{:.0}] [{:é^9.1}]", x, x, x, y, y;
    "{:x} {:X} {:o} {:b} {:#010b} {:#x} {:#X}", i8_, u16_, u16_, i8_, u16_, i64_, i64_;
    "{:e} {:E} {:e} {:.3e}", x, y, u16_, y;
    "{:x?} {:#X?}", u16_, i64_;
    "{:.*} {:2$} {1:2$.0$} {3}", 2, x, 9, y;
    "{} {} {} {}", f32::NAN, f64::INFINITY, -f32::INFINITY, -0.0f64;
    "{} {:?} {} {:?}", 1e20f64, 1e20f64, 1e-7f32, 1e-7f32;
    "{} {} {} {}", f32::MAX, f64::MIN_POSITIVE, u64::MAX, i64::MIN;
    "{:5}|{:<5}|{:^5}|{:-^9}|", c, c, yes, yes;
    "{} {}", &x, &&u16_;
}

fn numbered(y: &mut u32) {
    let i = gpu::global_id();
    *y = i as u32;
    if i % 100 == 7 {
        gpu::println!("thread {i} has {y}");
    }
}
fn pieces() {
    gpu::print!("one ");
    gpu::print!("line {}\n", 1);
}

fn main() -> ferry::Result<()> {
    println!("host");
    host(-5, 1 << 40, 48879, 1.5, -1234.56789, true, 'ß');
    println!("device");
    launch(device, over(1), (-5, 1 << 40, 48879, 1.5, -1234.56789, true, 'ß'))?;
    println!("threads");
    let mut y = vec![0; 300];
    for one in 0..3 {
        launch(numbered, over(100), (each(&mut y[one * 100..][..100]),))?;
    }
    launch(pieces, over(1), ())?;
    println!("end");
    Ok(())
}

// CHECK:      host
// CHECK-NEXT: plain text, {braces}, "quotes", \ and a tab
// CHECK-NEXT: -5 1099511627776 48879 1.5 -1234.56789 true ß
// CHECK:      threads
// CHECK-NEXT: thread 7 has 7
// CHECK-NEXT: thread 7 has 7
// CHECK-NEXT: thread 7 has 7
// CHECK-NEXT: one line 1
// CHECK-NEXT: end
