use warpprim_sys as sys;

/// Element types, by their number in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
#[allow(missing_docs)] // the names say it
pub enum DType {
    F32 = sys::WPRIM_F32,
    F64 = sys::WPRIM_F64,
    F16 = sys::WPRIM_F16,
    Bf16 = sys::WPRIM_BF16,
    I8 = sys::WPRIM_I8,
    I16 = sys::WPRIM_I16,
    I32 = sys::WPRIM_I32,
    I64 = sys::WPRIM_I64,
    U8 = sys::WPRIM_U8,
    U16 = sys::WPRIM_U16,
    U32 = sys::WPRIM_U32,
    U64 = sys::WPRIM_U64,
    Bool = sys::WPRIM_BOOL,
}

/// A type of Rust that the library computes with. All bits zero is a value of it.
///
/// The trait is sealed: which types there are is the library's to say.
pub trait Element: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The element type in the library.
    const DTYPE: DType;
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($rust:ty => $dtype:ident),* $(,)?) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const DTYPE: DType = DType::$dtype;
        }
    )*};
}

// The table of types: one line each.
elements! {
    f32 => F32,
    f64 => F64,
    i8 => I8,
    i16 => I16,
    i32 => I32,
    i64 => I64,
    u8 => U8,
    u16 => U16,
    u32 => U32,
    u64 => U64,
    bool => Bool,
}
#[cfg(feature = "half")]
elements! {
    half::f16 => F16,
    half::bf16 => Bf16,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees<T: Element>() {
        // SAFETY: takes any value.
        let size = unsafe { sys::wprim_dtype_size(T::DTYPE as u32) };
        assert_eq!(size, std::mem::size_of::<T>(), "{:?}", T::DTYPE);
    }

    #[test]
    fn sizes_are_those_of_the_library() {
        agrees::<f32>();
        agrees::<f64>();
        agrees::<i8>();
        agrees::<i16>();
        agrees::<i32>();
        agrees::<i64>();
        agrees::<u8>();
        agrees::<u16>();
        agrees::<u32>();
        agrees::<u64>();
        agrees::<bool>();
        #[cfg(feature = "half")]
        agrees::<half::f16>();
        #[cfg(feature = "half")]
        agrees::<half::bf16>();
    }
}
