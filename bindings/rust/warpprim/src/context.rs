use std::ffi::c_void;
use std::fmt;
use std::os::raw::c_char;
use std::ptr::{null_mut, NonNull};
use std::sync::Arc;

use warpprim_sys as sys;

use crate::enter::{dispose, enter};
use crate::error::check;
use crate::{Event, Result, Stream, StreamOptions};

/// Which device: the CPU, or a GPU by CUDA's ordinal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Device {
    Cpu,
    Cuda(u32),
}

impl Device {
    /// How many GPUs there are; 0 where there is no GPU, no driver, or no CUDA in the build.
    pub fn cuda_count() -> Result<u32> {
        enter()?;
        let mut count = 0;
        // SAFETY: count lives through the call.
        check(unsafe { sys::wprim_device_count(sys::WPRIM_CUDA, &mut count) })?;
        Ok(count as u32)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => f.write_str("the CPU"),
            Device::Cuda(ordinal) => write!(f, "GPU {ordinal}"),
        }
    }
}

/// What there is to know about a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// Threads that an op may use, or multiprocessors.
    pub parallelism: u32,
    /// Bytes of memory of the device.
    pub memory: u64,
    /// The processor or the GPU.
    pub name: String,
    /// What was chosen for it: instruction set, or compute capability.
    pub detail: String,
}

/// A device with its memory; everything else belongs to one. Clones are the same context, which lives as long as anything of it.
#[derive(Clone)]
pub struct Context(pub(crate) Arc<ContextShared>);

pub(crate) struct ContextShared {
    raw: NonNull<sys::wprim_context>,
    pub(crate) device: Device,
}

// SAFETY: "A context may be used by many threads at once."
unsafe impl Send for ContextShared {}
unsafe impl Sync for ContextShared {}

impl Drop for ContextShared {
    fn drop(&mut self) {
        let raw = self.raw.as_ptr() as usize;
        // SAFETY: the handle was owned by this object alone.
        dispose(move || unsafe {
            sys::wprim_context_destroy(raw as *mut _);
        });
    }
}

impl Context {
    /// Opens a device.
    pub fn open(device: Device) -> Result<Context> {
        enter()?;
        let (kind, ordinal) = match device {
            Device::Cpu => (sys::WPRIM_CPU, 0),
            // An ordinal that C cannot say is one that no machine has, and -1 says that.
            Device::Cuda(ordinal) => (sys::WPRIM_CUDA, i32::try_from(ordinal).unwrap_or(-1)),
        };
        let mut raw = null_mut();
        // SAFETY: raw lives through the call.
        check(unsafe { sys::wprim_context_create(kind, ordinal, &mut raw) })?;
        Ok(Context::own(raw, device))
    }

    /// Opens the CPU, which is always there.
    pub fn cpu() -> Result<Context> {
        Context::open(Device::Cpu)
    }

    /// Opens a GPU.
    pub fn cuda(ordinal: u32) -> Result<Context> {
        Context::open(Device::Cuda(ordinal))
    }

    fn own(raw: *mut sys::wprim_context, device: Device) -> Context {
        let raw = NonNull::new(raw).expect("a successful call gives an object");
        Context(Arc::new(ContextShared { raw, device }))
    }

    /// The device that was opened.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// Describes the device.
    pub fn info(&self) -> Result<Info> {
        enter()?;
        let desc = describe(self.as_raw())?;
        Ok(Info {
            parallelism: desc.parallelism as u32,
            memory: desc.memory,
            name: text(&desc.name),
            detail: text(&desc.detail),
        })
    }

    /// Creates a stream.
    pub fn stream(&self) -> Result<Stream> {
        Stream::create(self, StreamOptions::new())
    }

    /// Creates a stream that is not like others.
    ///
    /// ```
    /// # fn main() -> warpprim::Result<()> {
    /// use warpprim::{Context, Op, Reduce, StreamOptions};
    ///
    /// let stream = Context::cpu()?.stream_with(StreamOptions::new().resident(true))?;
    /// let mut sum = 0f32;
    /// Reduce::new(Op::Sum).run(&stream, &[1f32, 2.0], &mut sum)?;
    /// assert_eq!(sum, 3.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream_with(&self, options: StreamOptions) -> Result<Stream> {
        Stream::create(self, options)
    }

    /// Creates an event that has not recorded.
    pub fn event(&self) -> Result<Event> {
        Event::create(self)
    }

    /// Makes a stream out of one that the program already has: `native` is a `cudaStream_t` of the context's device.
    ///
    /// # Safety
    ///
    /// * `native` is a live stream, and outlives the result, every [`Buffer`](crate::Buffer) at home on it, and the work enqueued.
    /// * No other thread uses it while the result is being used.
    /// * While it is being captured into a CUDA graph: nothing but enqueuing calls on device memory are made on it, no
    ///   [`Stream::call`], and the memory is there whenever the graph is launched.
    pub unsafe fn wrap_stream(&self, native: *mut c_void) -> Result<Stream> {
        // SAFETY: the caller's promise.
        unsafe { Stream::wrap(self, native) }
    }

    /// The handle in C. It stays this object's.
    pub fn as_raw(&self) -> *mut sys::wprim_context {
        self.0.raw.as_ptr()
    }

    /// Takes a handle of C over; it is destroyed with the last of what belongs to it.
    ///
    /// # Safety
    ///
    /// `raw` is a live context that nobody else destroys.
    pub unsafe fn from_raw(raw: *mut sys::wprim_context) -> Result<Context> {
        enter()?;
        let desc = describe(raw)?;
        let device = if desc.kind == sys::WPRIM_CUDA { Device::Cuda(desc.ordinal as u32) } else { Device::Cpu };
        Ok(Context::own(raw, device))
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Context {}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.device()).finish()
    }
}

fn describe(raw: *mut sys::wprim_context) -> Result<sys::wprim_context_info_desc> {
    let mut desc = sys::WPRIM_CONTEXT_INFO_DESC_INIT;
    // SAFETY: desc lives through the call; a handle that is none is told.
    check(unsafe { sys::wprim_context_info(raw, &mut desc) })?;
    Ok(desc)
}

fn text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().map(|&c| c as u8).take_while(|&b| b != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
