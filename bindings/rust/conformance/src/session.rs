//! What every kind of case needs: a stream to work on, memory that its device reaches, and a verdict to give.

use std::ffi::CStr;
use std::ptr::null_mut;

use warpprim::{sys, Context, Device, Stream, StreamOptions};

use crate::json::Json;
use crate::mode::Mode;
use crate::recipe::fnv1a;

pub const POISON: u8 = 0xa5;

pub struct Session {
    pub device: Device,
    pub backend: String,
    pub mode: Mode,
    pub large: bool,
    pub context: Context,
    pub stream: Stream,
}

impl Session {
    pub fn open(backend: &str, mode: Mode, large: bool) -> Result<Session, String> {
        let device = match backend {
            "cpu" => Device::Cpu,
            "cuda" => Device::Cuda(0),
            _ => return Err(format!("unknown backend: {backend}")),
        };
        let context = Context::open(device).map_err(|e| e.to_string())?;
        let options = StreamOptions::new().resident(mode == Mode::Resident);
        let stream = context.stream_with(options).map_err(|e| e.to_string())?;
        Ok(Session { device, backend: backend.into(), mode, large, context, stream })
    }

    /// Waits for the stream.
    pub fn wait(&self) -> Verdict {
        self.stream.synchronize().map_err(|e| Outcome::fail(e.to_string()))
    }
}

pub enum Outcome {
    Fail(String),
    Skip(&'static str),
}

impl Outcome {
    pub fn fail(why: impl Into<String>) -> Outcome {
        Outcome::Fail(why.into().replace('\n', " ")) // a result is one line
    }
}

/// `Ok` is a pass.
pub type Verdict<T = ()> = Result<T, Outcome>;

pub fn ensure(good: bool, why: impl FnOnce() -> String) -> Verdict {
    if good {
        Ok(())
    } else {
        Err(Outcome::fail(why()))
    }
}

impl From<warpprim::Error> for Outcome {
    fn from(error: warpprim::Error) -> Outcome {
        Outcome::fail(format!("{:?}: {error}", error.status()))
    }
}

/// What the last failing call of C said.
pub fn last_error() -> String {
    unsafe { CStr::from_ptr(sys::wprim_last_error()) }.to_string_lossy().into_owned()
}

pub fn status_name(status: sys::wprim_status) -> String {
    unsafe { CStr::from_ptr(sys::wprim_status_name(status)) }.to_string_lossy().into_owned()
}

/// A status of C as a verdict.
pub fn done(status: sys::wprim_status) -> Verdict {
    ensure(status == sys::WPRIM_OK, || format!("{}: {}", status_name(status), last_error()))
}

/// Bytes that the device reaches, aligned to 256, for calls below the safe interface.
pub struct Block<'a> {
    session: &'a Session,
    pub at: *mut u8,
    len: usize,
}

impl<'a> Block<'a> {
    /// A block that holds `bytes`.
    pub fn of(session: &'a Session, bytes: &[u8]) -> Verdict<Block<'a>> {
        let mut at = null_mut();
        let room = bytes.len().max(1) as u64; // so that there is an address
        done(unsafe { sys::wprim_malloc(session.stream.as_raw(), room, &mut at) })?;
        let block = Block { session, at: at.cast(), len: bytes.len() };
        block.put(bytes)?;
        Ok(block)
    }

    pub fn put(&self, bytes: &[u8]) -> Verdict {
        assert_eq!(bytes.len(), self.len);
        copy(self.session, self.at, bytes.as_ptr(), self.len)
    }

    pub fn get(&self) -> Verdict<Vec<u8>> {
        let mut bytes = vec![0; self.len];
        copy(self.session, bytes.as_mut_ptr(), self.at, self.len)?;
        Ok(bytes)
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        unsafe { sys::wprim_free(self.session.stream.as_raw(), self.at.cast()) };
    }
}

/// Copies bytes between the host and the device, or within one, and waits.
pub fn copy(session: &Session, to: *mut u8, from: *const u8, len: usize) -> Verdict {
    done(unsafe { sys::wprim_copy(session.stream.as_raw(), to.cast(), from.cast(), len as u64) })?;
    session.wait()
}

/// Compares elements of `size` bytes with the hex texts of the case, or all bytes with its digest.
pub fn compare(case: &Json, got: &[u8], size: usize) -> Verdict {
    if case.get("expect").is_none() {
        let (digest, want) = (format!("{:016x}", fnv1a(got)), case.text("digest", "no expectation"));
        return ensure(digest == want, || format!("digest: got {digest} want {want}"));
    }
    let (expect, count) = (case.array("expect"), got.len() / size);
    ensure(expect.len() == count, || format!("the case has {} values, not {count}", expect.len()))?;
    for (i, (element, want)) in got.chunks(size).zip(expect).enumerate() {
        let text: String = element.iter().rev().map(|byte| format!("{byte:02x}")).collect();
        let good = matches!(want, Json::Text(want) if *want == text);
        ensure(good, || format!("[{i}]: got {text} want {want:?}"))?;
    }
    Ok(())
}

/// The status that the case wants, and its words in the text, with no letter, digit or underscore next to them.
pub fn check_refusal(case: &Json, got: sys::wprim_status) -> Verdict {
    let (name, want) = (status_name(got), case.text("status", ""));
    ensure(name == want, || format!("got {name} want {want}; last error: {}", last_error()))?;
    let text = last_error();
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for word in case.array("words") {
        let word = match word {
            Json::Text(word) => word,
            _ => return Err(Outcome::fail("a word is no text")),
        };
        let found = text
            .match_indices(word.as_str())
            .any(|(at, _)| !text[..at].ends_with(in_word) && !text[at + word.len()..].starts_with(in_word));
        ensure(found, || format!("\"{word}\" is not in the text: {text}"))?;
    }
    Ok(())
}
