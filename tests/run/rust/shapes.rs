//! Every index function against its formula, in one to three dimensions, over
//! and explicit; shapes that cannot be are errors, empty ones do nothing.
//
// RUN: %run-rust-everywhere --output %t %s | FileCheck %s
use ferry::ErrorKind::InvalidShape;
use ferry::prelude::*;

#[derive(Clone, Copy, Plain)]
struct At {
    thread: [u32; 3],
    block: [u32; 3],
    block_dim: [u32; 3],
    grid_dim: [u32; 3],
    global: [usize; 3],
    global_dim: [usize; 3],
    id: usize,
    visits: u32,
}
const NOWHERE: At = At {
    thread: [9; 3], block: [9; 3], block_dim: [9; 3], grid_dim: [9; 3], global: [9; 3], global_dim: [9; 3], id: 9, visits: 0,
};

fn record(at: &mut At) {
    let (t, b, bd, gd) = (gpu::thread_idx(), gpu::block_idx(), gpu::block_dim(), gpu::grid_dim());
    let (g, n) = (gpu::global_idx(), gpu::global_dim());
    *at = At {
        thread: [t.x, t.y, t.z],
        block: [b.x, b.y, b.z],
        block_dim: [bd.x, bd.y, bd.z],
        grid_dim: [gd.x, gd.y, gd.z],
        global: [g.x, g.y, g.z],
        global_dim: [n.x, n.y, n.z],
        id: gpu::global_id(),
        visits: at.visits + 1,
    };
}

fn check(n: [usize; 3], out: &[At]) {
    assert_eq!(out.len(), n[0] * n[1] * n[2]);
    for (id, at) in out.iter().enumerate() {
        let global = [id % n[0], id / n[0] % n[1], id / n[0] / n[1]];
        assert_eq!((at.visits, at.id, at.global, at.global_dim), (1, id, global, n));
        assert_eq!(at.block_dim, out[0].block_dim);
        for d in 0..3 {
            let block = at.block_dim[d] as usize;
            assert!(at.thread[d] < at.block_dim[d]);
            assert_eq!(at.block[d] as usize * block + at.thread[d] as usize, global[d]);
            assert_eq!(at.grid_dim[d] as usize, n[d].div_ceil(block));
        }
    }
}

fn over_shape(shape: ferry::Over, n: [usize; 3]) {
    let mut out = vec![NOWHERE; n[0] * n[1] * n[2]];
    launch(record, shape, (each(&mut out),)).unwrap();
    check(n, &out);
}
fn blocks_shape(shape: ferry::Threads, grid: [usize; 3], block: [usize; 3]) {
    let n = [grid[0] * block[0], grid[1] * block[1], grid[2] * block[2]];
    let mut out = vec![NOWHERE; n[0] * n[1] * n[2]];
    launch(record, shape, (each(&mut out),)).unwrap();
    check(n, &out);
    assert_eq!(out[0].block_dim.map(|d| d as usize), block);
}

fn touch(v: &[std::sync::atomic::AtomicU32]) {
    v[0].store(1, std::sync::atomic::Ordering::Relaxed);
}

fn main() {
    for n in [1, 2, 255, 256, 257, 1000, 70001] {
        over_shape(over(n), [n, 1, 1]);
    }
    for [x, y, z] in [[5, 1, 1], [1, 5, 1], [33, 9, 1], [31, 7, 1], [1, 1, 5], [33, 5, 3], [7, 11, 13], [100, 1, 3]] {
        if z == 1 {
            over_shape(over((x, y)), [x, y, 1]);
        }
        over_shape(over((x, y, z)), [x, y, z]);
    }
    blocks_shape(blocks(7).threads(33), [7, 1, 1], [33, 1, 1]);
    blocks_shape(blocks(3).threads(1024), [3, 1, 1], [1024, 1, 1]);
    blocks_shape(blocks((2, 3)).threads((5, 7)), [2, 3, 1], [5, 7, 1]);
    blocks_shape(blocks((2, 3, 4)).threads((5, 2, 3)), [2, 3, 4], [5, 2, 3]);
    blocks_shape(blocks(4).threads((1, 1, 64)), [4, 1, 1], [1, 1, 64]);

    let v = [std::sync::atomic::AtomicU32::new(0)];
    launch(touch, over(0), (&v,)).unwrap();
    launch(touch, over((5, 0)), (&v,)).unwrap();
    launch(touch, blocks(0).threads(32), (&v,)).unwrap();
    let refused = |result: ferry::Result<()>| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), InvalidShape);
        println!("{}", error.to_string().replace("virtual:0", "cpu"));
    };
    // CHECK: kernel '{{.*}}touch' launched at {{.*}}shapes.rs:[[#@LINE+1]]:{{[0-9]+}}: {{.*}}1025{{.*}}1024
    refused(launch(touch, blocks(1).threads(1025), (&v,)));
    // CHECK: shapes.rs:[[#@LINE+1]]:{{.*}}1056{{.*}}1024
    refused(launch(touch, blocks(1).threads((32, 33)), (&v,)));
    // CHECK: shapes.rs:[[#@LINE+1]]:{{.*}}4294967297{{.*}}4294967296
    refused(launch(touch, over((1 << 32) + 1), (&v,)));
    // CHECK: shapes.rs:[[#@LINE+1]]:{{.*}}8589934592{{.*}}4294967296
    refused(launch(touch, over((2048, 2048, 2048)), (&v,)));
    // CHECK: shapes.rs:[[#@LINE+1]]:{{.*}}4294967296
    refused(launch(touch, over((1 << 32, 1 << 32)), (&v,)));
    // CHECK: shapes.rs:[[#@LINE+1]]:{{.*}}8589934592{{.*}}4294967296
    refused(launch(touch, blocks(1 << 30).threads(8), (&v,)));
    assert_eq!(v[0].load(std::sync::atomic::Ordering::Relaxed), 0);
    launch(touch, blocks(1).threads(1024), (&v,)).unwrap();
    assert_eq!(v[0].load(std::sync::atomic::Ordering::Relaxed), 1);
}
