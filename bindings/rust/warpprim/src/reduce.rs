use std::ptr::null;

use warpprim_sys as sys;

use crate::error::{check, invalid, Error, Result};
use crate::operand::{Memory, Operand};
use crate::{DType, DeviceInput, DeviceOutput, Element, Input, Output, Stream, View};

/// The ops of reduce. What each gives, to the bit, is in `docs/numerics.md`; which output types it has, in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum Op {
    /// Sum.
    Sum = sys::WPRIM_SUM,
    /// Product.
    Prod = sys::WPRIM_PROD,
    /// Smallest value.
    Min = sys::WPRIM_MIN,
    /// Largest value.
    Max = sys::WPRIM_MAX,
    /// Index of the smallest value in its row; the lowest of equals.
    ArgMin = sys::WPRIM_ARGMIN,
    /// Index of the largest value in its row; the lowest of equals.
    ArgMax = sys::WPRIM_ARGMAX,
    /// Two values a row: the smallest, then the largest.
    MinMax = sys::WPRIM_MINMAX,
    /// Bitwise and of integers, logical and of `bool`.
    And = sys::WPRIM_AND,
    /// Bitwise or of integers, logical or of `bool`.
    Or = sys::WPRIM_OR,
    /// Bitwise exclusive or of integers, logical of `bool`.
    Xor = sys::WPRIM_XOR,
    /// Is any value not zero.
    Any = sys::WPRIM_ANY,
    /// Are all values not zero.
    All = sys::WPRIM_ALL,
    /// How many values are not zero.
    CountNonzero = sys::WPRIM_COUNT_NONZERO,
    /// Mean.
    Mean = sys::WPRIM_MEAN,
    /// Variance; see [`Reduce::ddof`].
    Var = sys::WPRIM_VAR,
    /// Standard deviation; see [`Reduce::ddof`].
    Std = sys::WPRIM_STD,
    /// Sum of |x|.
    L1 = sys::WPRIM_L1,
    /// Square root of the sum of squares.
    L2 = sys::WPRIM_L2,
    /// Largest |x|.
    AMax = sys::WPRIM_AMAX,
    /// Logarithm of the sum of exp(x).
    LogSumExp = sys::WPRIM_LOGSUMEXP,
}

/// What a reduce does with NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Nan {
    /// A NaN makes the result NaN; argmin and argmax give the first NaN's index.
    Propagate = sys::WPRIM_NAN_PROPAGATE,
    /// NaNs do not take part.
    Ignore = sys::WPRIM_NAN_IGNORE,
}

/// Many values to one, for a whole array or for each row of a matrix: `wprim_reduce_desc` as a builder.
///
/// The output gets one value a row (minmax: two), and its type says which result is wanted: the header has the table.
///
/// ```
/// # fn main() -> warpprim::Result<()> {
/// use warpprim::{Context, Op, Reduce};
///
/// let stream = Context::cpu()?.stream()?;
/// let x = [1i32, 7, 2, 0, 5, 5, 4, 3];
/// let (mut sum, mut best) = ([0i64], [0i64; 2]);
/// Reduce::new(Op::Sum).run(&stream, &x, &mut sum)?;
/// Reduce::new(Op::ArgMax).rows(2).run(&stream, &x, &mut best)?;
/// assert_eq!((sum, best), ([27], [1, 0]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "it says what to do, and does it when it is run or enqueued"]
pub struct Reduce<'n> {
    op: Op,
    rows: usize,
    cols: Option<usize>,
    row_stride: usize,
    nan: Nan,
    ddof: u32,
    pub(crate) count: Option<View<'n, u64>>,
}

impl<'n> Reduce<'n> {
    /// `op` over a whole array. NaN propagates, `ddof` is 0.
    pub fn new(op: Op) -> Reduce<'n> {
        Reduce { op, rows: 1, cols: None, row_stride: 0, nan: Nan::Propagate, ddof: 0, count: None }
    }

    /// The input is so many rows. If [`cols`](Reduce::cols) does not say how long they are, they share it evenly.
    pub fn rows(self, rows: usize) -> Reduce<'n> {
        Reduce { rows, ..self }
    }

    /// Elements of a row.
    pub fn cols(self, cols: usize) -> Reduce<'n> {
        Reduce { cols: Some(cols), ..self }
    }

    /// Elements from one row to the next: at least [`cols`](Reduce::cols), which must be set too; 0 is the same as cols. The input may
    /// end with the last row or with the gap after it.
    pub fn row_stride(self, row_stride: usize) -> Reduce<'n> {
        Reduce { row_stride, ..self }
    }

    /// What to do with NaN.
    pub fn nan(self, nan: Nan) -> Reduce<'n> {
        Reduce { nan, ..self }
    }

    /// var, std: the divisor is the number of elements less this: 0 for a whole population, 1 for a sample.
    pub fn ddof(self, ddof: u32) -> Reduce<'n> {
        Reduce { ddof, ..self }
    }

    /// The one element of `n` is how many of the input's elements there are, at most all; the op reads it when it runs. So it can
    /// follow an op that finds out. Only where there is one row.
    ///
    /// ```
    /// # fn main() -> warpprim::Result<()> {
    /// use warpprim::{Context, Op, Reduce};
    ///
    /// let stream = Context::cpu()?.stream()?;
    /// let x = stream.upload(&[1f32, 2.0, 4.0, 0.0])?;
    /// let (mut n, mut sum) = (stream.zeros::<u64>(1)?, stream.zeros::<f32>(1)?);
    /// Reduce::new(Op::CountNonzero).enqueue(&stream, &x, &mut n)?;
    /// Reduce::new(Op::Sum).n_on_device(&n).enqueue(&stream, &x, &mut sum)?; // of the first n, and nobody has waited for it
    /// assert_eq!(sum.to_vec(&stream)?, [7.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn n_on_device<N: DeviceInput<Element = u64>>(self, n: &'n N) -> Reduce<'n> {
        Reduce { count: Some(View::of(n)), ..self }
    }

    /// Does it and waits for it. Takes any memory that the device reaches: on the CPU slices too.
    pub fn run<I, O>(self, stream: &Stream, input: &I, output: &mut O) -> Result<()>
    where
        I: Input + ?Sized,
        O: Output + ?Sized,
    {
        // SAFETY: nothing that is borrowed is used once this returns.
        unsafe { self.submit(stream, input, output)? };
        stream.wait_for_borrows()
    }

    /// Enqueues it and returns before it is done. For borrowed memory there is [`Scope::reduce`](crate::Scope::reduce).
    pub fn enqueue<I: DeviceInput, O: DeviceOutput>(self, stream: &Stream, input: &I, output: &mut O) -> Result<()> {
        // SAFETY: what is at home on the stream is there until the stream's work is done.
        unsafe { self.submit(stream, input, output) }
    }

    /// # Safety
    /// Memory that is borrowed stays so until the work is done.
    #[inline]
    pub(crate) unsafe fn submit<I, O>(self, stream: &Stream, input: &I, output: &mut O) -> Result<()>
    where
        I: Input + ?Sized,
        O: Output + ?Sized,
    {
        let (dtypes, memory) = ((I::Element::DTYPE, O::Element::DTYPE), self.memory(input, output));
        // SAFETY: the caller's promise.
        unsafe { self.submit_memory(stream, dtypes, &memory) }
    }

    pub(crate) fn memory<'a, I, O>(&'a self, input: &'a I, output: &'a mut O) -> Memory<'a>
    where
        I: Input + ?Sized,
        O: Output + ?Sized,
    {
        let count = self.count.as_ref().map(Input::operand);
        Memory { input: input.operand(), output: output.operand_mut(), count }
    }

    /// # Safety
    /// As submit; the types are those of the elements.
    unsafe fn submit_memory(&self, stream: &Stream, dtypes: (DType, DType), memory: &Memory<'_>) -> Result<()> {
        let raw = stream.enter()?;
        memory.check(stream)?;
        let desc = self.desc(dtypes, memory)?;
        // SAFETY: input and output are as long as checked, and the caller promises the rest; desc lives through the call.
        check(unsafe { sys::wprim_reduce_ex(raw, &desc) })
    }

    /// What it says in C, once its extents are those of the memory.
    pub(crate) fn desc(&self, dtypes: (DType, DType), memory: &Memory<'_>) -> Result<sys::wprim_reduce_desc> {
        let Memory { input, output, count } = memory;
        let (cols, row_stride) = self.row_length(input.len)?;
        let values = if self.op == Op::MinMax { 2 } else { 1 };
        if self.rows.checked_mul(values) != Some(output.len) {
            return Err(self.wrong_output(output.len, values));
        }
        if let Some(Operand { len, .. }) = count.as_ref().filter(|count| count.len != 1) {
            return Err(invalid(format!("reduce: n_on_device has {len} elements, not 1")));
        }
        Ok(sys::wprim_reduce_desc {
            op: self.op as sys::wprim_op,
            dtype: dtypes.0 as sys::wprim_dtype,
            out_dtype: dtypes.1 as sys::wprim_dtype,
            in_: input.ptr,
            out: output.ptr,
            rows: self.rows as u64,
            cols: cols as u64,
            row_stride: row_stride as u64,
            nan: self.nan as sys::wprim_nan,
            ddof: self.ddof,
            n_on_device: count.as_ref().map_or(null(), |count| count.ptr as *const u64),
            ..sys::WPRIM_REDUCE_DESC_INIT
        })
    }

    /// cols and row_stride of an input of `len` elements, which they fit exactly.
    fn row_length(&self, len: usize) -> Result<(usize, usize)> {
        let cols = match self.cols {
            Some(cols) => cols,
            None if self.rows == 1 => len,
            None if self.rows == 0 && len == 0 => 0,
            None if self.rows > 0 && len % self.rows == 0 && self.row_stride == 0 => len / self.rows,
            None => return Err(self.wrong_input(len)),
        };
        let stride = if self.row_stride == 0 { cols } else { self.row_stride };
        let to_last = self.rows.saturating_sub(1).checked_mul(stride);
        let least = if self.rows == 0 { Some(0) } else { to_last.and_then(|n| n.checked_add(cols)) };
        match (least, self.rows.checked_mul(stride.max(cols))) {
            (Some(least), Some(whole)) if least <= len && len <= whole => Ok((cols, stride)),
            _ => Err(self.wrong_input(len)),
        }
    }

    #[cold]
    fn wrong_input(&self, len: usize) -> Error {
        let cols = self.cols.map_or("not set".into(), |cols| cols.to_string());
        let (rows, stride) = (self.rows, self.row_stride);
        invalid(format!(
            "reduce: input has {len} elements, which do not fit rows = {rows}, cols = {cols}, row_stride = {stride}"
        ))
    }

    #[cold]
    fn wrong_output(&self, len: usize, values: usize) -> Error {
        let (op, rows) = (self.op, self.rows);
        invalid(format!("reduce: output has {len} elements; {op:?} writes {values} for each of {rows} rows"))
    }
}
