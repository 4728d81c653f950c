// Programs without a launch behave as if the normal linker had linked them.
//
// REQUIRES: cargo
// DEFINE: %{flags} =
// DEFINE: %{build} = env FERRY_LD_VERBOSE=1 rustc -Clinker-plugin-lto -Clinker=%ferry-ld -Clinker-flavor=gcc %{flags} %s -o %t
// DEFINE: %{check} = %{build} && %t | FileCheck %s
//
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=3 -Ccodegen-units=1
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=3 -Ccodegen-units=16
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=1 -g -Ccodegen-units=4
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=s -Clto=thin
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=2 -Clto=fat
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=2 -Ctarget-feature=+crt-static
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=2 -Crelocation-model=static -Ctarget-cpu=native
// RUN: %{check}
// REDEFINE: %{flags} = -Copt-level=2 -Clink-arg=-fuse-ld=bfd
// RUN: %{check}
//
// The user's debug info stays.
// REDEFINE: %{flags} = -g
// RUN: %{build} && llvm-dwarfdump %t --name=sum_of_roots | FileCheck %s --check-prefix=DEBUG
// DEBUG: DW_AT_name ("sum_of_roots")

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

mod roots {
    #[inline(never)]
    pub fn sum_of_roots(v: &[f64]) -> f64 {
        v.iter().map(|x| x.sqrt()).sum()
    }
}

mod counter {
    use super::*;
    static COUNT: AtomicU32 = AtomicU32::new(40);
    pub fn next() -> u32 {
        COUNT.fetch_add(1, Ordering::Relaxed) + 1
    }
}

mod sections {
    // Only a constructor list that the linker keeps makes this run.
    pub static RAN: super::AtomicU32 = super::AtomicU32::new(0);
    extern "C" fn early() {
        RAN.store(7, super::Ordering::Relaxed);
    }
    #[used]
    #[unsafe(link_section = ".init_array")]
    static EARLY: extern "C" fn() = early;
}

thread_local! { static LOCAL: Cell<u32> = const { Cell::new(5) }; }

fn main() {
    // CHECK: caught true
    let caught = std::panic::catch_unwind(|| {
        if counter::next() > 0 {
            std::panic::resume_unwind(Box::new(1));
        }
    });
    println!("caught {}", caught.is_err());
    // CHECK-NEXT: threads 5 6
    LOCAL.with(|l| l.set(l.get() + 1));
    let other = std::thread::spawn(|| LOCAL.with(Cell::get)).join().unwrap();
    println!("threads {other} {}", LOCAL.with(Cell::get));
    // CHECK-NEXT: roots 671.5
    let v: Vec<f64> = (0..=100).map(f64::from).collect();
    println!("roots {:.1}", roots::sum_of_roots(&v));
    // CHECK-NEXT: next 42
    println!("next {}", counter::next());
    // CHECK-NEXT: early 7
    println!("early {}", sections::RAN.load(Ordering::Relaxed));
}
