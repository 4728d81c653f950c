//! A hash table with open addressing: keys go in by compare-and-swap, values are
//! added up, and a second kernel looks them up.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
#[path = "Inputs/port.rs"]
mod port;

const EMPTY: u32 = u32::MAX;

fn hash(mut k: u32) -> usize {
    k ^= k >> 16;
    k = k.wrapping_mul(0x85ebca6b);
    k ^= k >> 13;
    k = k.wrapping_mul(0xc2b2ae35);
    (k ^ k >> 16) as usize
}

fn insert(keys: &[AtomicU32], sums: &[AtomicU32], key: &[u32], value: &[u32]) {
    let i = gpu::global_id();
    if i >= key.len() {
        return;
    }
    let mut slot = hash(key[i]) % keys.len();
    loop {
        let before = keys[slot].compare_exchange(EMPTY, key[i], Relaxed, Relaxed);
        if before.is_ok() || before == Err(key[i]) {
            sums[slot].fetch_add(value[i], Relaxed);
            return;
        }
        slot = (slot + 1) % keys.len();
    }
}

fn look_up(keys: &[u32], sums: &[u32], key: &[u32], found: &mut i64) {
    let key = key[gpu::global_id()];
    let mut slot = hash(key) % keys.len();
    while keys[slot] != EMPTY && keys[slot] != key {
        slot = (slot + 1) % keys.len();
    }
    *found = if keys[slot] == EMPTY { -1 } else { sums[slot] as i64 };
}

fn main() -> ferry::Result<()> {
    let (n, room) = (20000, 4096);
    let mut random = port::Random(31);
    let (mut key, mut value, mut wanted) = (vec![], vec![], BTreeMap::new());
    for _ in 0..n {
        key.push(random.below(3000) * 7919);
        value.push(random.below(100));
        *wanted.entry(key[key.len() - 1]).or_insert(0) += value[value.len() - 1];
    }
    let keys: Vec<AtomicU32> = (0..room).map(|_| AtomicU32::new(EMPTY)).collect();
    let sums: Vec<AtomicU32> = (0..room).map(|_| AtomicU32::new(0)).collect();
    launch(insert, blocks((n as usize).div_ceil(256)).threads(256), (&keys, &sums, &key, &value))?;
    let plain = |v: Vec<AtomicU32>| v.into_iter().map(AtomicU32::into_inner).collect::<Vec<_>>();
    let (keys, sums) = (plain(keys), plain(sums));
    let got: BTreeMap<u32, u32> =
        keys.iter().copied().zip(sums.iter().copied()).filter(|&(k, _)| k != EMPTY).collect();
    assert_eq!(got, wanted);
    assert_eq!(keys.iter().filter(|&&k| k != EMPTY).count(), wanted.len());

    let ask: Vec<u32> = (0..4000).map(|k| k * 7919).collect();
    let mut found = vec![0; ask.len()];
    launch(look_up, over(ask.len()), (&keys, &sums, &ask, each(&mut found)))?;
    for (k, found) in ask.iter().zip(found) {
        assert_eq!(found, wanted.get(k).map_or(-1, |&v| v as i64));
    }
    println!("found"); // CHECK: found
    Ok(())
}
