// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Launches that nobody waits for, until the end of a scope.
//!
//! As with `std::thread::scope`, what a stream uses is borrowed for `'scope`, and
//! the scope does not end before its streams are done: there is nothing to forget
//! that would make it end earlier. One borrow serves one launch, though, and work
//! in a stream is done in order, so that many launches of one stream may use the
//! same data: `Lent` stands for it. It belongs to its stream, which launches check,
//! and lets the host at the data only after waiting.

use crate::args::{Fields, IN_OUT, KernelArg, reference, unique};
use crate::error::{Error, Result};
use crate::marker::{self, FIELD_BUFFER, FIELD_READ, FIELD_RESIDENT, FIELD_UNIQUE};
use crate::parts::{Elements, INSIDE, check_chunks, check_each, own_chunk};
use crate::plain::Plain;
use crate::resident::Data;
use core::ffi::{c_int, c_void};
use core::marker::PhantomData;
use core::ops::RangeBounds;
use core::ptr::slice_from_raw_parts;
use std::sync::Mutex;

/// Where streams live; see [`scope`].
pub struct Scope<'scope, 'env: 'scope> {
    streams: Mutex<Vec<u32>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// Launches that are done in order, while the host goes on; see [`scope`].
#[derive(Clone, Copy)]
pub struct Stream<'scope> {
    number: u32,
    scope: PhantomData<&'scope mut &'scope ()>,
}

/// A place in the work of a stream; see [`Stream::record`].
#[derive(Clone, Copy, Debug)]
pub struct Event {
    stream: u32,
    place: u64,
}

/// Data that belongs to a stream and stays on its device; see [`Stream::lend`].
#[must_use = "the stream has the data while this lives"]
pub struct Lent<'scope, T> {
    data: Data<T>,
    stream: Stream<'scope>,
}

/// Runs `f` with a scope in which launches can be given to streams, and waits for
/// them.
///
/// `over(n).stream(&s)` makes a launch return before it is done. What its arguments
/// borrow, they borrow until the scope ends. Launches of one stream are done in
/// order, those of different streams at the same time, on one device or several.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn scale(by: f32, x: &mut f32) {
///     *x *= by;
/// }
/// let (mut a, mut b) = (vec![1.0; 1000], vec![1.0; 1000]);
/// ferry::scope(|scope| {
///     let (s, t) = (scope.stream()?, scope.stream()?);
///     launch(scale, over(1000).stream(&s), (2.0, each(&mut a)))?;
///     launch(scale, over(1000).stream(&t), (3.0, each(&mut b)))?;
///     // the host does something else
///     Ok(())
/// })?;
/// assert_eq!((a[0], b[0]), (2.0, 3.0));
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// # Errors
/// What `f` returns, or else the first failure in a stream that no
/// [`wait`](Stream::wait) has returned. What fails stops its stream: work that was
/// given after it is left out.
pub fn scope<'env, F, R>(f: F) -> Result<R>
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> Result<R>,
{
    let scope = Scope { streams: Mutex::new(Vec::new()), scope: PhantomData, env: PhantomData };
    let end = End(&scope.streams);
    let result = f(&scope);
    let waited = end.wait();
    drop(end);
    let result = result?;
    waited.map(|()| result)
}

/// Ends the streams, also when the scope's function panics.
struct End<'a>(&'a Mutex<Vec<u32>>);

impl End<'_> {
    fn numbers(&self) -> Vec<u32> {
        // A panic leaves the list whole.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// The first failure.
    fn wait(&self) -> Result<()> {
        let mut result = Ok(());
        for number in self.numbers() {
            let status = marker::ferry_stream_wait(number);
            if status != marker::STATUS_OK && result.is_ok() {
                result = Err(Error::last(status));
            }
        }
        result
    }
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        for number in self.numbers() {
            // SAFETY: nobody uses it after the scope.
            unsafe { marker::ferry_stream_destroy(number) };
        }
    }
}

fn done(status: c_int) -> Result<()> {
    if status == marker::STATUS_OK { Ok(()) } else { Err(Error::last(status)) }
}

/// What is wrong with an argument that is `Lent` to another stream than the
/// launch's, which is 0 where it is none of a stream's.
#[cold]
pub fn of_another(stream: u32) -> String {
    let what = if stream == 0 { "this launch is in none" } else { "this launch is in another" };
    format!("it is lent to a stream, and {what}")
}

impl<'scope> Scope<'scope, '_> {
    /// A stream whose launches run on the device that is current when they are
    /// given.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](crate::ErrorKind::OutOfMemory) where the host has
    /// no thread left.
    pub fn stream(&'scope self) -> Result<Stream<'scope>> {
        self.make(-1)
    }

    /// A stream whose launches run on device number `index`.
    ///
    /// # Errors
    /// As for [`stream`](Scope::stream), and
    /// [`ErrorKind::NoDevice`](crate::ErrorKind::NoDevice).
    pub fn stream_on(&'scope self, index: usize) -> Result<Stream<'scope>> {
        self.make(c_int::try_from(index).unwrap_or(c_int::MAX))
    }

    fn make(&self, device: c_int) -> Result<Stream<'scope>> {
        let mut number = 0;
        // SAFETY: `number` is there to be written.
        done(unsafe { marker::ferry_stream_create(device, &mut number) })?;
        self.streams.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(number);
        Ok(Stream { number, scope: PhantomData })
    }
}

impl<'scope> Stream<'scope> {
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Waits until all is done that was given before.
    ///
    /// # Errors
    /// The first failure of it, which is then forgotten: the stream goes on.
    pub fn wait(&self) -> Result<()> {
        done(marker::ferry_stream_wait(self.number))
    }

    /// The place after all that was given so far.
    pub fn record(&self) -> Event {
        Event { stream: self.number, place: marker::ferry_stream_event(self.number) }
    }

    /// What is given from now on starts after an event of another stream. If that
    /// has failed by then, this one has failed as well.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](crate::ErrorKind::OutOfMemory).
    pub fn after(&self, event: Event) -> Result<()> {
        done(marker::ferry_stream_after(self.number, event.stream, event.place))
    }

    /// Gives data to the stream, for many launches of it. It stays on the device as
    /// that of [`resident_mut`](crate::resident_mut) does.
    ///
    /// ```no_run
    /// # use ferry::prelude::*;
    /// # fn scale(by: f32, x: &mut f32) { *x *= by; }
    /// # fn add(x: &[f32], y: &mut f32) { *y += x[gpu::global_id()]; }
    /// let (mut a, mut b) = (vec![1.0; 1000], vec![1.0; 1000]);
    /// ferry::scope(|scope| {
    ///     let s = scope.stream()?;
    ///     let (mut x, mut y) = (s.lend(&mut a), s.lend(&mut b));
    ///     for _ in 0..10 {
    ///         launch(scale, over(1000).stream(&s), (2.0, x.each()))?;
    ///         launch(add, over(1000).stream(&s), (&x, y.each()))?;
    ///     }
    ///     println!("{}", y.wait(..1)?[0]); // waits; one element was copied
    ///     Ok(())
    /// })?;
    /// # Ok::<(), ferry::Error>(())
    /// ```
    #[track_caller]
    pub fn lend<V: Elements + ?Sized>(&self, v: &'scope mut V) -> Lent<'scope, V::Item>
    where
        V::Item: Plain,
    {
        Lent { data: Data::new(v.at_home(INSIDE).into(), 0), stream: *self }
    }
}

impl Event {
    /// Waits until all work before it is done.
    ///
    /// # Errors
    /// The failure of the work before it, which the stream's own
    /// [`wait`](Stream::wait) returns, too.
    pub fn wait(&self) -> Result<()> {
        done(marker::ferry_event_wait(self.stream, self.place))
    }

    /// All work before it is done.
    pub fn is_done(&self) -> bool {
        marker::ferry_event_done(self.stream, self.place) != 0
    }
}

/// An argument that [`Lent::each`] makes.
pub struct LentEach<'a, 'scope, T>(&'a mut Lent<'scope, T>);

/// An argument that [`Lent::chunks`] makes.
pub struct LentChunks<'a, 'scope, T> {
    lent: &'a mut Lent<'scope, T>,
    size: usize,
}

impl<'scope, T: Plain> Lent<'scope, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`each`](crate::each), for launches of the stream.
    pub fn each(&mut self) -> LentEach<'_, 'scope, T> {
        LentEach(self)
    }

    /// As [`chunks`](crate::chunks), for launches of the stream.
    pub fn chunks(&mut self, k: usize) -> LentChunks<'_, 'scope, T> {
        LentChunks { lent: self, size: k }
    }

    /// Waits for the stream, and lets the host read elements.
    ///
    /// # Errors
    /// Those of [`Stream::wait`].
    ///
    /// # Panics
    /// When there are no such elements.
    #[track_caller]
    pub fn wait(&self, range: impl RangeBounds<usize>) -> Result<&[T]> {
        let (first, end) = self.data.bounds(range);
        self.stream.wait()?;
        self.data.bring_home(first, end);
        // SAFETY: in bounds, borrowed for the scope, and no launch that writes can
        // be given while `self` is borrowed.
        Ok(unsafe { &*self.data.part(first, end) })
    }

    /// Waits for the stream, and lets the host read and write elements.
    ///
    /// # Errors
    /// Those of [`Stream::wait`].
    ///
    /// # Panics
    /// When there are no such elements.
    #[track_caller]
    pub fn wait_mut(&mut self, range: impl RangeBounds<usize>) -> Result<&mut [T]> {
        let (first, end) = self.data.bounds(range);
        self.stream.wait()?;
        self.data.bring_home(first, end);
        self.data.outdate_devices(first, end);
        // SAFETY: in bounds, borrowed for the scope, and no launch at all can be
        // given while `self` is borrowed.
        Ok(unsafe { &mut *self.data.part(first, end) })
    }

    /// Copies elements to the stream's device as work of the stream, before a
    /// launch needs them there.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](crate::ErrorKind::OutOfMemory), and those of the
    /// stream's device.
    ///
    /// # Panics
    /// When there are no such elements.
    #[track_caller]
    pub fn to_device(&self, range: impl RangeBounds<usize>) -> Result<()> {
        let (first, end) = self.data.bounds(range);
        let data = &self.data;
        // SAFETY: in bounds, and borrowed for the scope.
        done(unsafe {
            let (at, bytes) = (data.at(first), data.bytes(first, end));
            marker::ferry_stream_to_device(self.stream.number, at, bytes, data.id, 0)
        })
    }

    /// Brings elements home as work of the stream, so that a later
    /// [`wait`](Lent::wait) finds them there.
    ///
    /// # Errors
    /// As for [`to_device`](Lent::to_device).
    ///
    /// # Panics
    /// When there are no such elements.
    #[track_caller]
    pub fn to_host(&self, range: impl RangeBounds<usize>) -> Result<()> {
        let (first, end) = self.data.bounds(range);
        let data = &self.data;
        // SAFETY: in bounds, and borrowed for the scope.
        done(unsafe {
            let (at, bytes) = (data.at(first), data.bytes(first, end));
            marker::ferry_stream_to_host(self.stream.number, at, bytes, data.id)
        })
    }
}

impl<T> Drop for Lent<'_, T> {
    /// The data comes home when the stream has done what it was given; failures
    /// are for its `wait`.
    fn drop(&mut self) {
        let number = self.stream.number;
        marker::ferry_event_wait(number, marker::ferry_stream_event(number));
    }
}

// SAFETY: a `Lent` is a unique reference to its elements.
unsafe impl<T: Send> Send for Lent<'_, T> {}
// SAFETY: as above; from a shared one only reading launches come.
unsafe impl<T: Sync> Sync for Lent<'_, T> {}

// SAFETY: the elements live for 'scope, and launches of one stream, which all
// that use them belong to, are done in order.
unsafe impl<'a, 'scope, T: Plain, M> KernelArg<&'a [T], M> for &'a Lent<'scope, T> {
    const BUFFER: u64 = FIELD_BUFFER | FIELD_READ | FIELD_UNIQUE | FIELD_RESIDENT;
    type Extra = usize;
    type Kept = &'scope ();
    const LENT: bool = true;
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        self.data.at(0)
    }
    #[inline(always)]
    fn bytes(&self) -> u64 {
        self.data.bytes(0, self.data.len())
    }
    #[inline(always)]
    fn extra(&self) -> usize {
        self.data.len()
    }
    #[inline(always)]
    fn stream(&self) -> u32 {
        self.stream.number
    }
    #[inline(always)]
    unsafe fn rebuild(fields: &mut Fields) -> &'a [T] {
        // SAFETY: the launch's buffer holds that many elements.
        unsafe {
            let data = fields.buffer::<T>();
            let length = fields.bytes::<usize>();
            reference(slice_from_raw_parts(data, length))
        }
    }
}

// SAFETY: as above, and no two threads have one global id.
unsafe impl<'a, 'scope, T: Plain, M> KernelArg<&'a mut T, M> for LentEach<'a, 'scope, T> {
    const BUFFER: u64 = IN_OUT | FIELD_RESIDENT;
    type Extra = ();
    type Kept = &'scope ();
    const LENT: bool = true;
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        self.0.data.at(0)
    }
    #[inline(always)]
    fn bytes(&self) -> u64 {
        self.0.data.bytes(0, self.0.data.len())
    }
    #[inline(always)]
    fn extra(&self) {}
    #[inline(always)]
    fn stream(&self) -> u32 {
        self.0.stream.number
    }
    #[inline(always)]
    fn check(&self, threads: u128) -> core::result::Result<(), String> {
        check_each(self.0.data.len(), threads)
    }
    #[inline(always)]
    unsafe fn rebuild(fields: &mut Fields) -> &'a mut T {
        // SAFETY: `check` has compared the number of threads with the length.
        unsafe { unique(fields.buffer::<T>().wrapping_add(crate::gpu::global_id())) }
    }
}

// SAFETY: as above; chunks of different threads do not overlap.
unsafe impl<'a, 'scope, T: Plain, M> KernelArg<&'a mut [T], M> for LentChunks<'a, 'scope, T> {
    const BUFFER: u64 = IN_OUT | FIELD_RESIDENT;
    type Extra = (usize, usize);
    type Kept = &'scope ();
    const LENT: bool = true;
    #[inline(always)]
    fn pointer(&self) -> *const c_void {
        self.lent.data.at(0)
    }
    #[inline(always)]
    fn bytes(&self) -> u64 {
        self.lent.data.bytes(0, self.lent.data.len())
    }
    #[inline(always)]
    fn extra(&self) -> (usize, usize) {
        (self.lent.data.len(), self.size)
    }
    #[inline(always)]
    fn stream(&self) -> u32 {
        self.lent.stream.number
    }
    #[inline(always)]
    fn check(&self, threads: u128) -> core::result::Result<(), String> {
        check_chunks(self.lent.data.len(), self.size, threads)
    }
    #[inline(always)]
    unsafe fn rebuild(fields: &mut Fields) -> &'a mut [T] {
        // SAFETY: `check` has been told what the fields hold.
        unsafe { own_chunk(fields) }
    }
}
