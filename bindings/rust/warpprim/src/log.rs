use std::ffi::{c_void, CStr};
use std::os::raw::c_char;

use warpprim_sys as sys;

use crate::enter::{callback, enter};
use crate::error::check;
use crate::Result;

/// How much the log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum LogLevel {
    /// Nothing.
    Off = sys::WPRIM_LOG_OFF,
    /// What is likely not as you want it.
    Warn = sys::WPRIM_LOG_WARN,
    /// One line an object: what was created, what was chosen once.
    Info = sys::WPRIM_LOG_INFO,
    /// One line a call: what was chosen and why.
    Debug = sys::WPRIM_LOG_DEBUG,
}

/// Receives one event as one line without a line break.
pub type LogFn = fn(LogLevel, &str);

/// Sends events up to `level` to `f`, or to stderr if it is `None`. Replaces what `WARPPRIM_LOG` asked for.
///
/// `f` may be called by any thread, also at the same time as itself. Calls of warpprim inside it fail.
pub fn set_log(level: LogLevel, f: Option<LogFn>) -> Result<()> {
    unsafe extern "C" fn line(level: sys::wprim_log_level, line: *const c_char, user: *mut c_void) {
        let level = match level {
            sys::WPRIM_LOG_WARN => LogLevel::Warn,
            sys::WPRIM_LOG_INFO => LogLevel::Info,
            _ => LogLevel::Debug,
        };
        // SAFETY: user is the function below, and line a text that lives through the call.
        let (f, line) = unsafe { (std::mem::transmute::<*mut c_void, LogFn>(user), CStr::from_ptr(line)) };
        callback(|| f(level, &line.to_string_lossy()));
    }
    enter()?;
    let (function, user): (sys::wprim_log_fn, _) = match f {
        Some(f) => (Some(line), f as *mut c_void),
        None => (None, std::ptr::null_mut()),
    };
    // SAFETY: a function lives as long as the program.
    check(unsafe { sys::wprim_set_log(level as sys::wprim_log_level, function, user) })
}
