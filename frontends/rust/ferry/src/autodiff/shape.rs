// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! A shadow must be as large as what it belongs to, at every depth: a derivative
//! writes to it at the same offsets.
//!
//! What implements [`Shadow`] is compared member by member. For other types the
//! size in bytes is compared, and those that own memory are refused at compile
//! time. Which of the two holds is decided by method lookup: `(&&pair).check()`
//! finds `ByType` for `&Pair` before `BySize` for `Pair`.

/// Data whose derivative is data of the same shape.
///
/// Numbers, arrays, slices, tuples, `Vec`, `Box` and `Option` of such types
/// implement it, and structs that derive it. A type that owns memory can be
/// `Duplicated` or `Dual` only if it does.
///
/// ```
/// use ferry::autodiff::Shadow;
///
/// #[derive(Shadow)]
/// struct Layer {
///     weights: Vec<f64>,
///     bias: Vec<f64>,
/// }
/// ```
///
/// # Safety
/// `check` returns only if all memory that `self` leads to has a counterpart of
/// the same size behind `shadow`, at the same place.
pub unsafe trait Shadow {
    /// Whether a value leads to no other memory, so that there is nothing to check.
    const FLAT: bool;

    /// Panics unless `shadow` has the same shape. `name` is what it is the shadow of.
    fn check(&self, shadow: &Self, name: &str);
}

#[track_caller]
#[cold]
fn differ(name: &str, shadow: usize, own: usize) -> ! {
    panic!("the shadow of `{name}` has length {shadow}, but `{name}` has length {own}")
}

macro_rules! flat {
    ($($name:ty),*) => {$(
        // SAFETY: it leads to no other memory.
        unsafe impl Shadow for $name {
            const FLAT: bool = true;
            fn check(&self, _: &Self, _: &str) {}
        }
    )*};
}
flat!(f32, f64, bool, char, (), i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, isize, usize);

// SAFETY: both have this length, and the elements are checked.
unsafe impl<T: Shadow> Shadow for [T] {
    const FLAT: bool = false;
    #[track_caller]
    fn check(&self, shadow: &Self, name: &str) {
        if self.len() != shadow.len() {
            differ(name, shadow.len(), self.len());
        }
        if !T::FLAT {
            for (own, shadow) in self.iter().zip(shadow) {
                own.check(shadow, name);
            }
        }
    }
}

// SAFETY: the length is part of the type, and the elements are checked.
unsafe impl<T: Shadow, const N: usize> Shadow for [T; N] {
    const FLAT: bool = T::FLAT;
    #[track_caller]
    fn check(&self, shadow: &Self, name: &str) {
        if !T::FLAT {
            self.as_slice().check(shadow, name);
        }
    }
}

// SAFETY: what it owns is checked, and the derivative may free both alike.
unsafe impl<T: Shadow> Shadow for Vec<T> {
    const FLAT: bool = false;
    #[track_caller]
    fn check(&self, shadow: &Self, name: &str) {
        self.as_slice().check(shadow, name);
        if self.capacity() > self.len() && shadow.capacity() < self.capacity() {
            panic!(
                "the shadow of `{name}` has room for {} elements, but `{name}` for {}",
                shadow.capacity(),
                self.capacity()
            );
        }
    }
}

macro_rules! references {
    ($($name:ty),*) => {$(
        // SAFETY: what it leads to is checked.
        unsafe impl<T: Shadow + ?Sized> Shadow for $name {
            const FLAT: bool = false;
            #[track_caller]
            fn check(&self, shadow: &Self, name: &str) {
                (**self).check(shadow, name);
            }
        }
    )*};
}
references!(&T, &mut T, Box<T>);

// SAFETY: both lead to something, which is checked, or none does.
unsafe impl<T: Shadow> Shadow for Option<T> {
    const FLAT: bool = false;
    #[track_caller]
    fn check(&self, shadow: &Self, name: &str) {
        match (self, shadow) {
            (Some(own), Some(shadow)) => own.check(shadow, name),
            (None, None) => {}
            (None, Some(_)) => panic!("the shadow of `{name}` is Some where `{name}` is None"),
            (Some(_), None) => panic!("the shadow of `{name}` is None where `{name}` is Some"),
        }
    }
}

// SAFETY: both have this length.
unsafe impl Shadow for str {
    const FLAT: bool = false;
    #[track_caller]
    fn check(&self, shadow: &Self, name: &str) {
        self.as_bytes().check(shadow.as_bytes(), name);
    }
}

// SAFETY: as a vector of bytes.
unsafe impl Shadow for String {
    const FLAT: bool = false;
    #[track_caller]
    fn check(&self, shadow: &Self, name: &str) {
        self.as_str().check(shadow, name);
    }
}

macro_rules! tuples {
    ($($name:ident $index:tt)*) => {
        // SAFETY: all members are checked.
        unsafe impl<$($name: Shadow),*> Shadow for ($($name,)*) {
            const FLAT: bool = $($name::FLAT)&&*;
            #[track_caller]
            fn check(&self, shadow: &Self, name: &str) {
                $(self.$index.check(&shadow.$index, name);)*
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0 B 1);
tuples!(A 0 B 1 C 2);
tuples!(A 0 B 1 C 2 D 3);
tuples!(A 0 B 1 C 2 D 3 E 4);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);

/// An argument and its shadow.
pub struct Pair<'a, T: ?Sized>(pub &'a T, pub &'a T);

/// Found first, where the type says how it is compared.
#[allow(missing_docs)]
pub trait ByType {
    fn check(&self, name: &str);
}

impl<T: Shadow + ?Sized> ByType for &Pair<'_, T> {
    #[track_caller]
    fn check(&self, name: &str) {
        self.0.check(self.1, name);
    }
}

/// Found otherwise.
#[allow(missing_docs)]
pub trait BySize {
    fn check(&self, name: &str);
}

impl<T: ?Sized> BySize for Pair<'_, T> {
    #[track_caller]
    fn check(&self, name: &str) {
        const {
            assert!(
                !core::mem::needs_drop::<T>(),
                "the shadow of a type that owns memory cannot be checked: \
                 derive(ferry::autodiff::Shadow) for it"
            );
        }
        let (own, shadow) = (size_of_val(self.0), size_of_val(self.1));
        assert!(own == shadow, "the shadow of `{name}` has {shadow} bytes, but `{name}` has {own}");
    }
}

/// For `Dualv`: `shadow` holds `width` slices as long as `own`.
#[track_caller]
pub fn check_strided<T>(own: &[T], shadow: &[T], width: usize, name: &str) {
    if own.len().checked_mul(width) != Some(shadow.len()) {
        panic!(
            "the shadow of `{name}` has length {}, but `{name}` has length {}, and {width} \
             tangents are wanted",
            shadow.len(),
            own.len()
        );
    }
}
