use std::cell::Cell;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::{null_mut, NonNull};
use std::sync::Arc;

use warpprim_sys as sys;

use crate::enter::{callback, enter};
use crate::error::{check, Result, Status};
use crate::event::ready;
use crate::home::{Handle, Home};
use crate::{Context, Event};

/// An ordered queue of work. Calls on it only enqueue, unless they say that they wait.
///
/// A stream can move to another thread, but not be used by two at once. Dropping it does not wait: work in flight completes, and
/// buffers at home on it live on (see [`Buffer::attach`](crate::Buffer::attach)).
pub struct Stream {
    pub(crate) home: Arc<Home>,
    /// "A stream by one thread at a time."
    not_sync: PhantomData<Cell<()>>,
}

/// How a stream is to be: see [`Context::stream_with`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use = "it says how a stream is to be, and makes none"]
pub struct StreamOptions {
    priority: i32,
    resident: bool,
}

impl StreamOptions {
    /// As [`Context::stream`] makes it.
    pub fn new() -> StreamOptions {
        StreamOptions::default()
    }

    /// A hint; lower is more urgent, as in CUDA. The CPU ignores it.
    pub fn priority(self, priority: i32) -> StreamOptions {
        StreamOptions { priority, ..self }
    }

    /// Whether small ops are posted to a kernel that is already there, in place of being launched: for many small ops one after the
    /// other, whose results the host waits for. On a GPU it costs a block's place on one multiprocessor, on the CPU a thread that spins.
    pub fn resident(self, resident: bool) -> StreamOptions {
        StreamOptions { resident, ..self }
    }
}

impl Stream {
    pub(crate) fn create(context: &Context, options: StreamOptions) -> Result<Stream> {
        enter()?;
        let kind = if options.resident { sys::WPRIM_STREAM_RESIDENT } else { sys::WPRIM_STREAM_LAUNCHED };
        let desc = sys::wprim_stream_desc { priority: options.priority, kind, ..sys::WPRIM_STREAM_DESC_INIT };
        let mut raw = null_mut();
        // SAFETY: the context is alive; desc and raw live through the call.
        check(unsafe { sys::wprim_stream_create(context.as_raw(), &desc, &mut raw) })?;
        Ok(Stream::own(context, raw))
    }

    /// # Safety
    /// As [`Context::wrap_stream`].
    pub(crate) unsafe fn wrap(context: &Context, native: *mut c_void) -> Result<Stream> {
        enter()?;
        let mut raw = null_mut();
        // SAFETY: the context is alive, and raw lives through the call; the rest is the caller's promise.
        check(unsafe { sys::wprim_stream_wrap(context.as_raw(), native, &mut raw) })?;
        Ok(Stream::own(context, raw))
    }

    fn own(context: &Context, raw: *mut sys::wprim_stream) -> Stream {
        let raw = NonNull::new(raw).expect("a successful call gives an object");
        Stream { home: Home::new(Handle { raw, context: context.clone() }), not_sync: PhantomData }
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        self.home.context()
    }

    /// Stands at the top of every call on the stream.
    #[inline]
    pub(crate) fn enter(&self) -> Result<*mut sys::wprim_stream> {
        enter()?;
        self.home.free_dropped();
        Ok(self.home.raw())
    }

    /// Waits until all work enqueued so far is done, and reports the first late error since the last report.
    pub fn synchronize(&self) -> Result<()> {
        self.enter()?;
        self.home.synchronize().1
    }

    /// Whether all work enqueued so far is done. Reports a late error as [`synchronize`](Stream::synchronize) does.
    pub fn is_idle(&self) -> Result<bool> {
        let raw = self.enter()?;
        // SAFETY: the handle is alive, and no other thread uses it.
        ready(unsafe { sys::wprim_stream_query(raw) })
    }

    /// Work enqueued from now on runs after the point that `event` recorded last. Nothing if it never recorded.
    pub fn wait(&self, event: &Event) -> Result<()> {
        let raw = self.enter()?;
        // SAFETY: as in is_idle, for both.
        check(unsafe { sys::wprim_stream_wait(raw, event.as_raw()) })
    }

    /// Enqueues a call of `f`, on a thread of the library; the stream waits for it to return. A failure or a panic becomes a late
    /// error, [`Status::Callback`]. Calls of warpprim inside it fail.
    pub fn call<F>(&self, f: F) -> Result<()>
    where
        F: FnOnce() -> Result<(), Status> + Send + 'static,
    {
        // SAFETY: what f holds lives as long as it.
        unsafe { self.enqueue_call(f) }
    }

    /// # Safety
    /// What `f` borrows outlives the call, which runs once the stream comes to it.
    pub(crate) unsafe fn enqueue_call<F>(&self, f: F) -> Result<()>
    where
        F: FnOnce() -> Result<(), Status> + Send,
    {
        unsafe extern "C" fn run<F: FnOnce() -> Result<(), Status>>(user: *mut c_void) -> sys::wprim_status {
            // SAFETY: of Box::into_raw below, and the library calls once.
            let f = unsafe { Box::from_raw(user.cast::<F>()) };
            answer(callback(f))
        }
        let raw = self.enter()?;
        let user = Box::into_raw(Box::new(f));
        // SAFETY: run takes the box over, once.
        let result = check(unsafe { sys::wprim_stream_call(raw, Some(run::<F>), user.cast()) });
        if result.is_err() {
            // SAFETY: nothing was enqueued, so it is still ours.
            drop(unsafe { Box::from_raw(user) });
        }
        result
    }

    /// Waits for work that uses what the caller borrowed. Only returns when none is left.
    pub(crate) fn wait_for_borrows(&self) -> Result<()> {
        let (idle, result) = self.home.synchronize();
        if !idle {
            // Work may still write where this would let the caller write too; there is no way to go on.
            eprintln!("warpprim: cannot wait for work on borrowed memory: {:?}", result);
            std::process::abort();
        }
        result
    }

    /// The handle in C. It stays this object's.
    pub fn as_raw(&self) -> *mut sys::wprim_stream {
        self.home.raw()
    }

    /// Takes a handle of C over.
    ///
    /// # Safety
    ///
    /// `raw` is a live stream of `context` that nobody else uses or destroys. If it is a borrowed one, as for
    /// [`Context::wrap_stream`].
    pub unsafe fn from_raw(context: &Context, raw: *mut sys::wprim_stream) -> Stream {
        Stream::own(context, raw)
    }
}

/// What a callback of the user tells the library.
fn answer(result: Option<Result<(), Status>>) -> sys::wprim_status {
    match result {
        Some(Ok(())) => sys::WPRIM_OK,
        Some(Err(status)) => status as sys::wprim_status,
        None => sys::WPRIM_ERROR_CALLBACK,
    }
}

/// The callback of a graph.
///
/// # Safety
/// `user` is an `F`, which lives through the call and is used by nothing else.
pub(crate) unsafe extern "C" fn run_often<F>(user: *mut c_void) -> sys::wprim_status
where
    F: FnMut() -> Result<(), Status>,
{
    // SAFETY: the caller's promise.
    answer(callback(|| unsafe { (*user.cast::<F>())() }))
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.home.leave();
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({})", self.home)
    }
}
