//! Buffers change their owner and name: swapped, taken, boxed, shared, kept in other
//! buffers and closures, grown, cloned, split, sorted, leaked and freed.
//
// REQUIRES: cargo
// RUN: %run-rust-everywhere --output %t %s
#[path = "Inputs/kept.rs"]
mod kept;
use kept::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem;
use std::rc::Rc;

fn swapped() {
    let (mut a, mut b) = (vec![1; N], vec![2; N]);
    for i in 0..7 {
        copy(&a, &mut b);
        add(&mut b, 1);
        mem::swap(&mut a, &mut b);
        if i == 3 {
            a[0] = 100;
        }
    }
    assert_eq!((host_total(&a), host_total(&b)), (8 * N as i64 + 95, 7 * N as i64 + 95));
    let taken = mem::take(&mut a);
    assert!(a.is_empty() && taken[1] == 8);
    fill(&mut b, 1);
    let old = mem::replace(&mut b, vec![5; N]);
    assert_eq!((host_total(&old), device_total(&b)), (filled(1), 5 * N as i64));
    fill(&mut b, 2);
    let (left, right) = b.split_at_mut(N / 2);
    left.swap_with_slice(right);
    assert_eq!((b[0], b[N - 1]), (N as i32 / 2 + 2, N as i32 / 2 + 1));
    assert_eq!(device_total(&b), filled(2));
}

struct Field {
    name: &'static str,
    data: Box<[i32]>,
}
fn owners() {
    let mut fields: Vec<Field> = ["u", "v", "w"].map(|name| Field { name, data: vec![0; N].into() }).into();
    for (i, f) in fields.iter_mut().enumerate() {
        fill(&mut f.data, i as i32);
    }
    fields.rotate_left(1);
    fields.iter_mut().for_each(|f| add(&mut f.data, 1));
    fields.sort_by_key(|f| std::cmp::Reverse(f.name));
    let totals: Vec<i64> = fields.iter().map(|f| host_total(&f.data)).collect();
    assert_eq!(totals, [filled(3), filled(2), filled(1)]);

    let mut rows = vec![vec![0; N]; 4];
    for (i, row) in rows.iter_mut().enumerate() {
        fill(row, i as i32);
    }
    rows.push(vec![7; N]);
    let last = rows.swap_remove(0);
    assert_eq!((host_total(&last), host_total(&rows[0]), rows[3][5]), (filled(0), 7 * N as i64, 8));
    let mut named: HashMap<&str, Vec<i32>> = HashMap::new();
    named.insert("x", last);
    add(named.get_mut("x").unwrap(), 1);
    assert_eq!(named["x"][3], 4);
    named.entry("x").and_modify(|x| x[3] = 0);
    assert_eq!(device_total(&named["x"]), filled(1) - 4);

    let shared = Rc::new(RefCell::new(vec![0; N]));
    let other = Rc::clone(&shared);
    for i in 0..3 {
        add(&mut shared.borrow_mut(), 1);
        assert_eq!(other.borrow()[i], 1 + if i > 0 { i as i32 } else { 0 });
    }
    other.borrow_mut()[0] = 50;
    drop(other);
    assert_eq!(device_total(&shared.borrow()), 3 * N as i64 + 47);
}

fn grown() {
    let mut v = Vec::new();
    for round in 1..=5 {
        v.push(100);
        v.resize(v.len() + N, -1);
        add(&mut v, 1);
        assert_eq!(v.len(), round * (N + 1));
    }
    let expected: i64 = (1..=5).map(|r| 106 - r + N as i64 * (5 - r)).sum();
    assert_eq!(host_total(&v), expected);
    v.truncate(N);
    v.shrink_to_fit();
    fill(&mut v, 1);
    v.insert(0, 7);
    assert_eq!((v[0], v[1], v.pop()), (7, 1, Some(N as i32)));
    add(&mut v, 1);
    v.extend_from_slice(&[1, 2, 3]);
    let tail: Vec<i32> = v.drain(N - 1..).collect();
    assert_eq!(tail, [N as i32, 1, 2, 3]);
    v.reverse();
    assert_eq!((v[0], device_total(&v)), (N as i32 - 1, host_total(&v)));
    v.sort_unstable();
    assert_eq!((v[0], v[1]), (2, 3));
}

fn cloned() {
    let mut a = vec![0; N];
    fill(&mut a, 1);
    let mut b = a.clone();
    add(&mut b, 1);
    b[0] = 0;
    let c = [&a[..10], &b[..10]].concat();
    assert_eq!((c[0], c[9], c[10], c[19]), (1, 10, 0, 11));
    a.copy_from_slice(&b);
    assert_eq!(device_total(&a), filled(2) - 2);
    a.fill(3);
    assert_eq!(device_total(&a), 3 * N as i64);
    fill(&mut a, 0);
    a[100..200].fill(0);
    assert_eq!(device_total(&a), filled(0) - 14950);
    assert_ne!(a, b);
}

fn freed_and_found_again() {
    for round in 0..8 {
        let mut a = vec![round; N];
        add(&mut a, 1);
        if round % 2 == 0 {
            assert_eq!(a[N - 1], round + 1);
        }
        drop(a);
        let b = vec![0i32; N];
        assert_eq!(device_total(&b), 0);
        let c: Box<[i32]> = (0..N as i32).collect();
        assert_eq!(device_total(&c), filled(0));
    }
}

fn closures() {
    let mut v = vec![0; N];
    let mut steps: Vec<Box<dyn FnMut(&mut Vec<i32>) -> i32>> = Vec::new();
    let mut own = vec![0; N];
    steps.push(Box::new(|v| {
        add(v, 1);
        v[0]
    }));
    steps.push(Box::new(move |v| {
        copy(v, &mut own);
        add(&mut own, 1);
        own[1]
    }));
    steps.push(Box::new(|v| {
        v[1] = 10;
        0
    }));
    let seen: Vec<i32> = (0..9).map(|i| steps[i % 3](&mut v)).collect();
    assert_eq!(seen, [1, 2, 0, 2, 12, 0, 3, 12, 0]);
    let mut next = || {
        add(&mut v, 1);
        v[2]
    };
    assert_eq!((next(), next()), (4, 5));
    assert_eq!(device_total(&v), 5 * N as i64 + 7);
}

fn raw() {
    let leaked: &'static mut [i32] = vec![0; N].leak();
    fill(leaked, 1);
    let p = leaked.as_mut_ptr();
    assert_eq!(unsafe { *p.add(5) }, 6);
    let number = p as usize;
    fill(leaked, 2);
    // SAFETY: nobody uses the slice meanwhile.
    unsafe {
        *((number + 20) as *mut i32) = 0;
        assert_eq!(std::ptr::read_volatile(p.add(6)), 8);
    }
    let again = unsafe { Vec::from_raw_parts(p, N, N) };
    assert_eq!(device_total(&again), filled(2) - 7);
    let raw = Box::into_raw(again.into_boxed_slice());
    // SAFETY: it is the box's memory.
    unsafe {
        fill(&mut *raw, 3);
        assert_eq!(host_total(&*raw), filled(3));
        drop(Box::from_raw(raw));
    }
}

fn main() {
    swapped();
    owners();
    grown();
    cloned();
    freed_and_found_again();
    closures();
    raw();
}
