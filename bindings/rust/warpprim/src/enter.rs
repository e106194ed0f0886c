//! Two rules of the C interface that types cannot hold: host callbacks must not call the library, and what is dropped inside one
//! must be given back outside.
#![allow(clippy::declare_interior_mutable_const)] // clippy 1.63 takes a thread_local for a constant

use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

use crate::error::{invalid, Result};

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

type Disposal = Box<dyn FnOnce() + Send>;
static LATER: Mutex<Vec<Disposal>> = Mutex::new(Vec::new());
static ANY_LATER: AtomicBool = AtomicBool::new(false);

pub(crate) fn in_callback() -> bool {
    IN_CALLBACK.with(Cell::get)
}

/// Runs a callback of the user, with the library closed to it. `None` if it panics.
pub(crate) fn callback<R>(f: impl FnOnce() -> R) -> Option<R> {
    let before = IN_CALLBACK.with(|flag| flag.replace(true));
    let result = catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        // To drop the payload is to run code of the user, which may panic too.
        catch_unwind(AssertUnwindSafe(|| drop(payload))).map_err(std::mem::forget)
    });
    IN_CALLBACK.with(|flag| flag.set(before));
    result.ok()
}

/// Stands at the top of every call.
#[inline]
pub(crate) fn enter() -> Result<()> {
    if in_callback() {
        return Err(refused());
    }
    if ANY_LATER.load(Ordering::Relaxed) {
        run_later();
    }
    Ok(())
}

#[cold]
fn refused() -> crate::Error {
    invalid("warpprim was called from a host callback or log function, which must not call it".into())
}

/// Gives something back to the library: at once, or if this is a callback, by the next call outside one.
pub(crate) fn dispose(f: impl FnOnce() + Send + 'static) {
    if in_callback() {
        LATER.lock().unwrap().push(Box::new(f));
        ANY_LATER.store(true, Ordering::Relaxed);
    } else {
        f();
    }
}

#[cold]
fn run_later() {
    let disposals = {
        let mut later = LATER.lock().unwrap();
        ANY_LATER.store(false, Ordering::Relaxed);
        std::mem::take(&mut *later)
    };
    for f in disposals {
        f();
    }
}
