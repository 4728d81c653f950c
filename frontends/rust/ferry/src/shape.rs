// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Launch shapes: how many threads run a kernel, and in what blocks.

use crate::kernel::Args;
use crate::marker;
use crate::stream::Stream;

/// A number of threads or blocks in one to three dimensions: `n`, `(nx, ny)` or
/// `(nx, ny, nz)`, x fastest.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a launch extent",
    note = "write `n`, `(nx, ny)` or `(nx, ny, nz)` with `usize` numbers"
)]
pub trait Extent {
    #[doc(hidden)]
    fn dimensions(self) -> [u64; 3];
}

impl Extent for usize {
    #[inline(always)]
    fn dimensions(self) -> [u64; 3] {
        [self as u64, 1, 1]
    }
}

impl Extent for (usize, usize) {
    #[inline(always)]
    fn dimensions(self) -> [u64; 3] {
        [self.0 as u64, self.1 as u64, 1]
    }
}

impl Extent for (usize, usize, usize) {
    #[inline(always)]
    fn dimensions(self) -> [u64; 3] {
        [self.0 as u64, self.1 as u64, self.2 as u64]
    }
}

/// What [`launch`](crate::launch) takes as a shape: [`over`]`(..)` or
/// [`blocks`]`(..).threads(..)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a launch shape",
    note = "write `over(n)` for n threads, or `blocks(b).threads(t)` for b blocks of t threads"
)]
pub trait Shape: sealed::Sealed {
    #[doc(hidden)]
    const KIND: u64;
    #[doc(hidden)]
    fn raw(&self) -> Raw;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Over {}
    impl Sealed for super::Threads {}
}

/// A shape as the marker takes it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Raw {
    pub(crate) extent: [u64; 3],
    pub(crate) block: [u64; 3],
    pub(crate) shared_bytes: u64,
    pub(crate) device: i64,
}

impl Raw {
    /// All threads of the launch. Three dimensions of 2^64 need 192 bits; what is
    /// past 2^128 stays there and is refused by every later check.
    pub(crate) fn threads(&self) -> u128 {
        self.extent
            .iter()
            .chain(&self.block)
            .fold(1, |product: u128, &n| product.saturating_mul(n.into()))
    }
}

/// The shape that [`over`] makes.
#[derive(Clone, Copy)]
pub struct Over(Raw);

/// A shape and the [`Stream`] that its launch is given to.
#[derive(Clone, Copy)]
pub struct OnStream<'scope, S> {
    shape: S,
    stream: Stream<'scope>,
}

/// Shapes for launches with arguments `A` of parameters `P`: in a stream only those
/// that live as long as the stream's scope.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a launch shape",
    note = "write `over(n)` for n threads, or `blocks(b).threads(t)` for b blocks of t threads"
)]
pub trait ShapeFor<A, P, M> {
    #[doc(hidden)]
    type Inner: Shape;
    #[doc(hidden)]
    fn inner(&self) -> Self::Inner;
    /// 0: the launch waits.
    #[doc(hidden)]
    fn stream_number(&self) -> u32;
}

impl<S: Shape + Copy, A, P, M> ShapeFor<A, P, M> for S {
    type Inner = S;
    #[inline(always)]
    fn inner(&self) -> S {
        *self
    }
    #[inline(always)]
    fn stream_number(&self) -> u32 {
        0
    }
}

impl<'scope, S: Options + Copy, A: Args<P, M>, P, M> ShapeFor<A, P, M> for OnStream<'scope, S>
where
    A::Kept: 'scope,
{
    type Inner = S;
    #[inline(always)]
    fn inner(&self) -> S {
        let device = self.shape.raw().device;
        self.shape.on(marker::on_stream(self.stream.number(), device))
    }
    #[inline(always)]
    fn stream_number(&self) -> u32 {
        self.stream.number()
    }
}

impl<S: Options> OnStream<'_, S> {
    /// On device number `index` instead of the stream's own.
    #[inline(always)]
    pub fn device(mut self, index: usize) -> Self {
        self.shape = self.shape.on(index.min(i32::MAX as usize) as i64);
        self
    }
}

/// What both kinds of shapes can be told.
#[doc(hidden)]
pub trait Options: Shape {
    /// On the device of that number, or on the current one if it is -1.
    fn on(self, device: i64) -> Self;
}

/// The shape that [`blocks`] begins; [`threads`](Blocks::threads) completes it.
#[derive(Clone, Copy)]
#[must_use = "a grid needs the shape of its blocks: `.threads(t)`"]
pub struct Blocks([u64; 3]);

/// The shape that [`blocks`]`(..).threads(..)` makes.
#[derive(Clone, Copy)]
pub struct Threads(Raw);

impl Shape for Over {
    const KIND: u64 = marker::OVER;
    #[inline(always)]
    fn raw(&self) -> Raw {
        self.0
    }
}

impl Shape for Threads {
    const KIND: u64 = marker::BLOCKS;
    #[inline(always)]
    fn raw(&self) -> Raw {
        self.0
    }
}

/// That many threads: `over(n)`, `over((nx, ny))` or `over((nx, ny, nz))`. Ferry
/// chooses the blocks, and no thread has an index outside the extent.
///
/// `over(0)` is a launch that succeeds and does nothing. More than 2^32 threads
/// are [`ErrorKind::InvalidShape`](crate::ErrorKind::InvalidShape).
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn checkers(pixel: &mut u8) {
///     let at = gpu::global_idx();
///     *pixel = if (at.x + at.y) % 2 == 0 { 255 } else { 0 };
/// }
/// let mut image = vec![0; 640 * 480];
/// launch(checkers, over((640, 480)), (each(&mut image),))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn over(extent: impl Extent) -> Over {
    Over(Raw { extent: extent.dimensions(), block: [1; 3], shared_bytes: 0, device: -1 })
}

/// A grid of that many blocks; `.threads(..)` gives the shape of each block.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn number(out: &mut u32) {
///     *out = gpu::block_idx().x * gpu::block_dim().x + gpu::thread_idx().x;
/// }
/// let mut numbers = vec![0; 4 * 64];
/// launch(number, blocks(4).threads(64), (each(&mut numbers),))?;
/// # Ok::<(), ferry::Error>(())
/// ```
#[inline(always)]
pub fn blocks(grid: impl Extent) -> Blocks {
    Blocks(grid.dimensions())
}

impl Blocks {
    /// Threads in each block: at most 1,024 on the cpu and virtual devices.
    #[inline(always)]
    pub fn threads(self, block: impl Extent) -> Threads {
        Threads(Raw { extent: self.0, block: block.dimensions(), shared_bytes: 0, device: -1 })
    }
}

macro_rules! options {
    ($shape:ident) => {
        impl Options for $shape {
            #[inline(always)]
            fn on(mut self, device: i64) -> Self {
                self.0.device = device;
                self
            }
        }

        impl $shape {
            /// Dynamic shared memory of each block, in bytes.
            #[inline(always)]
            pub fn shared(mut self, bytes: usize) -> Self {
                self.0.shared_bytes = bytes as u64;
                self
            }

            /// Makes the launch work of a stream: it returns before it is done. See
            /// [`scope`](crate::scope).
            #[inline(always)]
            pub fn stream<'scope>(self, stream: &Stream<'scope>) -> OnStream<'scope, Self> {
                OnStream { shape: self, stream: *stream }
            }

            /// Launches on device number `index` instead of the current one; see
            /// [`devices`](crate::devices).
            #[inline(always)]
            pub fn device(mut self, index: usize) -> Self {
                self.0.device = index.min(i32::MAX as usize) as i64;
                self
            }
        }
    };
}

options!(Over);
options!(Threads);
