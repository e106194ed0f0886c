use std::mem::size_of;

use warpprim_sys as sys;

use crate::error::{check, invalid, Result};
use crate::operand::Operand;
use crate::{DeviceInput, DeviceOutput, Element, Input, Output, Stream};

impl Stream {
    /// Enqueues a copy of all elements. Fails if the lengths differ.
    pub fn copy<I, O>(&self, from: &I, to: &mut O) -> Result<()>
    where
        I: DeviceInput,
        O: DeviceOutput<Element = I::Element>,
    {
        let (from, to) = (from.operand(), to.operand_mut());
        from.check("from", self)?;
        to.check("to", self)?;
        // SAFETY: both are at home here.
        unsafe { self.enqueue_copy::<I::Element>(from, to) }
    }

    /// Enqueues that every element becomes `value`.
    pub fn fill<O: DeviceOutput>(&self, to: &mut O, value: O::Element) -> Result<()> {
        let to = to.operand_mut();
        to.check("to", self)?;
        // SAFETY: the elements are at home here.
        unsafe { self.enqueue_fill(to, value) }
    }

    /// # Safety
    /// Work of this stream may use the elements, until it is done.
    pub(crate) unsafe fn enqueue_fill<T: Element>(&self, to: Operand<'_>, value: T) -> Result<()> {
        let raw = self.enter()?;
        let (dtype, value) = (T::DTYPE as sys::wprim_dtype, &value as *const T);
        // SAFETY: value lives through the call; the rest is the caller's promise.
        check(unsafe { sys::wprim_fill(raw, dtype, to.ptr, to.len as u64, value.cast()) })
    }

    /// A copy between the device and memory that the caller lends.
    pub(crate) fn copy_and_wait<I, O>(&self, from: &I, to: &mut O) -> Result<()>
    where
        I: Input + ?Sized,
        O: Output<Element = I::Element> + ?Sized,
    {
        // SAFETY: nothing that is borrowed is used once this returns.
        unsafe { self.enqueue_transfer(from, to)? };
        self.wait_for_borrows()
    }

    /// # Safety
    /// What is borrowed stays so until the copy is done.
    pub(crate) unsafe fn enqueue_transfer<I, O>(&self, from: &I, to: &mut O) -> Result<()>
    where
        I: Input + ?Sized,
        O: Output<Element = I::Element> + ?Sized,
    {
        let (from, to) = (from.operand(), to.operand_mut());
        from.check_copy("from", self)?;
        to.check_copy("to", self)?;
        // SAFETY: the caller's promise, for what is borrowed; the rest is at home here.
        unsafe { self.enqueue_copy::<I::Element>(from, to) }
    }

    /// # Safety
    /// Work of this stream may use both, until it is done.
    pub(crate) unsafe fn enqueue_copy<T: Element>(&self, from: Operand<'_>, to: Operand<'_>) -> Result<()> {
        let raw = self.enter()?;
        if from.len != to.len {
            return Err(invalid(format!("copy: from has {} elements, to has {}", from.len, to.len)));
        }
        // SAFETY: the caller's promise.
        check(unsafe { sys::wprim_copy(raw, to.ptr, from.ptr, (from.len * size_of::<T>()) as u64) })
    }
}
