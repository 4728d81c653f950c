// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! What can go wrong at run time.

use crate::marker;
use core::ffi::CStr;
use core::fmt;
use core::panic::Location;

pub(crate) const NO_PLUGIN: &str = "this program was built without the Ferry plugin: \
     build it with `cargo ferry build` or run it with `cargo ferry run`";

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The program was built by plain cargo, without the Ferry plugin.
    NoPlugin,
    /// There is no such device, or the program carries no image for it.
    NoDevice,
    /// The block, the grid or the shared memory is larger than the device allows.
    InvalidShape,
    /// An argument does not fit the launch: `each` with fewer elements than
    /// threads, `rows` that do not divide the length.
    InvalidArgument,
    /// The device has no room for the data.
    OutOfMemory,
    /// The driver refused or lost the launch.
    LaunchFailed,
    /// A thread panicked: an index out of bounds, an overflow, a failed assertion.
    Panic,
    /// `FERRY_CHECK` has found a mistake in the kernel.
    CheckFailed,
}

/// Why a launch did not happen or did not finish.
///
/// Host data is untouched unless the kind is [`ErrorKind::Panic`] or
/// [`ErrorKind::CheckFailed`]; after these it holds what the threads wrote until
/// then.
///
/// ```no_run
/// # use ferry::prelude::*;
/// fn divide(a: &[u32], b: &mut u32) {
///     *b = 100 / a[gpu::global_id()];
/// }
/// let (a, mut b) = ([5, 0], [0, 0]);
/// let error = launch(divide, over(2), (&a, each(&mut b))).unwrap_err();
/// assert_eq!(error.kind(), ferry::ErrorKind::Panic);
/// eprintln!("{error}"); // names the kernel, the line, the thread
/// ```
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// What fallible items of this crate return.
pub type Result<T> = core::result::Result<T, Error>;

impl Error {
    /// What went wrong, for code.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What went wrong, for people; the same text as [`Display`](fmt::Display).
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The error of this thread's last call into libferry.
    #[cold]
    pub(crate) fn last(status: i32) -> Error {
        let kind = match status {
            marker::STATUS_NO_PLUGIN => ErrorKind::NoPlugin,
            marker::STATUS_NO_DEVICE => ErrorKind::NoDevice,
            marker::STATUS_INVALID_SHAPE => ErrorKind::InvalidShape,
            marker::STATUS_INVALID_ARGUMENT => ErrorKind::InvalidArgument,
            marker::STATUS_OUT_OF_MEMORY => ErrorKind::OutOfMemory,
            marker::STATUS_PANIC => ErrorKind::Panic,
            marker::STATUS_CHECK => ErrorKind::CheckFailed,
            _ => ErrorKind::LaunchFailed,
        };
        let text = marker::ferry_last_error();
        let message = if text.is_null() {
            NO_PLUGIN.to_string()
        } else {
            // SAFETY: libferry keeps the terminated text alive until this
            // thread's next call.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        Error { kind, message }
    }

    /// What this crate itself finds wrong with a launch.
    #[cold]
    pub(crate) fn of_launch(
        kind: ErrorKind,
        kernel: &str,
        place: &Location<'_>,
        what: &str,
    ) -> Error {
        Error { kind, message: format!("kernel '{kernel}' launched at {place}: {what}") }
    }

    /// An argument (counted from 1) that does not fit.
    #[cold]
    pub(crate) fn argument(kernel: &str, place: &Location<'_>, number: usize, what: &str) -> Error {
        let what = format!("argument {number}: {what}");
        Error::of_launch(ErrorKind::InvalidArgument, kernel, place, &what)
    }
}

/// What `main() -> ferry::Result<()>` and `unwrap` print: readable as well.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}
