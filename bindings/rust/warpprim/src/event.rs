use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::{null_mut, NonNull};

use warpprim_sys as sys;

use crate::enter::{dispose, enter};
use crate::error::{check, Result};
use crate::{Context, Stream};

/// A point in a stream: wait for it on the host or on another stream, read the time between two.
///
/// Events order work. Memory is handed from stream to stream by [`Buffer::detach`](crate::Buffer::detach), which orders it too.
pub struct Event {
    owned: OwnedEvent,
    /// "An event by one thread at a time."
    not_sync: PhantomData<Cell<()>>,
}

/// The handle alone, for who keeps it to itself and needs it to be `Sync`.
pub(crate) struct OwnedEvent {
    raw: NonNull<sys::wprim_event>,
    context: Context,
}

// SAFETY: the C interface does not care which thread uses an event; whoever has a shared reference to this one does not use it.
unsafe impl Send for OwnedEvent {}
unsafe impl Sync for OwnedEvent {}

impl OwnedEvent {
    pub(crate) fn create(context: &Context) -> Result<OwnedEvent> {
        let mut raw = null_mut();
        // SAFETY: the context is alive, and raw lives through the call.
        check(unsafe { sys::wprim_event_create(context.as_raw(), &mut raw) })?;
        let raw = NonNull::new(raw).expect("a successful call gives an object");
        Ok(OwnedEvent { raw, context: context.clone() })
    }

    pub(crate) fn as_raw(&self) -> *mut sys::wprim_event {
        self.raw.as_ptr()
    }
}

impl Drop for OwnedEvent {
    fn drop(&mut self) {
        let (raw, context) = (self.as_raw() as usize, self.context.clone());
        // SAFETY: the handle was owned by this object alone.
        dispose(move || unsafe {
            sys::wprim_event_destroy(raw as *mut _);
            drop(context);
        });
    }
}

impl Event {
    pub(crate) fn create(context: &Context) -> Result<Event> {
        enter()?;
        Ok(Event { owned: OwnedEvent::create(context)?, not_sync: PhantomData })
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.owned.context
    }

    /// The event now stands for the end of all work enqueued on the stream so far; what it recorded before is forgotten.
    pub fn record(&self, stream: &Stream) -> Result<()> {
        let stream = stream.enter()?;
        // SAFETY: both handles are alive, and their types keep other threads from them.
        check(unsafe { sys::wprim_event_record(self.as_raw(), stream) })
    }

    /// Waits on the host for the recorded point. Returns at once if nothing was recorded.
    pub fn synchronize(&self) -> Result<()> {
        enter()?;
        // SAFETY: as in record.
        check(unsafe { sys::wprim_event_synchronize(self.as_raw()) })
    }

    /// Whether the recorded point is reached, or nothing was recorded.
    pub fn is_reached(&self) -> Result<bool> {
        enter()?;
        // SAFETY: as in record.
        ready(unsafe { sys::wprim_event_query(self.as_raw()) })
    }

    /// Milliseconds from `start` to this event; `None` while one of them is not reached yet.
    pub fn milliseconds_since(&self, start: &Event) -> Result<Option<f32>> {
        enter()?;
        let mut milliseconds = 0.0;
        // SAFETY: as in record; milliseconds lives through the call.
        let status = unsafe { sys::wprim_event_elapsed(start.as_raw(), self.as_raw(), &mut milliseconds) };
        Ok(ready(status)?.then_some(milliseconds))
    }

    /// The handle in C. It stays this object's.
    pub fn as_raw(&self) -> *mut sys::wprim_event {
        self.owned.as_raw()
    }

    /// Takes a handle of C over.
    ///
    /// # Safety
    ///
    /// `raw` is a live event of `context` that nobody else uses or destroys.
    pub unsafe fn from_raw(context: &Context, raw: *mut sys::wprim_event) -> Event {
        let raw = NonNull::new(raw).expect("an event");
        Event { owned: OwnedEvent { raw, context: context.clone() }, not_sync: PhantomData }
    }
}

/// The answer to a question: yes, not yet, or a failure.
pub(crate) fn ready(status: sys::wprim_status) -> Result<bool> {
    if status == sys::WPRIM_NOT_READY {
        return Ok(false);
    }
    check(status).map(|()| true)
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("context", self.context()).finish_non_exhaustive()
    }
}
