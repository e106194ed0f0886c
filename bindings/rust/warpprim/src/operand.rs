//! What a call reads and writes: where it is, how long it is, and who may use it.

use std::ffi::c_void;
use std::sync::Arc;

use crate::dtype::Element;
use crate::error::{invalid, Error, Result};
use crate::home::Home;
use crate::{Buffer, Device, Stream, View, ViewMut};

/// Memory of elements that a call reads: a [`Buffer`] or [`View`], or on the CPU a slice, array or `Vec`. The trait is sealed.
pub trait Input: sealed::Memory {
    /// What it holds.
    type Element: Element;
    #[doc(hidden)]
    fn operand(&self) -> Operand<'_>;
}

/// Memory of elements that a call writes: a [`Buffer`] or [`ViewMut`], or on the CPU a slice, array, `Vec` or one
/// element. The trait is sealed.
pub trait Output: sealed::Memory {
    /// What it holds.
    type Element: Element;
    #[doc(hidden)]
    fn operand_mut(&mut self) -> Operand<'_>;
}

/// An input of a device, which enqueued work may read after the call has returned: a [`Buffer`] or [`View`].
pub trait DeviceInput: Input {}

/// An output of a device, which enqueued work may write after the call has returned: a [`Buffer`] or [`ViewMut`].
pub trait DeviceOutput: Output {}

mod sealed {
    pub trait Memory {}
}

pub struct Operand<'a> {
    pub(crate) ptr: *mut c_void,
    pub(crate) len: usize,
    pub(crate) owner: Owner<'a>,
}

#[derive(Clone, Copy)]
pub(crate) enum Owner<'a> {
    /// The caller, who lends it.
    Caller,
    /// Whoever has this stream.
    Stream(&'a Arc<Home>),
    /// Nobody: it is on its way from one stream to another.
    Detached,
}

impl Operand<'_> {
    /// Whether work on `stream` may use it.
    #[inline]
    pub(crate) fn check(&self, name: &str, stream: &Stream) -> Result<()> {
        match self.owner {
            Owner::Caller if stream.context().device() == Device::Cpu => Ok(()),
            Owner::Stream(home) if Arc::ptr_eq(home, &stream.home) => Ok(()),
            owner => Err(refuse(owner, name, stream)),
        }
    }

    /// Whether a copy on `stream` may use it: every device copies to and from the host.
    pub(crate) fn check_copy(&self, name: &str, stream: &Stream) -> Result<()> {
        match self.owner {
            Owner::Caller => Ok(()),
            _ => self.check(name, stream),
        }
    }
}

/// The memory of a reduce.
pub(crate) struct Memory<'a> {
    pub(crate) input: Operand<'a>,
    pub(crate) output: Operand<'a>,
    pub(crate) count: Option<Operand<'a>>,
}

impl Memory<'_> {
    /// Whether work on `stream` may use it.
    #[inline]
    pub(crate) fn check(&self, stream: &Stream) -> Result<()> {
        self.input.check("input", stream)?;
        self.output.check("output", stream)?;
        self.count.as_ref().map_or(Ok(()), |count| count.check("n_on_device", stream))
    }
}

#[cold]
fn refuse(owner: Owner<'_>, name: &str, stream: &Stream) -> Error {
    let here = &stream.home;
    invalid(match owner {
        Owner::Caller => format!("{name} is memory of the host, which {here} does not reach: upload it to a Buffer"),
        Owner::Stream(home) => {
            format!("{name} is at home on {home}, the call is on {here}: detach it, then attach it here")
        }
        Owner::Detached => format!("{name} is detached, the call is on {here}: attach it first"),
    })
}

macro_rules! host_memory {
    ($([$($generics:tt)*] $memory:ty),* $(,)?) => {$(
        impl<$($generics)*> sealed::Memory for $memory {}
        impl<$($generics)*> Input for $memory {
            type Element = T;
            #[inline]
            fn operand(&self) -> Operand<'_> {
                Operand { ptr: self.as_ptr() as *mut c_void, len: self.len(), owner: Owner::Caller }
            }
        }
        impl<$($generics)*> Output for $memory {
            type Element = T;
            #[inline]
            fn operand_mut(&mut self) -> Operand<'_> {
                Operand { ptr: self.as_mut_ptr().cast(), len: self.len(), owner: Owner::Caller }
            }
        }
    )*};
}
host_memory! {
    [T: Element] [T],
    [T: Element] Vec<T>,
    [T: Element, const N: usize] [T; N],
}

impl<T: Element> sealed::Memory for T {}
impl<T: Element> Output for T {
    type Element = T;
    #[inline]
    fn operand_mut(&mut self) -> Operand<'_> {
        Operand { ptr: (self as *mut T).cast(), len: 1, owner: Owner::Caller }
    }
}

macro_rules! device_memory {
    (read $($memory:ty),*; write $($writable:ty),*) => {
        $(
            impl<T: Element> sealed::Memory for $memory {}
            impl<T: Element> Input for $memory {
                type Element = T;
                #[inline]
                fn operand(&self) -> Operand<'_> {
                    Operand { ptr: self.as_ptr() as *mut c_void, len: self.len(), owner: self.owner() }
                }
            }
            impl<T: Element> DeviceInput for $memory {}
        )*
        $(
            impl<T: Element> Output for $writable {
                type Element = T;
                #[inline]
                fn operand_mut(&mut self) -> Operand<'_> {
                    Operand { ptr: self.as_mut_ptr().cast(), len: self.len(), owner: self.owner() }
                }
            }
            impl<T: Element> DeviceOutput for $writable {}
        )*
    };
}
device_memory! {
    read Buffer<T>, View<'_, T>, ViewMut<'_, T>;
    write Buffer<T>, ViewMut<'_, T>
}
