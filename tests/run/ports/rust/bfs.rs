//! Breadth-first search, a launch a level: a block gathers what its threads find
//! in a queue in shared memory and takes room for it in the next frontier once.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::prelude::*;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};
#[path = "Inputs/port.rs"]
mod port;

const ROOM: u32 = 256;

fn expand(
    start: &[u32],
    neighbour: &[u32],
    frontier: &[u32],
    next: &[AtomicU32],
    next_size: &AtomicU32,
    distance: &[AtomicI32],
    level: i32,
) {
    let queue = gpu::shared::<[u32; ROOM as usize]>();
    let length = gpu::shared::<AtomicU32>();
    let base = gpu::shared::<u32>();
    let t = gpu::thread_idx().x;
    if t == 0 {
        length.store(0, Relaxed);
    }
    gpu::sync_threads();
    if let Some(&node) = frontier.get(gpu::global_id()) {
        for k in start[node as usize]..start[node as usize + 1] {
            let to = neighbour[k as usize];
            if distance[to as usize].compare_exchange(-1, level, Relaxed, Relaxed).is_err() {
                continue;
            }
            let at = length.fetch_add(1, Relaxed);
            if at < ROOM {
                queue[at as usize].set(to);
            } else {
                next[next_size.fetch_add(1, Relaxed) as usize].store(to, Relaxed); // the queue is full
            }
        }
    }
    gpu::sync_threads();
    let mine = length.load(Relaxed).min(ROOM);
    if t == 0 {
        base.set(next_size.fetch_add(mine, Relaxed));
    }
    gpu::sync_threads();
    for k in (t..mine).step_by(gpu::block_dim().x as usize) {
        next[(base.get() + k) as usize].store(queue[k as usize].get(), Relaxed);
    }
}

fn main() -> ferry::Result<()> {
    let nodes = 3000;
    let mut random = port::Random(21);
    let (mut start, mut neighbour) = (vec![0], vec![]);
    for node in 0..nodes {
        let degree = if node % 97 == 0 { 150 } else { random.below(4) };
        neighbour.extend((0..degree).map(|_| random.below(nodes)));
        start.push(neighbour.len() as u32);
    }
    let mut wanted = vec![-1; nodes as usize];
    wanted[0] = 0;
    let mut queue = VecDeque::from([0usize]);
    while let Some(node) = queue.pop_front() {
        for k in start[node]..start[node + 1] {
            let to = neighbour[k as usize] as usize;
            if wanted[to] < 0 {
                wanted[to] = wanted[node] + 1;
                queue.push_back(to);
            }
        }
    }

    let distance: Vec<AtomicI32> = (0..nodes).map(|n| AtomicI32::new(if n == 0 { 0 } else { -1 })).collect();
    let mut frontier = vec![0];
    for level in 1.. {
        let next: Vec<AtomicU32> = (0..nodes).map(|_| AtomicU32::new(0)).collect();
        let size = AtomicU32::new(0);
        let grid = blocks(frontier.len().div_ceil(64)).threads(64);
        launch(expand, grid, (&start, &neighbour, &frontier, &next, &size, &distance, level))?;
        frontier = next.iter().take(size.load(Relaxed) as usize).map(|n| n.load(Relaxed)).collect();
        if frontier.is_empty() {
            break;
        }
    }
    assert_eq!(distance.into_iter().map(AtomicI32::into_inner).collect::<Vec<_>>(), wanted);
    println!("searched"); // CHECK: searched
    Ok(())
}
