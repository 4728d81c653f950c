//! Who looks is out of the compiler's sight: the C library and the kernel, trait
//! objects, function pointers, other threads, statics, a panic's way up, destructors,
//! a child process, exit handlers.
//
// REQUIRES: cargo
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
// CHECK: main ends
// CHECK-NEXT: atexit sees 502500
#[path = "Inputs/kept.rs"]
mod kept;
use kept::*;
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering::*};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::{ptr, thread};

unsafe extern "C" {
    fn memcpy(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void;
    fn qsort(p: *mut c_void, n: usize, size: usize, f: extern "C" fn(*const c_void, *const c_void) -> c_int);
    fn pipe(ends: *mut c_int) -> c_int;
    fn read(file: c_int, p: *mut c_void, bytes: usize) -> isize;
    fn write(file: c_int, p: *const c_void, bytes: usize) -> isize;
    fn fork() -> c_int;
    fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn _exit(status: c_int) -> !;
    fn atexit(f: extern "C" fn()) -> c_int;
    fn raise(signal: c_int) -> c_int;
    fn signal(signal: c_int, f: extern "C" fn(c_int)) -> usize;
}
const BYTES: usize = 4 * N;

fn libraries() {
    let (mut v, mut w) = (vec![0i32; N], vec![0i32; N]);
    let mut ends = [0; 2];
    // SAFETY: buffers are as long as is said.
    unsafe {
        fill(&mut v, 1);
        memcpy(w.as_mut_ptr().cast(), v.as_ptr().cast(), BYTES);
        assert_eq!(device_total(&w), filled(1));
        assert_eq!(pipe(ends.as_mut_ptr()), 0);
        fill(&mut v, 2);
        assert_eq!(write(ends[1], v.as_ptr().cast(), BYTES), BYTES as isize);
        fill(&mut w, 3);
        assert_eq!(read(ends[0], w.as_mut_ptr().cast(), BYTES / 2), BYTES as isize / 2);
        assert_eq!(host_total(&w), filled(3) - N as i64 / 2);
        extern "C" fn down(a: *const c_void, b: *const c_void) -> c_int {
            // SAFETY: qsort gives elements.
            unsafe { *b.cast::<i32>() - *a.cast::<i32>() }
        }
        fill(&mut v, 4);
        qsort(v.as_mut_ptr().cast(), N, 4, down);
        assert_eq!((v[0], device_total(&v)), (N as i32 + 3, filled(4)));
    }
    let mut text = vec![0u8; 8];
    fn letters(y: &mut u8) {
        *y = b'a' + ferry::gpu::global_id() as u8;
    }
    ferry::launch(letters, ferry::over(8), (ferry::each(&mut text),)).unwrap();
    let mut sent = Vec::new();
    sent.write_all(&text).unwrap();
    ferry::launch(letters, ferry::over(4), (ferry::each(&mut text[4..]),)).unwrap();
    (&b"xyz"[..]).read_exact(&mut text[..3]).unwrap();
    assert_eq!((String::from_utf8_lossy(&sent), String::from_utf8_lossy(&text)), ("abcdefgh".into(), "xyzdabcd".into()));
    assert_eq!(format!("{:?}", &text[2..5]), "[122, 100, 97]");
}

trait Look {
    fn look(&self, v: &mut [i32]) -> i64;
}
struct Total;
struct Zero(usize);
impl Look for Total {
    fn look(&self, v: &mut [i32]) -> i64 {
        host_total(v)
    }
}
impl Look for Zero {
    fn look(&self, v: &mut [i32]) -> i64 {
        std::mem::take(&mut v[self.0]) as i64
    }
}
fn indirect() {
    let who: Vec<Box<dyn Look>> = black_box(vec![Box::new(Total), Box::new(Zero(3)), Box::new(Total)]);
    let total: fn(&[i32]) -> i64 = black_box(host_total);
    let mut v = vec![0; N];
    fill(&mut v, 1);
    let seen: Vec<i64> = who.iter().map(|w| w.look(&mut v)).collect();
    assert_eq!(seen, [filled(1), 4, filled(1) - 4]);
    add(&mut v, 1);
    assert_eq!((total(&v), device_total(&v)), (filled(2) - 4, filled(2) - 4));
    for i in 0..5 {
        add(&mut v, 1);
        assert_eq!(*black_box(&v[3]), 2 + i);
        *black_box(&mut v[4]) = 0;
    }
    assert_eq!(device_total(&v), filled(7) - 4 - 11);
}

static CELLS: [AtomicI32; N] = [const { AtomicI32::new(0) }; N];
static POINTER: AtomicPtr<i32> = AtomicPtr::new(ptr::null_mut());
#[inline(never)]
fn through_pointer(i: usize) -> i32 {
    // SAFETY: set to a buffer of N elements that lives.
    unsafe { *POINTER.load(Relaxed).add(i) }
}
fn statics() {
    fn count(cells: &[AtomicI32]) {
        cells[ferry::gpu::global_id()].fetch_add(1, Relaxed);
    }
    for i in 0..3 {
        ferry::launch(count, ferry::over(N), (&CELLS,)).unwrap();
        assert_eq!(CELLS[5].load(Relaxed), 1 + if i > 0 { 10 } else { 0 });
        CELLS[5].store(10, Relaxed);
    }
    let mut v = vec![0; N];
    POINTER.store(v.as_mut_ptr(), Relaxed);
    for i in 0..3 {
        fill(&mut v, i);
        POINTER.store(v.as_mut_ptr(), Relaxed);
        assert_eq!(through_pointer(7), i + 7);
    }
}

fn threads() {
    let mut v = vec![0; N];
    fill(&mut v, 1);
    let seen = thread::scope(|s| s.spawn(|| host_total(&v)).join().unwrap());
    assert_eq!(seen, filled(1));
    thread::scope(|s| s.spawn(|| v[0] = 1000).join().unwrap());
    assert_eq!(device_total(&v), filled(1) + 999);

    let shared = Arc::new(Mutex::new(vec![0; N]));
    let (barrier, totals) = (Arc::new(Barrier::new(3)), AtomicUsize::new(0));
    thread::scope(|s| {
        for t in 0..2 {
            let (shared, barrier) = (Arc::clone(&shared), Arc::clone(&barrier));
            s.spawn(move || {
                for i in 0..10 {
                    if i % 2 == t {
                        add(&mut shared.lock().unwrap(), 1);
                    }
                    barrier.wait();
                    barrier.wait();
                }
            });
        }
        for i in 0..10 {
            barrier.wait();
            totals.fetch_add(host_total(&shared.lock().unwrap()) as usize / N, Relaxed);
            assert_eq!(totals.load(Relaxed), (i + 1) * (i + 2) / 2);
            barrier.wait();
        }
    });

    let (send, receive) = mpsc::channel::<Vec<i32>>();
    let (back, home) = mpsc::channel();
    let worker = thread::spawn(move || {
        for mut v in receive {
            let total = host_total(&v);
            add(&mut v, 1);
            back.send((total, v)).unwrap();
        }
    });
    let mut v = vec![0; N];
    for i in 0..4 {
        fill(&mut v, i);
        send.send(v).unwrap();
        let (total, again) = home.recv().unwrap();
        assert_eq!((total, host_total(&again)), (filled(i as i64), filled(i as i64 + 1)));
        v = again;
    }
    drop(send);
    worker.join().unwrap();
}

struct Looks<'a>(&'a mut Vec<i32>, &'a AtomicUsize);
impl Drop for Looks<'_> {
    fn drop(&mut self) {
        self.1.store(host_total(self.0) as usize, Relaxed);
        self.0[0] = 0;
    }
}
fn panics() {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut v, seen) = (vec![0; N], AtomicUsize::new(0));
    for i in 1..4 {
        let result = catch_unwind(AssertUnwindSafe(|| {
            let looks = Looks(&mut v, &seen);
            fill(looks.0, i);
            add(looks.0, 1);
            assert!(black_box(i) % 2 == 0, "odd");
            add(looks.0, 1);
        }));
        let a = i + if result.is_err() { 1 } else { 2 };
        assert_eq!(result.is_err(), i != 2);
        assert_eq!(seen.load(Relaxed) as i64, filled(a as i64));
        assert_eq!(device_total(&v), filled(a as i64) - a as i64);
    }
    // The buffer is freed on the way up.
    for i in 0..4 {
        let _ = catch_unwind(|| {
            let mut w = vec![i; N];
            add(&mut w, 1);
            if black_box(true) {
                panic!();
            }
        });
        assert_eq!(device_total(&vec![2; N]), 2 * N as i64);
    }
    // An error of a launch is a value, and leaves what was.
    fn fails(y: &mut i32, most: i32) {
        assert!(*y < most);
    }
    fill(&mut v, 5);
    let result = ferry::launch(fails, ferry::over(N), (ferry::each(&mut v), 10));
    assert!(result.is_err());
    assert_eq!(host_total(&v), filled(5));
    let _ = std::panic::take_hook();
}

fn child() {
    let mut v = vec![0i32; N];
    for i in 0..3 {
        fill(&mut v, i);
        // SAFETY: the child reads and leaves.
        unsafe {
            let child = fork();
            if child == 0 {
                _exit((host_total(&v) != filled(i as i64)) as c_int);
            }
            let mut status = -1;
            assert_eq!(waitpid(child, &mut status, 0), child);
            assert_eq!(status, 0);
        }
        add(&mut v, 1);
    }
    assert_eq!(v[0], 3);
    extern "C" fn handler(_: c_int) {
        SEEN.store(through_pointer(3), Relaxed);
    }
    static SEEN: AtomicI32 = AtomicI32::new(0);
    fill(&mut v, 10);
    POINTER.store(v.as_mut_ptr(), Relaxed);
    add(&mut v, 1);
    // SAFETY: 10 is SIGUSR1; the handler reads memory that lives.
    unsafe {
        signal(10, handler);
        raise(10);
    }
    assert_eq!(SEEN.load(Relaxed), 14);
}

fn recursion(v: &mut Vec<i32>, depth: usize) -> i64 {
    if depth == 0 {
        return 0;
    }
    add(v, 1);
    v[depth] = 0;
    let inner = recursion(v, depth - 1);
    inner + v[depth] as i64 + v[0] as i64
}

fn main() {
    libraries();
    indirect();
    statics();
    threads();
    panics();
    child();
    let mut v = vec![0; N];
    assert_eq!(recursion(&mut v, 10), 145);
    extern "C" fn last() {
        println!("atexit sees {}", (0..N).map(|i| through_pointer(i) as i64).sum::<i64>());
    }
    let leaked = vec![0; N].leak();
    POINTER.store(leaked.as_mut_ptr(), Relaxed);
    // SAFETY: a plain function.
    unsafe { atexit(last) };
    println!("main ends");
    fill(leaked, 3);
}
