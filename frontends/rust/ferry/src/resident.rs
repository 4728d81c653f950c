// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! Data that stays on the devices because the program says so.
//!
//! A handle has the borrow of its data, so that nobody looks at host memory that
//! is out of date. But a safe program may forget a handle, and then have the data
//! back, or free it and have other data there. So libferry is told, by
//! `FIELD_RESIDENT` and `RESIDENT_BORROWED`, to use what is on a device only for
//! launches that have a handle, and to copy to the host only when a handle asks.

use crate::args::{Fields, IN_OUT, KernelArg, Unchecked, reference, unique};
use crate::marker::{self, FIELD_BUFFER, FIELD_READ, FIELD_RESIDENT, FIELD_UNIQUE, RawPlace};
use crate::parts::{Elements, Host, INSIDE, Inside, OnDevice, Place};
use crate::plain::Plain;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ops::{Bound, RangeBounds};
use core::panic::Location;
use core::ptr::{self, NonNull};

/// What [`resident`] takes: a `Vec`, a slice, an array, a boxed slice
/// or another handle.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements to keep on a device",
    note = "pass `&v` with a `Vec`, a slice, an array or a boxed slice"
)]
pub trait SharedElements {
    /// The type of an element.
    type Item;
    #[doc(hidden)]
    type Place: Place;
    /// Their addresses on the host.
    #[doc(hidden)]
    fn shared(&self, _: Inside) -> &[Self::Item];
    /// The same, and what stands there is what the program has computed.
    #[doc(hidden)]
    fn shared_at_home(&self, inside: Inside) -> &[Self::Item] {
        self.shared(inside)
    }
}

macro_rules! shared {
    ($([$($generics:tt)*] $Arg:ty;)*) => { $(
        impl<T, $($generics)*> SharedElements for $Arg {
            type Item = T;
            type Place = Host;
            fn shared(&self, _: Inside) -> &[T] {
                self
            }
        }
    )* };
}

shared! {
    [] [T];
    [const N: usize] [T; N];
    [] Vec<T>;
    [] Box<[T]>;
}

/// Data that launches read and that stays on the devices; see [`resident`].
#[must_use = "the data stays on a device while this lives"]
pub struct Resident<'a, T> {
    data: Data<T>,
    borrow: PhantomData<&'a [T]>,
}

/// Data that launches read and write and that stays on the devices; see
/// [`resident_mut`].
#[must_use = "the data stays on a device while this lives"]
pub struct ResidentMut<'a, T> {
    data: Data<T>,
    borrow: PhantomData<&'a mut [T]>,
}

/// Keeps data on the devices that read it, for as long as the handle lives. It is
/// copied to a device once, by the first launch there that reads it. Launches
/// take `&r` for `&[T]` parameters.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn add(x: &[f32], y: &mut f32) {
///     *y += x[gpu::global_id()];
/// }
/// let (x, mut y) = (vec![1.0; 1000], vec![2.0; 1000]);
/// let x = resident(&x);
/// for _ in 0..10 {
///     launch(add, over(1000), (&x, each(&mut y)))?;
/// }
/// # Ok::<(), ferry::Error>(())
/// ```
#[track_caller]
pub fn resident<V: SharedElements + ?Sized>(v: &V) -> Resident<'_, V::Item>
where
    V::Item: Plain,
{
    let data = Data::new(v.shared_at_home(INSIDE).into(), marker::RESIDENT_READ_ONLY);
    Resident { data, borrow: PhantomData }
}

/// Keeps data on the devices that use it, for as long as the handle lives. Room
/// is made, and data copied, by the launches that need it. When the handle is
/// dropped, what they have written comes home.
///
/// Launches take `&r`, [`each`](crate::each)`(&mut r)`,
/// [`chunks`](crate::chunks)`(&mut r, k)` and [`rows`](crate::rows)`(&mut r, n)`.
/// The handle borrows the data, so that the host cannot look at what is out of
/// date; [`to_host`](ResidentMut::to_host) gives it a part.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn step(from: &[f32], to: &mut f32) {
///     let i = gpu::global_id();
///     *to = 0.5 * (from[i] + from[(i + 1) % from.len()]);
/// }
/// let (mut a, mut b) = (vec![1.0; 1000], vec![0.0; 1000]);
/// let (mut x, mut y) = (resident_mut(&mut a), resident_mut(&mut b));
/// for _ in 0..1000 {
///     launch(step, over(1000), (&x, each(&mut y)))?;
///     launch(step, over(1000), (&y, each(&mut x)))?;
/// }
/// println!("{}", x.to_host(..1)[0]); // one element was copied
/// drop((x, y)); // all others come home
/// # Ok::<(), ferry::Error>(())
/// ```
///
/// # Forgetting
/// `std::mem::forget` of a handle ends the borrow without the copy home: the
/// elements have the values of before, or those of the last `to_host`. That is
/// safe but not what anybody wants, so it does not go unsaid: libferry writes a
/// line to stderr, with the place of the `resident_mut`, as soon as the memory is
/// used again, or at the end of the program.
///
/// # Aborts
/// When a device is lost with data that only it has.
#[track_caller]
pub fn resident_mut<V: Elements + ?Sized>(v: &mut V) -> ResidentMut<'_, V::Item>
where
    V::Item: Plain,
{
    let data = Data::new(v.at_home(INSIDE).into(), 0);
    ResidentMut { data, borrow: PhantomData }
}

/// The elements, and libferry's number for them. Whoever has it has the borrow.
pub(crate) struct Data<T> {
    pub(crate) elements: NonNull<[T]>,
    pub(crate) id: u64,
}

impl<T> Data<T> {
    #[track_caller]
    pub(crate) fn new(elements: NonNull<[T]>, flags: u32) -> Data<T> {
        let place = RawPlace::of(Location::caller());
        let flags = flags | marker::RESIDENT_BORROWED;
        let mut data = Data { elements, id: 0 };
        // SAFETY: the elements are there, and place and number outlive the call.
        // Where it fails for want of memory, launches copy everything at once.
        unsafe {
            marker::ferry_resident_begin(
                data.at(0),
                data.bytes(0, data.len()),
                flags,
                &place,
                &mut data.id,
            );
        }
        data
    }

    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(crate) fn at(&self, first: usize) -> *const c_void {
        self.elements.as_ptr().cast::<T>().wrapping_add(first).cast_const().cast()
    }

    pub(crate) fn bytes(&self, first: usize, end: usize) -> u64 {
        ((end - first) * size_of::<T>()) as u64
    }

    /// First and end of a range, which is in bounds.
    #[track_caller]
    pub(crate) fn bounds(&self, range: impl RangeBounds<usize>) -> (usize, usize) {
        let first = match range.start_bound() {
            Bound::Included(&first) => first,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => self.len(),
        };
        assert!(
            first <= end && end <= self.len(),
            "elements {first}..{end} of a resident that has {}",
            self.len()
        );
        (first, end)
    }

    pub(crate) fn bring_home(&self, first: usize, end: usize) {
        // SAFETY: the elements are there and borrowed.
        unsafe { marker::ferry_resident_to_host(self.at(first), self.bytes(first, end), self.id) };
    }

    pub(crate) fn outdate_devices(&self, first: usize, end: usize) {
        // SAFETY: as above.
        unsafe {
            marker::ferry_resident_to_device(self.at(first), self.bytes(first, end), self.id)
        };
    }

    pub(crate) fn part(&self, first: usize, end: usize) -> *mut [T] {
        let data = self.elements.as_ptr().cast::<T>().wrapping_add(first);
        ptr::slice_from_raw_parts_mut(data, end - first)
    }
}

impl<T> Drop for Data<T> {
    fn drop(&mut self) {
        // SAFETY: the elements are still borrowed.
        unsafe { marker::ferry_resident_end(self.at(0), self.id) };
    }
}

// SAFETY: handles are references to the elements, and libferry takes calls about
// them from any thread.
unsafe impl<T: Sync> Send for Resident<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Resident<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for ResidentMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for ResidentMut<'_, T> {}

impl<T> Resident<'_, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Plain> ResidentMut<'_, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets the host read elements, after what launches have written of them has
    /// come home. What is at home already is not copied.
    ///
    /// # Panics
    /// When there are no such elements.
    #[track_caller]
    pub fn to_host(&self, range: impl RangeBounds<usize>) -> &[T] {
        let (first, end) = self.data.bounds(range);
        self.data.bring_home(first, end);
        // SAFETY: in bounds and borrowed; no launch writes while `self` is.
        unsafe { &*self.data.part(first, end) }
    }

    /// Lets the host read and write elements. The next launch that reads them on
    /// a device copies them in.
    ///
    /// ```no_run
    /// # use ferry::prelude::*;
    /// # fn scale(by: f32, v: &mut f32) { *v *= by; }
    /// # let mut v = vec![1.0; 1000];
    /// let mut r = resident_mut(&mut v);
    /// launch(scale, over(1000), (2.0, each(&mut r)))?;
    /// r.to_host_mut(..2)[1] = 7.0; // 8 bytes come home
    /// launch(scale, over(1000), (2.0, each(&mut r)))?; // and go back
    /// # Ok::<(), ferry::Error>(())
    /// ```
    ///
    /// # Panics
    /// When there are no such elements.
    #[track_caller]
    pub fn to_host_mut(&mut self, range: impl RangeBounds<usize>) -> &mut [T] {
        let (first, end) = self.data.bounds(range);
        self.data.bring_home(first, end);
        self.data.outdate_devices(first, end);
        // SAFETY: in bounds and borrowed, as `self` is.
        unsafe { &mut *self.data.part(first, end) }
    }

    /// Replaces elements, from number `first`. Nothing comes home; the next launch
    /// that reads them on a device copies them in.
    ///
    /// # Panics
    /// When there are not as many.
    #[track_caller]
    pub fn to_device(&mut self, first: usize, elements: &[T]) {
        let (first, end) = self.data.bounds(first..first.saturating_add(elements.len()));
        self.data.outdate_devices(first, end);
        // SAFETY: as above.
        unsafe { &mut *self.data.part(first, end) }.copy_from_slice(elements);
    }
}

impl<T: Plain> Elements for ResidentMut<'_, T> {
    type Item = T;
    type Place = OnDevice;
    #[inline(always)]
    fn elements(&mut self, _: Inside) -> &mut [T] {
        // SAFETY: borrowed as `self` is. The caller takes nothing but the address.
        unsafe { unique(self.data.elements.as_ptr()) }
    }
    fn at_home(&mut self, _: Inside) -> &mut [T] {
        self.to_host_mut(..)
    }
}

impl<T: Plain> SharedElements for Resident<'_, T> {
    type Item = T;
    type Place = OnDevice;
    fn shared(&self, _: Inside) -> &[T] {
        // SAFETY: borrowed as `self` is.
        unsafe { reference(self.data.elements.as_ptr()) }
    }
}

impl<T: Plain> SharedElements for ResidentMut<'_, T> {
    type Item = T;
    type Place = OnDevice;
    fn shared(&self, _: Inside) -> &[T] {
        // SAFETY: borrowed as `self` is. The caller takes nothing but the address.
        unsafe { reference(self.data.elements.as_ptr()) }
    }
    fn shared_at_home(&self, _: Inside) -> &[T] {
        self.to_host(..)
    }
}

macro_rules! read {
    ($($Handle:ident)*) => { $(
        // SAFETY: the elements are readable for 'a, and nobody writes them.
        unsafe impl<'a, T: Plain, M> KernelArg<&'a [T], M> for &'a $Handle<'_, T> {
            const BUFFER: u64 = FIELD_BUFFER | FIELD_READ | FIELD_UNIQUE | FIELD_RESIDENT;
            type Extra = usize;
            type Kept = &'a ();
            #[inline(always)]
            fn pointer(&self) -> *const c_void {
                self.data.elements.as_ptr().cast_const().cast()
            }
            #[inline(always)]
            fn bytes(&self) -> u64 {
                (self.data.elements.len() * size_of::<T>()) as u64
            }
            #[inline(always)]
            fn extra(&self) -> usize {
                self.data.elements.len()
            }
            #[inline(always)]
            unsafe fn rebuild(fields: &mut Fields) -> &'a [T] {
                // SAFETY: the launch's buffer holds that many elements.
                unsafe {
                    let data = fields.buffer::<T>();
                    let length = fields.bytes::<usize>();
                    reference(ptr::slice_from_raw_parts(data, length))
                }
            }
        }
    )* };
}

read!(Resident ResidentMut);

macro_rules! unchecked {
    ($($P:ty: $Extra:ty, $length:ident => $extra:expr, $fields:ident => $rebuild:expr;)*) => { $(
        // SAFETY: borrowed for 'a; disjointness is the caller's promise.
        #[diagnostic::do_not_recommend]
        unsafe impl<'a, T: Plain> KernelArg<$P, Unchecked> for &'a mut ResidentMut<'_, T> {
            const BUFFER: u64 = IN_OUT | FIELD_RESIDENT;
            type Extra = $Extra;
            type Kept = &'a ();
            #[inline(always)]
            fn pointer(&self) -> *const c_void {
                self.data.elements.as_ptr().cast_const().cast()
            }
            #[inline(always)]
            fn bytes(&self) -> u64 {
                (self.data.elements.len() * size_of::<T>()) as u64
            }
            #[inline(always)]
            fn extra(&self) -> $Extra {
                let $length = self.data.elements.len();
                $extra
            }
            #[inline(always)]
            unsafe fn rebuild($fields: &mut Fields) -> $P {
                // SAFETY: the launch's buffer holds that many elements.
                unsafe { $rebuild }
            }
        }
    )* };
}

unchecked! {
    &'a mut [T]: usize, length => length, fields => {
        let data = fields.buffer::<T>();
        let length = fields.bytes::<usize>();
        unique(ptr::slice_from_raw_parts_mut(data, length))
    };
    *mut T: (), _length => (), fields => fields.buffer::<T>();
}
