//! Parallel primitives for the GPU and the CPU, with the same bits everywhere: the safe interface of the C library warpprim.
//!
//! ```
//! use warpprim::{Context, Op, Reduce};
//!
//! # fn main() -> warpprim::Result<()> {
//! let x = [1f32, 7.0, 2.0, 0.0, 5.0, 5.0, 4.0, 3.0, -1.0, -2.0, -3.0, -4.0];
//! let (mut sum, mut mean, mut best) = (0f32, [0f32; 3], [0i64; 3]);
//!
//! let stream = Context::cpu()?.stream()?; // a device, and an ordered queue of work on it
//! Reduce::new(Op::Sum).run(&stream, &x, &mut sum)?; // the whole array
//! Reduce::new(Op::Mean).rows(3).run(&stream, &x, &mut mean)?; // each row
//! Reduce::new(Op::ArgMax).rows(3).run(&stream, &x, &mut best)?;
//!
//! assert_eq!((sum, mean, best), (17.0, [2.5, 4.25, -2.5], [1, 0, 0]));
//! # Ok(())
//! # }
//! ```
//!
//! On a GPU, or to enqueue work without waiting, memory is a [`Buffer`]:
//!
//! ```
//! use warpprim::{Context, Device, Op, Reduce};
//!
//! # fn main() -> warpprim::Result<()> {
//! let device = if Device::cuda_count()? > 0 { Device::Cuda(0) } else { Device::Cpu };
//! let stream = Context::open(device)?.stream()?;
//! let x = stream.upload(&vec![0.5f32; 1 << 20])?;
//! let mut sum = stream.zeros::<f32>(1)?;
//! Reduce::new(Op::Sum).enqueue(&stream, &x, &mut sum)?; // returns before it is done
//! drop(x); // freed once the work is done
//! assert_eq!(sum.to_vec(&stream)?, [524288.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Four ways to run an op
//!
//! Called, as above. Prepared once and launched often: a [`Plan`]. As one of many that are launched together: a [`Graph`], which
//! [`Context::record`] makes. Posted to a kernel that is already there: on a stream made with [`StreamOptions::resident`]. The results
//! have the same bits.
//!
//! # How it is safe
//!
//! Calls enqueue, and the work runs later, on other threads or another device. A borrow that ends when the call returns protects
//! nothing then, and a guard that waits when it is dropped can be forgotten. So:
//!
//! 1. **A [`Buffer`] is at home on one stream.** Only work of that stream uses it, and a stream does its work in order. So no two pieces of
//!    work race for it, and dropping it is safe at any time: the memory is freed in the order of the stream, after the work that uses it.
//!    A call on another stream is refused with an error. To change streams there is [`Buffer::detach`] and [`Buffer::attach`], which
//!    put an event between the work before and the work after. What is not offered: two streams reading one buffer at the same time.
//! 2. **The host sees a buffer when its stream is idle, or in its turn.** [`Buffer::read`], [`write`](Buffer::write),
//!    [`host`](Buffer::host) wait first. The slice that `host` gives borrows the buffer, so nothing that writes can be enqueued
//!    meanwhile. [`Stream::call_with`] runs a function with the elements in the order of the stream. Every element is always
//!    initialised, so what a failure leaves behind is old, not undefined.
//! 3. **Borrowed memory is used inside calls that wait**: [`Reduce::run`], or inside [`Stream::scope`], which like
//!    [`std::thread::scope`] runs a closure and waits before it returns or goes on with a panic, so that there is no guard to forget.
//! 4. **Plans and graphs look at their memory when they are launched.** A [`Plan`] holds none: each launch is given its memory, as a call
//!    is. A [`Graph`] holds what its nodes use, as owner or for a borrow, and lends it out by [`Key`]s; nobody has such a loan during a
//!    launch. What lies elsewhere than at the last launch is rebound, and what is not at home on the stream, or is not as long as it was,
//!    is refused. So no launch uses memory that is not there any more. What is not offered: nodes of a graph beside each other (all
//!    run in the order of the calls), and callbacks in a graph that get elements.
//! 5. **A [`Stream`] may be dropped with work in flight and with buffers at home on it.** The work completes, and its buffers can be
//!    attached to another stream. A [`Context`] lives as long as anything that was made from it.
//! 6. **Threads**, as in C: [`Context`] is `Send` and `Sync`; [`Stream`] and [`Event`] are `Send` alone, one thread at a time. A
//!    [`Buffer`] is both, as what can be done with it needs its stream; so are [`Plan`] and [`Graph`], whose launches need them mutable.
//! 7. **Host callbacks** must not call the library: a call inside one fails with an error. What is dropped inside one is given back by
//!    the next call outside. A panic in one ends there, as a late error of the stream.
//!
//! What is wrong for the types does not compile; what is wrong for the values is an [`Error`] that says what was given.
//!
//! # Other memory, other streams
//!
//! [`View::from_raw`] and [`ViewMut::from_raw`] take foreign memory, [`Context::wrap_stream`] a `cudaStream_t`; `as_raw` and `as_ptr` give
//! the handles and addresses of this crate away. They are `unsafe`, or of use to `unsafe` code only. [`sys`] is the C interface.
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]

mod buffer;
mod context;
mod copy;
mod describe;
mod dtype;
mod enter;
mod error;
mod event;
mod graph;
mod home;
mod log;
mod operand;
mod plan;
mod record;
mod reduce;
mod scope;
mod stream;
mod view;

pub use buffer::Buffer;
pub use context::{Context, Device, Info};
pub use describe::Format;
pub use dtype::{DType, Element};
pub use error::{Error, Result, Status};
pub use event::Event;
pub use graph::Graph;
pub use log::{set_log, LogFn, LogLevel};
pub use operand::{DeviceInput, DeviceOutput, Input, Output};
pub use plan::Plan;
pub use record::{Key, Recorder, Value};
pub use reduce::{Nan, Op, Reduce};
pub use scope::Scope;
pub use stream::{Stream, StreamOptions};
pub use view::{View, ViewMut};
pub use warpprim_sys as sys;

/// The version of the library that is loaded: 10000 * major + 100 * minor + patch.
pub fn version() -> u32 {
    // SAFETY: it takes nothing.
    unsafe { sys::wprim_version() }
}

/// One line on how the library was built: version, backends, compiler.
pub fn build_info() -> &'static str {
    // SAFETY: static memory, never NULL.
    let text = unsafe { std::ffi::CStr::from_ptr(sys::wprim_build_info()) };
    text.to_str().unwrap_or("")
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
