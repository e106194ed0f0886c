use std::ffi::CStr;
use std::fmt;

use warpprim_sys as sys;

/// What kind of failure it is: `wprim_status` without the two that are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum Status {
    /// An argument breaks a rule.
    InvalidArgument = sys::WPRIM_ERROR_INVALID_ARGUMENT,
    /// An object of another context or device.
    InvalidHandle = sys::WPRIM_ERROR_INVALID_HANDLE,
    /// Well formed, but without meaning (the bitwise and of floats), or not in this build.
    Unsupported = sys::WPRIM_ERROR_UNSUPPORTED,
    /// No such device, or its driver is missing or too old.
    NoDevice = sys::WPRIM_ERROR_NO_DEVICE,
    /// Host or device memory is exhausted.
    OutOfMemory = sys::WPRIM_ERROR_OUT_OF_MEMORY,
    /// A host callback failed or panicked.
    Callback = sys::WPRIM_ERROR_CALLBACK,
    /// The device reported an error.
    Device = sys::WPRIM_ERROR_DEVICE,
    /// A bug in warpprim: please report it.
    Internal = sys::WPRIM_ERROR_INTERNAL,
}

impl Status {
    fn from_raw(status: sys::wprim_status) -> Status {
        match status {
            sys::WPRIM_ERROR_INVALID_ARGUMENT => Status::InvalidArgument,
            sys::WPRIM_ERROR_INVALID_HANDLE => Status::InvalidHandle,
            sys::WPRIM_ERROR_UNSUPPORTED => Status::Unsupported,
            sys::WPRIM_ERROR_NO_DEVICE => Status::NoDevice,
            sys::WPRIM_ERROR_OUT_OF_MEMORY => Status::OutOfMemory,
            sys::WPRIM_ERROR_CALLBACK => Status::Callback,
            sys::WPRIM_ERROR_DEVICE => Status::Device,
            _ => Status::Internal,
        }
    }
}

/// A failure: its [`Status`], and a text that names the function, the argument, what was given and the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    message: String,
}

/// What every call that can fail returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(status: Status, message: String) -> Error {
        Error { status, message }
    }

    /// The kind of failure.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The whole story, for a person.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The failure with which the library refused this thread's newest call.
    #[cold]
    fn last(status: sys::wprim_status) -> Error {
        // SAFETY: never NULL, and valid until this thread's next failure; it is copied here.
        let text = unsafe { CStr::from_ptr(sys::wprim_last_error()) };
        Error::new(Status::from_raw(status), text.to_string_lossy().into_owned())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A status of C as a result.
#[inline]
pub(crate) fn check(status: sys::wprim_status) -> Result<()> {
    if status == sys::WPRIM_OK {
        Ok(())
    } else {
        Err(Error::last(status))
    }
}

/// A refusal of this crate, before the library was asked.
#[cold]
pub(crate) fn invalid(message: String) -> Error {
    Error::new(Status::InvalidArgument, message)
}
