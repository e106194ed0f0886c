use std::os::raw::c_char;
use std::ptr::null_mut;

use warpprim_sys as sys;

use crate::error::check;
use crate::Result;

/// How a description is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Format {
    /// Lines of "name: value".
    Text = sys::WPRIM_TEXT,
    /// One JSON object.
    Json = sys::WPRIM_JSON,
}

/// Asks for the length of a text, then for the text: `ask` gets where to write, the room there, and where to put the length.
pub(crate) fn describe(ask: impl Fn(*mut c_char, u64, *mut u64) -> sys::wprim_status) -> Result<String> {
    let mut length = 0;
    check(ask(null_mut(), 0, &mut length))?;
    let mut text = vec![0u8; length as usize + 1];
    check(ask(text.as_mut_ptr().cast(), text.len() as u64, &mut length))?;
    text.pop(); // the final 0
    Ok(String::from_utf8_lossy(&text).into_owned())
}
