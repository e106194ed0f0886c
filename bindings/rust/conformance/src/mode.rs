//! The ways in which a call is made: through the safe interface, and through that of C.

use std::ptr::null_mut;

use warpprim::{sys, DType, Element, Reduce, View, ViewMut};

use crate::memory::{inputs, outputs, unknown, Memory};
use crate::session::{done, Session, Verdict};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Eager,
    Plan,
    Graph,
    Resident,
}

pub const MODES: [(&str, Mode); 4] =
    [("eager", Mode::Eager), ("plan", Mode::Plan), ("graph", Mode::Graph), ("resident", Mode::Resident)];

impl Mode {
    /// Sets of memory that a call uses, one after the other.
    pub fn sets(self) -> usize {
        match self {
            Mode::Eager | Mode::Resident => 1,
            Mode::Plan | Mode::Graph => 2,
        }
    }
}

/// A call of the safe interface, whose element types are known when it runs. In modes that launch more than once, both launches are
/// under way before anybody waits.
pub struct Safe<'a> {
    pub session: &'a Session,
    pub reduce: Reduce<'a>,
    pub memory: &'a [Memory<'a>],
}

macro_rules! with_type {
    ($dtype:expr, $T:ident => $body:expr) => {
        with_type!($dtype, $T => $body; F32 f32, F64 f64, F16 half::f16, Bf16 half::bf16, I8 i8, I16 i16, I32 i32, I64 i64,
                   U8 u8, U16 u16, U32 u32, U64 u64, Bool bool)
    };
    ($dtype:expr, $T:ident => $body:expr; $($name:ident $rust:ty),*) => {
        match $dtype {
            $(DType::$name => { type $T = $rust; $body })*
            _ => Err(unknown()),
        }
    };
}

impl<'a> Safe<'a> {
    pub fn call(&self, dtype: DType, result: DType) -> Verdict {
        with_type!(dtype, T => self.with_input::<T>(result))
    }

    fn with_input<T: Element>(&self, result: DType) -> Verdict {
        with_type!(result, U => self.with_both::<T, U>())
    }

    /// The memory of one call. It is in blocks that outlive the work.
    fn views<T: Element, U: Element>(&self, set: usize) -> (View<'a, T>, ViewMut<'a, U>, Option<View<'a, u64>>) {
        let (stream, desc) = (&self.session.stream, &self.memory[set].desc);
        let n = (!desc.n_on_device.is_null()).then_some(desc.n_on_device as *mut u64);
        unsafe {
            let input = View::from_raw(stream, desc.in_ as *mut T, inputs(desc));
            let output = ViewMut::from_raw(stream, desc.out.cast(), outputs(desc));
            (input, output, n.map(|n| View::from_raw(stream, n, 1)))
        }
    }

    fn with_both<T: Element, U: Element>(&self) -> Verdict {
        match self.session.mode {
            Mode::Eager | Mode::Resident => self.enqueue::<T, U>(),
            Mode::Plan => self.plan::<T, U>(),
            Mode::Graph => self.graph::<T, U>(),
        }
    }

    fn enqueue<T: Element, U: Element>(&self) -> Verdict {
        let (input, mut output, n) = self.views::<T, U>(0);
        let reduce = n.as_ref().map_or(self.reduce, |n| self.reduce.n_on_device(n));
        Ok(reduce.enqueue(&self.session.stream, &input, &mut output)?)
    }

    fn plan<T: Element, U: Element>(&self) -> Verdict {
        let stream = &self.session.stream;
        let (input, mut output, n) = self.views::<T, U>(0);
        let reduce = n.as_ref().map_or(self.reduce, |n| self.reduce.n_on_device(n));
        let mut plan = reduce.plan(&self.session.context, &input, &mut output)?;
        for set in 0..self.memory.len() {
            let (input, mut output, n) = self.views::<T, U>(set);
            match n {
                None => plan.launch(stream, &input, &mut output)?,
                Some(n) => plan.launch_counted(stream, &input, &n, &mut output)?,
            }
        }
        Ok(())
    }

    fn graph<T: Element, U: Element>(&self) -> Verdict {
        let stream = &self.session.stream;
        let (input, output, n) = self.views::<T, U>(0);
        let (mut graph, (x, y, count)) = self.session.context.record(|r| {
            let (x, y, count) = (r.hold(input), r.hold(output), n.map(|n| r.hold(n)));
            match count {
                None => r.reduce(self.reduce, x, y)?,
                Some(count) => r.reduce_counted(self.reduce, x, count, y)?,
            }
            Ok((x, y, count))
        })?;
        graph.launch(stream)?;
        let (input, output, n) = self.views::<T, U>(1);
        (graph[x], graph[y]) = (input, output);
        if let (Some(count), Some(n)) = (count, n) {
            graph[count] = n;
        }
        Ok(graph.launch(stream)?)
    }
}

/// A call of C, as it is written down: through a desc of any size, or the simple one.
pub struct Raw<'a> {
    pub session: &'a Session,
    pub simple: bool,
    /// The desc, with the memory of the first set.
    pub desc: *const sys::wprim_reduce_desc,
    pub memory: &'a [Memory<'a>],
}

impl Raw<'_> {
    pub fn call(&self) -> Verdict {
        match self.session.mode {
            Mode::Eager | Mode::Resident => done(unsafe { self.once() }),
            Mode::Plan => unsafe { self.plan() },
            Mode::Graph => unsafe { self.graph() },
        }
    }

    unsafe fn once(&self) -> sys::wprim_status {
        let (stream, d) = (self.session.stream.as_raw(), &self.memory[0].desc);
        if self.simple {
            sys::wprim_reduce(stream, d.op, d.dtype, d.in_, d.cols, d.out)
        } else {
            sys::wprim_reduce_ex(stream, self.desc)
        }
    }

    fn bindings(&self) -> Vec<sys::wprim_binding> {
        let d = &self.memory[1].desc;
        let slots = [
            (sys::WPRIM_SLOT_IN, d.in_),
            (sys::WPRIM_SLOT_OUT, d.out as *const _),
            (sys::WPRIM_SLOT_COUNT, d.n_on_device.cast()),
        ];
        let given = if d.n_on_device.is_null() { 2 } else { 3 };
        slots[..given].iter().map(|&(slot, pointer)| sys::wprim_binding { node: 0, slot, pointer }).collect()
    }

    unsafe fn plan(&self) -> Verdict {
        let (mut plan, stream, b) = (null_mut(), self.session.stream.as_raw(), self.bindings());
        done(sys::wprim_plan_reduce(self.session.context.as_raw(), self.desc, &mut plan))?;
        let verdict = (|| {
            done(sys::wprim_plan_launch(plan, stream))?;
            done(sys::wprim_plan_rebind_many(plan, b.as_ptr(), b.len() as u32))?;
            done(sys::wprim_plan_launch(plan, stream))
        })();
        sys::wprim_plan_destroy(plan);
        verdict
    }

    unsafe fn graph(&self) -> Verdict {
        let (mut graph, stream, b) = (null_mut(), self.session.stream.as_raw(), self.bindings());
        done(sys::wprim_graph_begin(stream))?;
        let recorded = done(self.once());
        done(sys::wprim_graph_end(stream, &mut graph))?;
        let verdict = recorded.and_then(|()| {
            done(sys::wprim_graph_launch(graph, stream))?;
            done(sys::wprim_graph_rebind_many(graph, b.as_ptr(), b.len() as u32))?;
            done(sys::wprim_graph_launch(graph, stream))
        });
        sys::wprim_graph_destroy(graph);
        verdict
    }
}
