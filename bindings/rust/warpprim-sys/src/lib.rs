//! The C interface of [warpprim], as bindgen reads it from `warpprim.h`: functions, types and constants under their C names.
//! The header is the manual. The crate `warpprim` is the safe way to use it.
//!
//! The build script links `libwarpprim.so`: that of `WARPPRIM_DIR` if it is set, else the one that pkg-config finds, else one
//! that it builds with CMake from the source in this crate, with the CUDA backend if the feature `cuda` is on.
//!
//! ```
//! use warpprim_sys::*;
//!
//! let x = [0.5f32; 1000];
//! let mut sum = 0f32;
//! unsafe {
//!     let (mut ctx, mut stream) = (std::ptr::null_mut(), std::ptr::null_mut());
//!     assert_eq!(wprim_context_create(WPRIM_CPU, 0, &mut ctx), WPRIM_OK);
//!     assert_eq!(wprim_stream_create(ctx, std::ptr::null(), &mut stream), WPRIM_OK);
//!     let (input, output) = (x.as_ptr().cast(), (&mut sum as *mut f32).cast());
//!     assert_eq!(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, input, 1000, output), WPRIM_OK);
//!     assert_eq!(wprim_stream_synchronize(stream), WPRIM_OK);
//!     wprim_stream_destroy(stream);
//!     wprim_context_destroy(ctx);
//! }
//! assert_eq!(sum, 500.0);
//! ```
//!
//! [warpprim]: https://crates.io/crates/warpprim

#[rustfmt::skip]
mod bindings;
pub use bindings::*;

use std::mem::size_of;
use std::ptr::{null, null_mut};

// The header's _INIT macros, which bindgen does not see.

/// What a `wprim_context_info_desc` starts from.
pub const WPRIM_CONTEXT_INFO_DESC_INIT: wprim_context_info_desc = wprim_context_info_desc {
    struct_size: size_of::<wprim_context_info_desc>() as u32,
    kind: WPRIM_CPU,
    ordinal: 0,
    parallelism: 0,
    memory: 0,
    name: [0; 128],
    detail: [0; 128],
};

/// What a `wprim_stream_desc` starts from.
pub const WPRIM_STREAM_DESC_INIT: wprim_stream_desc =
    wprim_stream_desc { struct_size: size_of::<wprim_stream_desc>() as u32, priority: 0, kind: WPRIM_STREAM_LAUNCHED };

/// What a `wprim_reduce_desc` starts from.
pub const WPRIM_REDUCE_DESC_INIT: wprim_reduce_desc = wprim_reduce_desc {
    struct_size: size_of::<wprim_reduce_desc>() as u32,
    op: WPRIM_SUM,
    dtype: WPRIM_F32,
    out_dtype: WPRIM_DTYPE_DEFAULT,
    in_: null(),
    out: null_mut(),
    rows: 1,
    cols: 0,
    row_stride: 0,
    nan: WPRIM_NAN_PROPAGATE,
    ddof: 0,
    n_on_device: null(),
};
