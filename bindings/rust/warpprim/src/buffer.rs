use std::ffi::c_void;
use std::fmt;
use std::mem::size_of;
use std::ptr::{null_mut, NonNull};
use std::slice;
use std::sync::Arc;

use warpprim_sys as sys;

use crate::enter::enter;
use crate::error::{check, invalid, Error, Result, Status};
use crate::event::OwnedEvent;
use crate::home::{Home, Place};
use crate::operand::{Input, Owner};
use crate::{Device, Element, Stream, View, ViewMut};

/// Memory of a device, at home on one stream: only work of that stream uses it, in the stream's order. Every element of it is
/// always initialised.
///
/// Dropping it frees the memory once the work enqueued before is done. It can be dropped, or sent, on any thread at any time.
pub struct Buffer<T: Element> {
    ptr: NonNull<T>, // dangling if there is no element
    len: usize,
    place: Place,
    home: Arc<Home>,
    detached: Option<OwnedEvent>, // the end of the work on `home` that uses it
}

// SAFETY: it owns its elements as a Vec does, and what it shares with the stream is made for that.
unsafe impl<T: Element> Send for Buffer<T> {}
unsafe impl<T: Element> Sync for Buffer<T> {}

impl<T: Element> Buffer<T> {
    /// Memory that is not initialised yet.
    fn allocate(stream: &Stream, len: usize, place: Place) -> Result<Buffer<T>> {
        let raw = stream.enter()?;
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| too_long::<T>(len))? as u64;
        let mut ptr = null_mut();
        // SAFETY: the stream and its context are alive, and ptr lives through the call.
        check(match place {
            Place::Device => unsafe { sys::wprim_malloc(raw, bytes, &mut ptr) },
            Place::Pinned => unsafe { sys::wprim_malloc_host(stream.context().as_raw(), bytes, &mut ptr) },
        })?;
        let ptr = NonNull::new(ptr.cast()).unwrap_or(NonNull::dangling());
        Ok(Buffer { ptr, len, place, home: stream.home.clone(), detached: None })
    }

    /// Elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn owner(&self) -> Owner<'_> {
        match self.detached {
            None => Owner::Stream(&self.home),
            Some(_) => Owner::Detached,
        }
    }

    /// All of it, or a part, to be read.
    ///
    /// # Panics
    ///
    /// If the range is not inside, as for slices.
    pub fn view(&self, range: impl std::ops::RangeBounds<usize>) -> View<'_, T> {
        View::new(self.ptr, self.len, self.owner()).part(range)
    }

    /// All of it, or a part, to be read and written.
    ///
    /// # Panics
    ///
    /// If the range is not inside, as for slices.
    pub fn view_mut(&mut self, range: impl std::ops::RangeBounds<usize>) -> ViewMut<'_, T> {
        ViewMut::new(self.ptr, self.len, self.owner()).part(range)
    }

    /// Leaves its stream: after the work enqueued so far it may be attached to another one, also on another thread.
    ///
    /// Fails if `from` is not its stream.
    ///
    /// ```
    /// # fn main() -> warpprim::Result<()> {
    /// use warpprim::{Context, Op, Reduce};
    ///
    /// let context = Context::cpu()?;
    /// let (producer, consumer) = (context.stream()?, context.stream()?);
    /// let mut x = producer.zeros::<i32>(1000)?;
    /// producer.fill(&mut x, 7)?;
    /// x.detach(&producer)?; // after the fill,
    /// let sums = std::thread::spawn(move || {
    ///     x.attach(&consumer)?; // and before the sum, which nothing on the host waits for
    ///     let mut sum = consumer.zeros::<i64>(1)?;
    ///     Reduce::new(Op::Sum).enqueue(&consumer, &x, &mut sum)?;
    ///     sum.to_vec(&consumer)
    /// });
    /// assert_eq!(sums.join().unwrap()?, [7000]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn detach(&mut self, from: &Stream) -> Result<()> {
        let raw = from.enter()?;
        self.operand().check("the buffer", from)?;
        let end = OwnedEvent::create(from.context())?;
        // SAFETY: both handles are alive and used by this thread alone.
        check(unsafe { sys::wprim_event_record(end.as_raw(), raw) })?;
        self.detached = Some(end);
        Ok(())
    }

    /// Makes `to` its stream: work enqueued there from now on runs after the work of the stream that it was detached from.
    ///
    /// Fails if it is still at home on another stream, or of another context. A buffer whose stream was dropped need not be detached.
    pub fn attach(&mut self, to: &Stream) -> Result<()> {
        let raw = to.enter()?;
        if self.home.context() != to.context() {
            return Err(invalid(format!("the buffer is of another context ({}) than {}", self.home, to.home)));
        }
        if self.detached.is_none() {
            self.detached = self.home.end_of_orphan()?;
        }
        if let Some(end) = &self.detached {
            // SAFETY: both handles are alive and used by this thread alone.
            check(unsafe { sys::wprim_stream_wait(raw, end.as_raw()) })?;
            self.home = to.home.clone();
            self.detached = None;
        }
        self.operand().check("the buffer", to)
    }

    /// Waits for the work enqueued so far, then copies all elements from `from`, and waits for that.
    ///
    /// Fails if the lengths differ.
    pub fn write(&mut self, stream: &Stream, from: &[T]) -> Result<()> {
        self.view_mut(..).write(stream, from)
    }

    /// Waits for the work enqueued so far, then copies all elements into `to`, and waits for that.
    ///
    /// Fails if the lengths differ.
    pub fn read(&self, stream: &Stream, to: &mut [T]) -> Result<()> {
        self.view(..).read(stream, to)
    }

    /// Waits for the work enqueued so far, and returns a copy of all elements.
    pub fn to_vec(&self, stream: &Stream) -> Result<Vec<T>> {
        // SAFETY: all bits zero is a value of every Element.
        let mut elements = vec![unsafe { std::mem::zeroed() }; self.len];
        self.read(stream, &mut elements)?;
        Ok(elements)
    }

    /// Waits for the work enqueued so far, and gives the elements without a copy: memory of the CPU, or pinned.
    pub fn host(&self, stream: &Stream) -> Result<&[T]> {
        self.wait_for_host(stream)?;
        // SAFETY: host memory, initialised, of which no work is left that writes, nor can any be enqueued while it is borrowed.
        Ok(unsafe { slice::from_raw_parts(self.ptr.as_ptr(), self.len) })
    }

    /// Waits for the work enqueued so far, and gives the elements to be changed: memory of the CPU, or pinned.
    pub fn host_mut(&mut self, stream: &Stream) -> Result<&mut [T]> {
        self.wait_for_host(stream)?;
        // SAFETY: host memory, initialised, of which no work is left, nor can any be enqueued while it is borrowed.
        Ok(unsafe { slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) })
    }

    fn wait_for_host(&self, stream: &Stream) -> Result<()> {
        stream.enter()?;
        self.check_host(stream)?;
        stream.synchronize()
    }

    fn check_host(&self, stream: &Stream) -> Result<()> {
        self.operand().check("the buffer", stream)?;
        if self.place == Place::Device && stream.context().device() != Device::Cpu {
            let text = format!("the buffer is memory of {}, which the host does not reach: read it", self.home);
            return Err(Error::new(Status::Unsupported, text));
        }
        Ok(())
    }

    /// The address on the device, for `unsafe` code.
    pub fn as_ptr(&self) -> *const T {
        self.ptr.as_ptr()
    }

    /// The address on the device, for `unsafe` code.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.ptr.as_ptr()
    }
}

impl Stream {
    /// Memory of the device with `len` zeros.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let mut buffer = Buffer::<T>::allocate(self, len, Place::Device)?;
        let zero = [0u8; 16];
        // SAFETY: as fill; zero is as large as any element.
        let (raw, ptr) = (self.enter()?, buffer.as_mut_ptr().cast());
        check(unsafe { sys::wprim_fill(raw, T::DTYPE as u32, ptr, len as u64, zero.as_ptr().cast()) })?;
        Ok(buffer)
    }

    /// Memory of the device with a copy of `elements`. Waits for the copy.
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<Buffer<T>> {
        let mut buffer = Buffer::allocate(self, elements.len(), Place::Device)?;
        buffer.write(self, elements)?;
        Ok(buffer)
    }

    /// Memory of the host with `len` zeros that the device reads and writes directly: results get there without a copy.
    ///
    /// When it is dropped, it is freed the next time that its stream is waited for; if the stream was dropped before, the last of its
    /// buffers waits.
    pub fn pinned_zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let mut buffer = Buffer::<T>::allocate(self, len, Place::Pinned)?;
        // SAFETY: new memory of the host, which no work knows; all bits zero is a value of every Element.
        unsafe { std::ptr::write_bytes(buffer.as_mut_ptr(), 0, len) };
        Ok(buffer)
    }

    /// Enqueues a call of `f` with the elements of a buffer: memory of the CPU, or pinned. It runs in the order of the stream, on a
    /// thread of the library; for the rest see [`Stream::call`].
    ///
    /// ```
    /// # fn main() -> warpprim::Result<()> {
    /// let stream = warpprim::Context::cpu()?.stream()?;
    /// let mut x = stream.zeros::<i32>(3)?;
    /// stream.fill(&mut x, 5)?;
    /// stream.call_with(&mut x, |x| {
    ///     x[1] *= 2;
    ///     Ok(())
    /// })?;
    /// assert_eq!(x.host(&stream)?, [5, 10, 5]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn call_with<T, F>(&self, buffer: &mut Buffer<T>, f: F) -> Result<()>
    where
        T: Element,
        F: FnOnce(&mut [T]) -> Result<(), Status> + Send + 'static,
    {
        enter()?;
        buffer.check_host(self)?;
        let (address, len) = (buffer.ptr.as_ptr() as usize, buffer.len);
        // SAFETY: in the order of the stream nothing else uses the elements while f runs, and they are freed after it: by the
        // stream, or once it is idle.
        unsafe { self.enqueue_call(move || f(slice::from_raw_parts_mut(address as *mut T, len))) }
    }
}

impl<T: Element> Drop for Buffer<T> {
    fn drop(&mut self) {
        if self.len > 0 {
            self.home.bury(self.ptr.as_ptr().cast::<c_void>(), self.place);
        }
    }
}

impl<T: Element> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} of {:?}, {:?}, ", self.len, T::DTYPE, self.place)?;
        match self.detached {
            None => write!(f, "{})", self.home),
            Some(_) => f.write_str("detached)"),
        }
    }
}

#[cold]
fn too_long<T>(len: usize) -> Error {
    invalid(format!("{len} elements of {} bytes exceed the address space", size_of::<T>()))
}
