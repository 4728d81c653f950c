//! 100 threads that add 1 make 100: on every atomic type, with every order, in
//! global and in shared memory. Floats add, and find the smallest and the largest,
//! also of negative numbers and of zeros with signs.
//
// RUN: %run-rust-everywhere --output %t %s
use ferry::prelude::*;
use gpu::{AtomicF32, AtomicF64};
use std::sync::atomic::{Ordering::*, *};

macro_rules! integers {
    ($($name:ident: $Atomic:ident $Int:ident;)*) => {
        $(
            fn $name(global: &[$Atomic], seen: &mut $Int) {
                let local = gpu::shared::<[$Atomic; 3]>();
                if gpu::thread_idx().x == 0 {
                    local[0].store(0, Relaxed);
                    local[1].store($Int::MAX, Release);
                    local[2].store(0, SeqCst);
                }
                gpu::sync_threads();
                local[0].fetch_add(1, Relaxed);
                let i = gpu::thread_idx().x as $Int;
                local[1].fetch_min(i.wrapping_sub(3), AcqRel);
                local[2].fetch_max(i, SeqCst);
                global[0].fetch_add(1, Relaxed);
                global[1].fetch_add(1, Acquire);
                global[2].fetch_add(1, Release);
                global[3].fetch_add(1, AcqRel);
                *seen = global[4].fetch_add(1, SeqCst);
                let mut old = global[5].load(Acquire);
                while let Err(now) = global[5].compare_exchange_weak(old, old.wrapping_add(1), SeqCst, Acquire) {
                    old = now;
                }
                global[6].fetch_sub(1, SeqCst);
                global[7].fetch_xor(i, Relaxed);
                gpu::sync_threads();
                if i == 0 {
                    for (k, local) in local.iter().enumerate() {
                        global[8 + k].store(local.swap(0, AcqRel), Relaxed);
                    }
                }
            }
        )*
        fn check_integers() -> ferry::Result<()> {
            $(
                let global: Vec<_> = (0..11).map(|_| $Atomic::new(0)).collect();
                let mut seen = vec![0; 100];
                launch($name, blocks(1).threads(100), (&global, each(&mut seen)))?;
                let global: Vec<$Int> = global.into_iter().map($Atomic::into_inner).collect();
                let smallest = (0..100).map(|i: $Int| i.wrapping_sub(3)).min().unwrap();
                let xor = (0..100).fold(0, |x, i: $Int| x ^ i);
                let minus: $Int = (0 as $Int).wrapping_sub(100);
                assert_eq!(global, [100, 100, 100, 100, 100, 100, minus, xor, 100, smallest, 99], stringify!($Atomic));
                seen.sort();
                assert!(seen.into_iter().eq(0..100), stringify!($Atomic));
            )*
            Ok(())
        }
    };
}

integers! {
    count_u8: AtomicU8 u8;
    count_i8: AtomicI8 i8;
    count_u16: AtomicU16 u16;
    count_i16: AtomicI16 i16;
    count_u32: AtomicU32 u32;
    count_i32: AtomicI32 i32;
    count_u64: AtomicU64 u64;
    count_i64: AtomicI64 i64;
    count_usize: AtomicUsize usize;
    count_isize: AtomicIsize isize;
}

macro_rules! floats {
    ($($name:ident: $Atomic:ident $Float:ident;)*) => {
        $(
            fn $name(x: &[$Float], global: &[$Atomic], count: &$Atomic) {
                let local = gpu::shared::<[$Atomic; 2]>();
                let i = gpu::thread_idx().x as usize;
                if i < 2 {
                    local[i].store([-1.0, 1.0][i], Relaxed);
                }
                gpu::sync_threads();
                let x = x[i];
                global[0].fetch_add(1.0, Relaxed);
                global[1].fetch_sub(0.5, SeqCst);
                global[2].fetch_max(x, Relaxed);
                global[3].fetch_min(x, AcqRel);
                local[0].fetch_max(x, Relaxed);
                local[1].fetch_min(x, Relaxed);
                count.fetch_add(1.0, Relaxed);
                gpu::sync_threads();
                if i < 2 {
                    global[4 + i].store(local[i].load(Acquire), Release);
                }
            }
        )*
        fn check_floats() -> ferry::Result<()> {
            $(
                let run = |x: &[$Float; 100], largest: $Float, smallest: $Float| -> ferry::Result<Vec<$Float>> {
                    let global = [0.0, 0.0, largest, smallest, 7.0, 7.0].map($Atomic::new);
                    let count = $Atomic::new(0.0);
                    launch($name, blocks(1).threads(100), (x, &global, &count))?;
                    assert_eq!(count.into_inner(), 100.0);
                    Ok(global.into_iter().map($Atomic::into_inner).collect())
                };
                let same = |a: Vec<$Float>, b: [$Float; 6]| {
                    assert!(a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()), "{}: {a:?}, not {b:?}", stringify!($Float));
                };
                let negative: [$Float; 100] = std::array::from_fn(|i| -1.5 - (i * 37 % 100) as $Float);
                same(run(&negative, $Float::NEG_INFINITY, 0.0)?, [100.0, -50.0, -1.5, -100.5, -1.0, -100.5]);
                let mut zeros = [-0.0; 100];
                same(run(&zeros, -3.0, 0.0)?, [100.0, -50.0, -0.0, -0.0, -0.0, -0.0]);
                zeros[42] = 0.0;
                same(run(&zeros, -0.0, 3.0)?, [100.0, -50.0, 0.0, -0.0, 0.0, -0.0]);
                // A NaN loses against every number.
                zeros[7] = $Float::NAN;
                zeros[8] = 2.0;
                same(run(&zeros, $Float::NAN, 3.0)?, [100.0, -50.0, 2.0, -0.0, 2.0, -0.0]);
            )*
            Ok(())
        }
    };
}

floats! {
    floats_32: AtomicF32 f32;
    floats_64: AtomicF64 f64;
}

fn main() -> ferry::Result<()> {
    check_integers()?;
    check_floats()?;
    // They work on the host as well.
    let a = AtomicF64::new(1.5);
    assert_eq!((a.fetch_add(1.0, Relaxed), a.fetch_min(-0.0, Relaxed), a.swap(4.0, Relaxed)), (1.5, 2.5, -0.0));
    assert_eq!(a.compare_exchange(4.0, 5.0, AcqRel, Relaxed), Ok(4.0));
    assert_eq!(a.compare_exchange(4.0, 6.0, AcqRel, Relaxed), Err(5.0));
    assert_eq!(format!("{a:?}"), "5.0");
    Ok(())
}
