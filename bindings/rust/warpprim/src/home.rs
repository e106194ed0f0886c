//! What a stream shares with the buffers at home on it.

use std::ffi::c_void;
use std::fmt;
use std::mem::{forget, take};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use warpprim_sys as sys;

use crate::enter::{callback, dispose, in_callback};
use crate::error::{check, Result};
use crate::event::OwnedEvent;
use crate::Context;

/// Which of the library's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Device,
    Pinned,
}

/// A function of the user that the library may call until it is dropped.
pub(crate) struct Callback {
    user: *mut c_void,
    drop: unsafe fn(*mut c_void),
}

// SAFETY: what it owns is Send.
unsafe impl Send for Callback {}
unsafe impl Sync for Callback {} // nothing is done with a shared one

impl Callback {
    pub(crate) fn new<F: Send + 'static>(f: F) -> Callback {
        unsafe fn drop_boxed<F>(user: *mut c_void) {
            // SAFETY: of Box::into_raw below.
            drop(unsafe { Box::from_raw(user.cast::<F>()) });
        }
        Callback { user: Box::into_raw(Box::new(f)).cast(), drop: drop_boxed::<F> }
    }

    pub(crate) fn user(&self) -> *mut c_void {
        self.user
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        // It is code of the user that is dropped, and it may panic. SAFETY: the box is this object's.
        callback(|| unsafe { (self.drop)(self.user) });
    }
}

/// The handle of a stream, with what may be done by whoever may use it.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) raw: NonNull<sys::wprim_stream>,
    pub(crate) context: Context,
}

// SAFETY: the C interface wants one thread at a time, and does not care which. Home says who that is.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl Handle {
    /// Memory of dropped buffers, freed when the work enqueued so far is done. If that fails, it goes with the context.
    fn free_device(&self, memory: &[usize]) {
        for &ptr in memory {
            // SAFETY: from wprim_malloc of this context, and only work of this stream uses it.
            unsafe { sys::wprim_free(self.raw.as_ptr(), ptr as *mut c_void) };
        }
    }

    /// Pinned memory of dropped buffers, of which no work is left.
    fn free_pinned(&self, memory: &[usize]) {
        for &ptr in memory {
            // SAFETY: from wprim_malloc_host of this context.
            unsafe { sys::wprim_free_host(self.context.as_raw(), ptr as *mut c_void) };
        }
    }

    /// Waits, and says whether nothing of the stream runs any more. So it is, unless the call was refused: a borrowed stream is being
    /// captured.
    fn synchronize(&self) -> (bool, Result<()>) {
        const REFUSALS: [sys::wprim_status; 3] =
            [sys::WPRIM_ERROR_INVALID_ARGUMENT, sys::WPRIM_ERROR_INVALID_HANDLE, sys::WPRIM_ERROR_UNSUPPORTED];
        // SAFETY: the handle is alive.
        let status = unsafe { sys::wprim_stream_synchronize(self.raw.as_ptr()) };
        let result = check(status);
        // A late error may have the same status; then the stream is idle.
        let idle = || unsafe { sys::wprim_stream_query(self.raw.as_ptr()) } == sys::WPRIM_OK;
        (!REFUSALS.contains(&status) || idle(), result)
    }
}

/// Buffers keep their stream's home: so the handle lives as long as they do. When they are dropped, on whatever thread, they put
/// their memory here, and the `Stream`, which alone may use the handle, gives it back: device memory with its next call, pinned
/// memory when it has waited.
pub(crate) struct Home {
    handle: Handle,
    number: u64,
    dropped: Mutex<Dropped>, // not held while the library is called, which may call a log function, which may drop a buffer
    any_device: AtomicBool,
    any_waiting: AtomicBool,
    orphan: Mutex<()>, // the right to use the handle when the Stream is gone
}

#[derive(Default)]
struct Dropped {
    device: Vec<usize>,
    waiting: Waiting,
    /// The `Stream` is gone.
    orphaned: bool,
}

/// What work of the stream may use until it has been waited for.
#[derive(Default)]
struct Waiting {
    pinned: Vec<usize>,
    callbacks: Vec<Arc<Vec<Callback>>>,
}

impl Home {
    pub(crate) fn new(handle: Handle) -> Arc<Home> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Arc::new(Home {
            handle,
            number,
            dropped: Mutex::default(),
            any_device: AtomicBool::new(false),
            any_waiting: AtomicBool::new(false),
            orphan: Mutex::default(),
        })
    }

    pub(crate) fn context(&self) -> &Context {
        &self.handle.context
    }

    #[inline]
    pub(crate) fn raw(&self) -> *mut sys::wprim_stream {
        self.handle.raw.as_ptr()
    }

    /// For the `Stream`, before each call.
    #[inline]
    pub(crate) fn free_dropped(&self) {
        if self.any_device.load(Ordering::Relaxed) {
            self.free_dropped_device();
        }
    }

    #[cold]
    fn free_dropped_device(&self) {
        self.any_device.store(false, Ordering::Relaxed);
        let device = take(&mut self.dropped.lock().unwrap().device);
        self.handle.free_device(&device);
    }

    /// For the `Stream`: waits, and frees what could not be freed before.
    pub(crate) fn synchronize(&self) -> (bool, Result<()>) {
        if !self.any_waiting.load(Ordering::Relaxed) {
            return self.handle.synchronize();
        }
        self.any_waiting.store(false, Ordering::Relaxed);
        let Waiting { pinned, callbacks } = take(&mut self.dropped.lock().unwrap().waiting);
        let (idle, result) = self.handle.synchronize();
        if idle {
            self.handle.free_pinned(&pinned);
            drop(callbacks);
        } else {
            let waiting = &mut self.dropped.lock().unwrap().waiting;
            waiting.pinned.extend(pinned);
            waiting.callbacks.extend(callbacks);
            self.any_waiting.store(true, Ordering::Relaxed);
        }
        (idle, result)
    }

    /// For the `Stream`, when it goes.
    pub(crate) fn leave(&self) {
        let _right = self.orphan.lock().unwrap();
        let device = {
            let mut dropped = self.dropped.lock().unwrap();
            dropped.orphaned = true;
            if in_callback() {
                Vec::new()
            } else {
                take(&mut dropped.device)
            }
        };
        self.handle.free_device(&device);
    }

    /// Takes the memory of a dropped buffer.
    pub(crate) fn bury(&self, ptr: *mut c_void, place: Place) {
        let mut dropped = self.dropped.lock().unwrap();
        match place {
            Place::Pinned => {
                dropped.waiting.pinned.push(ptr as usize);
                self.any_waiting.store(true, Ordering::Relaxed);
            }
            Place::Device if dropped.orphaned && !in_callback() => {
                drop(dropped);
                let _right = self.orphan.lock().unwrap();
                self.handle.free_device(&[ptr as usize]);
            }
            Place::Device => {
                dropped.device.push(ptr as usize);
                self.any_device.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Takes a share of what a dropped graph calls.
    pub(crate) fn bury_callbacks(&self, callbacks: Arc<Vec<Callback>>) {
        self.dropped.lock().unwrap().waiting.callbacks.push(callbacks);
        self.any_waiting.store(true, Ordering::Relaxed);
    }

    /// If the `Stream` is gone: an event that stands for the end of its work.
    pub(crate) fn end_of_orphan(&self) -> Result<Option<OwnedEvent>> {
        if !self.dropped.lock().unwrap().orphaned {
            return Ok(None);
        }
        let _right = self.orphan.lock().unwrap();
        let event = OwnedEvent::create(self.context())?;
        // SAFETY: both handles are alive, and this thread alone may use them.
        check(unsafe { sys::wprim_event_record(event.as_raw(), self.raw()) })?;
        Ok(Some(event))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let Dropped { device, waiting: Waiting { pinned, callbacks }, .. } = take(self.dropped.get_mut().unwrap());
        let handle = self.handle.clone();
        dispose(move || {
            handle.free_device(&device);
            let nobody_waits = pinned.is_empty() && callbacks.is_empty();
            if nobody_waits || handle.synchronize().0 {
                handle.free_pinned(&pinned);
                drop(callbacks);
            } else {
                forget(callbacks); // work may still call them
            }
            // SAFETY: the stream and its buffers are gone, and the handle was theirs.
            unsafe { sys::wprim_stream_destroy(handle.raw.as_ptr()) };
        });
    }
}

impl fmt::Display for Home {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stream {} of {}", self.number, self.context().device())
    }
}
