use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::ptr::NonNull;

use crate::operand::{Operand, Owner};
use crate::{DeviceInput, Element, Result, Stream};

/// A part of a [`Buffer`](crate::Buffer), to be read by work of its stream.
#[derive(Clone, Copy)]
pub struct View<'a, T: Element> {
    ptr: NonNull<T>,
    len: usize,
    owner: Owner<'a>,
    elements: PhantomData<&'a [T]>,
}

/// A part of a [`Buffer`](crate::Buffer), to be read and written by work of its stream.
pub struct ViewMut<'a, T: Element> {
    ptr: NonNull<T>,
    len: usize,
    owner: Owner<'a>,
    elements: PhantomData<&'a mut [T]>,
}

// SAFETY: like slices, they lend elements, and only to who has the stream.
unsafe impl<T: Element> Send for View<'_, T> {}
unsafe impl<T: Element> Sync for View<'_, T> {}
unsafe impl<T: Element> Send for ViewMut<'_, T> {}
unsafe impl<T: Element> Sync for ViewMut<'_, T> {}

/// The first element of a range and its length; panics as a slice would.
fn bounds(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "range {start}..{end} is not inside {len} elements");
    (start, end - start)
}

macro_rules! common {
    ($view:ident) => {
        pub(crate) fn new(ptr: NonNull<T>, len: usize, owner: Owner<'a>) -> Self {
            $view { ptr, len, owner, elements: PhantomData }
        }

        /// Foreign memory of the stream's device: `len` elements from `ptr` on, aligned to their size.
        ///
        /// # Safety
        ///
        /// The elements are there and initialised until the work that is enqueued with them is done. Nothing else writes them
        /// meanwhile, nor reads them if the work writes.
        pub unsafe fn from_raw(stream: &'a Stream, ptr: *mut T, len: usize) -> Self {
            $view::new(NonNull::new(ptr).unwrap_or(NonNull::dangling()), len, Owner::Stream(&stream.home))
        }

        /// Elements.
        pub fn len(&self) -> usize {
            self.len
        }

        /// Whether there is no element.
        pub fn is_empty(&self) -> bool {
            self.len == 0
        }

        /// A part of it.
        ///
        /// # Panics
        ///
        /// If the range is not inside, as for slices.
        pub fn part(self, range: impl RangeBounds<usize>) -> Self {
            let (start, len) = bounds(range, self.len);
            // SAFETY: inside, or at the end.
            let ptr = unsafe { NonNull::new_unchecked(self.ptr.as_ptr().add(start)) };
            $view { ptr, len, ..self }
        }

        /// Two parts: the elements before `middle`, and the others.
        ///
        /// # Panics
        ///
        /// If `middle` is beyond the end.
        pub fn split_at(self, middle: usize) -> (Self, Self) {
            let (ptr, len, owner) = (self.ptr, self.len, self.owner);
            ($view::new(ptr, len, owner).part(..middle), $view::new(ptr, len, owner).part(middle..))
        }

        /// Waits for the work enqueued so far, then copies all elements into `to`, and waits for that.
        ///
        /// Fails if the lengths differ.
        pub fn read(&self, stream: &Stream, to: &mut [T]) -> Result<()> {
            stream.copy_and_wait(self, to)
        }

        pub(crate) fn owner(&self) -> Owner<'a> {
            self.owner
        }

        /// The address on the device, for `unsafe` code.
        pub fn as_ptr(&self) -> *const T {
            self.ptr.as_ptr()
        }
    };
}

impl<'a, T: Element> View<'a, T> {
    common!(View);

    pub(crate) fn of<I: DeviceInput<Element = T>>(memory: &'a I) -> View<'a, T> {
        let Operand { ptr, len, owner } = memory.operand();
        View::new(NonNull::new(ptr.cast()).unwrap_or(NonNull::dangling()), len, owner)
    }
}

impl<'a, T: Element> ViewMut<'a, T> {
    common!(ViewMut);

    /// Waits for the work enqueued so far, then copies all elements from `from`, and waits for that.
    ///
    /// Fails if the lengths differ.
    pub fn write(&mut self, stream: &Stream, from: &[T]) -> Result<()> {
        stream.copy_and_wait(from, self)
    }

    /// The address on the device, for `unsafe` code.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.ptr.as_ptr()
    }
}

impl<T: Element> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({} of {:?})", self.len, T::DTYPE)
    }
}

impl<T: Element> fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ViewMut({} of {:?})", self.len, T::DTYPE)
    }
}
