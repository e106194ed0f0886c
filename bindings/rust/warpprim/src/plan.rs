use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::{null_mut, NonNull};

use warpprim_sys as sys;

use crate::describe::describe;
use crate::enter::{dispose, enter};
use crate::error::{check, invalid, Error, Result};
use crate::operand::{Memory, Operand};
use crate::{Context, DeviceInput, DeviceOutput, Element, Format, Input, Output, Reduce, Stream, View};

/// One op, checked and prepared once, launched often: a reduce from elements of type `T` to elements of type `U`.
///
/// It holds no memory. Each launch is given the memory of its own, as each call of an op is, with as many elements as that which the
/// plan was made with; the same memory again is the fastest. So what is in flight keeps what it uses, and between launches all of it
/// is the caller's.
///
/// ```
/// # fn main() -> warpprim::Result<()> {
/// use warpprim::{Context, Op, Reduce};
///
/// let context = Context::cpu()?;
/// let stream = context.stream()?;
/// let mut x = stream.zeros::<i32>(1000)?;
/// let mut sum = stream.zeros::<i64>(1)?;
/// let mut plan = Reduce::new(Op::Sum).plan(&context, &x, &mut sum)?;
/// for value in 1..=3 {
///     stream.fill(&mut x, value)?;
///     plan.launch(&stream, &x, &mut sum)?; // returns before it is done
///     assert_eq!(sum.to_vec(&stream)?, [1000 * value as i64]);
/// }
/// let other = stream.upload(&[7i32; 1000])?;
/// plan.launch(&stream, &other, &mut sum)?; // the plan is bound to other memory
/// assert_eq!(sum.to_vec(&stream)?, [7000]);
/// # Ok(())
/// # }
/// ```
pub struct Plan<T: Element, U: Element> {
    raw: NonNull<sys::wprim_plan>,
    context: Context,
    bound: Bound,
    types: PhantomData<fn(T) -> U>,
}

// SAFETY: "A plan may be launched by many threads at once, but not while one rebinds it": both need it mutable here.
unsafe impl<T: Element, U: Element> Send for Plan<T, U> {}
unsafe impl<T: Element, U: Element> Sync for Plan<T, U> {}

/// Where the memory is that the plan uses, and how long. Only compared.
#[derive(Clone, Copy, PartialEq)]
struct Bound {
    input: (*mut c_void, usize),
    output: (*mut c_void, usize),
    count: Option<*mut c_void>,
}

impl Bound {
    fn to(memory: &Memory<'_>) -> Bound {
        let place = |operand: &Operand<'_>| (operand.ptr, operand.len);
        let count = memory.count.as_ref().map(|count| count.ptr);
        Bound { input: place(&memory.input), output: place(&memory.output), count }
    }
}

impl Reduce<'_> {
    /// Prepares it for memory like this, on any stream of the context. Fails as the op would, for all that can be known ahead.
    pub fn plan<I, O>(self, context: &Context, input: &I, output: &mut O) -> Result<Plan<I::Element, O::Element>>
    where
        I: Input + ?Sized,
        O: Output + ?Sized,
    {
        enter()?;
        let memory = self.memory(input, output);
        let desc = self.desc((I::Element::DTYPE, O::Element::DTYPE), &memory)?;
        let mut raw = null_mut();
        // SAFETY: the context is alive; desc and raw live through the call, which reads nothing of the memory.
        check(unsafe { sys::wprim_plan_reduce(context.as_raw(), &desc, &mut raw) })?;
        let raw = NonNull::new(raw).expect("a successful call gives an object");
        Ok(Plan { raw, context: context.clone(), bound: Bound::to(&memory), types: PhantomData })
    }
}

impl<T: Element, U: Element> Plan<T, U> {
    /// Enqueues the op and returns before it is done.
    ///
    /// Fails if the memory is not as long as that which the plan was made with, or the plan was made with a count on the device.
    pub fn launch<I, O>(&mut self, stream: &Stream, input: &I, output: &mut O) -> Result<()>
    where
        I: DeviceInput<Element = T>,
        O: DeviceOutput<Element = U>,
    {
        // SAFETY: what is at home on the stream is there until the stream's work is done.
        unsafe { self.submit(stream, input, output) }
    }

    /// Enqueues the op of a plan that was made with [`Reduce::n_on_device`], and returns before it is done.
    pub fn launch_counted<I, N, O>(&mut self, stream: &Stream, input: &I, n: &N, output: &mut O) -> Result<()>
    where
        I: DeviceInput<Element = T>,
        N: DeviceInput<Element = u64>,
        O: DeviceOutput<Element = U>,
    {
        let n = View::of(n);
        if n.len() != 1 {
            return Err(invalid(format!("plan: n_on_device has {} elements, not 1", n.len())));
        }
        let memory = Memory { input: input.operand(), output: output.operand_mut(), count: Some(n.operand()) };
        // SAFETY: as in launch.
        unsafe { self.submit_memory(stream, &memory) }
    }

    /// Does the op and waits for it. Takes any memory that the device reaches: on the CPU slices too.
    pub fn run<I, O>(&mut self, stream: &Stream, input: &I, output: &mut O) -> Result<()>
    where
        I: Input<Element = T> + ?Sized,
        O: Output<Element = U> + ?Sized,
    {
        // SAFETY: nothing that is borrowed is used once this returns.
        unsafe { self.submit(stream, input, output)? };
        stream.wait_for_borrows()
    }

    /// # Safety
    /// Memory that is borrowed stays so until the work is done.
    #[inline]
    pub(crate) unsafe fn submit<I, O>(&mut self, stream: &Stream, input: &I, output: &mut O) -> Result<()>
    where
        I: Input<Element = T> + ?Sized,
        O: Output<Element = U> + ?Sized,
    {
        let memory = Memory { input: input.operand(), output: output.operand_mut(), count: None };
        // SAFETY: the caller's promise.
        unsafe { self.submit_memory(stream, &memory) }
    }

    /// # Safety
    /// As submit; the types are those of the plan.
    unsafe fn submit_memory(&mut self, stream: &Stream, memory: &Memory<'_>) -> Result<()> {
        let raw = stream.enter()?;
        memory.check(stream)?;
        let now = Bound::to(memory);
        if now != self.bound {
            self.rebind(now)?;
        }
        // SAFETY: both handles are alive; the memory is as long as the plan says, and the caller promises the rest.
        check(unsafe { sys::wprim_plan_launch(self.raw.as_ptr(), raw) })
    }

    #[cold]
    fn rebind(&mut self, to: Bound) -> Result<()> {
        let made = self.bound;
        let shape = |bound: &Bound| (bound.input.1, bound.output.1, bound.count.is_some());
        if shape(&to) != shape(&made) {
            return Err(other_shape(&made, &to));
        }
        let binding = |slot, pointer: *mut c_void| sys::wprim_binding { node: 0, slot, pointer };
        let mut bindings = vec![binding(sys::WPRIM_SLOT_IN, to.input.0), binding(sys::WPRIM_SLOT_OUT, to.output.0)];
        bindings.extend(to.count.map(|count| binding(sys::WPRIM_SLOT_COUNT, count)));
        // SAFETY: the handle is alive, and no other thread launches the plan; bindings live through the call.
        check(unsafe { sys::wprim_plan_rebind_many(self.as_raw(), bindings.as_ptr(), bindings.len() as u32) })?;
        self.bound = to;
        Ok(())
    }

    /// What a launch will do, and why so. For people: names and values may change.
    pub fn describe(&self, format: Format) -> Result<String> {
        enter()?;
        // SAFETY: the handle is alive; describe lends the rest.
        describe(|text, room, length| unsafe {
            sys::wprim_plan_describe(self.as_raw(), format as sys::wprim_format, text, room, length)
        })
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The handle in C. It stays this object's.
    pub fn as_raw(&self) -> *mut sys::wprim_plan {
        self.raw.as_ptr()
    }
}

#[cold]
fn other_shape(made: &Bound, given: &Bound) -> Error {
    invalid(match (made.count.is_some(), given.count.is_some()) {
        (true, false) => "plan: it was made with n_on_device, so a launch needs that too: launch_counted".into(),
        (false, true) => "plan: it was made without n_on_device".into(),
        _ if made.input.1 != given.input.1 => {
            format!("plan: input has {} elements, the plan was made for {}", given.input.1, made.input.1)
        }
        _ => format!("plan: output has {} elements, the plan was made for {}", given.output.1, made.output.1),
    })
}

impl<T: Element, U: Element> Drop for Plan<T, U> {
    fn drop(&mut self) {
        let (raw, context) = (self.as_raw() as usize, self.context.clone());
        // SAFETY: the handle was owned by this object alone; launches in flight complete.
        dispose(move || unsafe {
            sys::wprim_plan_destroy(raw as *mut _);
            drop(context);
        });
    }
}

impl<T: Element, U: Element> fmt::Debug for Plan<T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({} of {:?} to {} of {:?})", self.bound.input.1, T::DTYPE, self.bound.output.1, U::DTYPE)
    }
}
