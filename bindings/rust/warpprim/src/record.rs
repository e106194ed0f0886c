//! How a graph is made.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::take;
use std::ptr::null_mut;

use warpprim_sys as sys;

use crate::enter::enter;
use crate::error::{check, invalid, Result, Status};
use crate::graph::{Graph, Held, Node};
use crate::home::Callback;
use crate::operand::{Memory, Operand};
use crate::stream::run_often;
use crate::{Context, DType, DeviceInput, DeviceOutput, Element, Reduce, Stream};

/// Memory of type `M` in a graph: what [`Recorder::hold`] gave for it.
pub struct Key<M> {
    pub(crate) graph: u64,
    pub(crate) index: usize,
    /// Neither longer nor shorter lifetimes: what is put there by this key must live as long as what was there.
    memory: PhantomData<fn(M) -> M>,
}

/// The value of a fill in a graph, which can be exchanged: see [`Graph::set`].
pub struct Value<T> {
    pub(crate) graph: u64,
    pub(crate) node: usize,
    value: PhantomData<fn(T)>,
}

macro_rules! copied {
    ($($name:ident),*) => {$(
        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<T> {}
    )*};
}
copied!(Key, Value);

impl<M> fmt::Debug for Key<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({} of graph {})", self.index, self.graph)
    }
}

impl<T> fmt::Debug for Value<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value(node {} of graph {})", self.node, self.graph)
    }
}

/// Takes calls down in place of enqueuing them: see [`Context::record`].
pub struct Recorder<'env> {
    stream: Stream, // only this object's, so nobody else's calls are recorded
    number: u64,
    held: Vec<Box<dyn Held + 'env>>,
    nodes: Vec<Node>,
    callbacks: Vec<Callback>,
}

impl Context {
    /// Makes a graph of the calls that `f` makes on the recorder; nothing of it runs. Returns what `f` returns, too: keys to the
    /// memory that the graph holds.
    ///
    /// ```
    /// # fn main() -> warpprim::Result<()> {
    /// use warpprim::{Context, Op, Reduce};
    ///
    /// let context = Context::cpu()?;
    /// let stream = context.stream()?;
    /// let (x, sum, largest) = (stream.zeros::<i32>(100)?, stream.zeros::<i64>(1)?, stream.zeros::<i32>(1)?);
    /// let (mut graph, (x, sum)) = context.record(|r| {
    ///     let (x, sum, largest) = (r.hold(x), r.hold(sum), r.hold(largest));
    ///     r.reduce(Reduce::new(Op::Sum), x, sum)?;
    ///     r.reduce(Reduce::new(Op::Max), x, largest)?;
    ///     r.fill(x, 1)?;
    ///     Ok((x, sum))
    /// })?;
    /// graph.launch(&stream)?; // all of it, and returns before it is done
    /// assert_eq!(graph[sum].to_vec(&stream)?, [0]);
    /// graph.launch(&stream)?;
    /// assert_eq!(graph[sum].to_vec(&stream)?, [100]);
    ///
    /// graph[x] = stream.upload(&[7; 100])?; // from the next launch on it uses this
    /// graph.launch(&stream)?;
    /// assert_eq!(graph[sum].to_vec(&stream)?, [700]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Fails with the failure of `f`, or else if no graph can be made.
    pub fn record<'env, F, R>(&self, f: F) -> Result<(Graph<'env>, R)>
    where
        F: FnOnce(&mut Recorder<'env>) -> Result<R>,
    {
        let mut recorder = Recorder::begin(self)?;
        let value = f(&mut recorder)?;
        Ok((recorder.end()?, value))
    }
}

impl<'env> Recorder<'env> {
    fn begin(context: &Context) -> Result<Recorder<'env>> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let stream = context.stream()?;
        // SAFETY: the handle is alive, and this thread's.
        check(unsafe { sys::wprim_graph_begin(stream.as_raw()) })?;
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Ok(Recorder { stream, number, held: Vec::new(), nodes: Vec::new(), callbacks: Vec::new() })
    }

    fn end(mut self) -> Result<Graph<'env>> {
        enter()?;
        let mut raw = null_mut();
        // SAFETY: the handle is alive, and raw lives through the call.
        check(unsafe { sys::wprim_graph_end(self.stream.as_raw(), &mut raw) })?;
        let (held, nodes, callbacks) = (take(&mut self.held), take(&mut self.nodes), take(&mut self.callbacks));
        Ok(Graph::own(self.stream.context(), raw, self.number, held, nodes, callbacks))
    }

    /// Gives memory to the graph: a [`Buffer`](crate::Buffer), which it then owns; or a [`View`](crate::View) or
    /// [`ViewMut`](crate::ViewMut), which it then borrows.
    pub fn hold<M: DeviceInput + Send + Sync + 'env>(&mut self, memory: M) -> Key<M> {
        self.held.push(Box::new(memory));
        Key { graph: self.number, index: self.held.len() - 1, memory: PhantomData }
    }

    fn operand<M>(&self, name: &str, key: Key<M>) -> Result<Operand<'_>> {
        if key.graph != self.number {
            return Err(invalid(format!("{name} is a key to memory of another graph")));
        }
        Ok(self.held[key.index].memory())
    }

    /// Records a reduce.
    pub fn reduce<I, O>(&mut self, reduce: Reduce<'_>, input: Key<I>, output: Key<O>) -> Result<()>
    where
        I: DeviceInput,
        O: DeviceOutput,
    {
        let (input_memory, output_memory) = (self.operand("input", input)?, self.operand("output", output)?);
        let memory = Memory { input: input_memory, output: output_memory, count: None };
        let node = [(sys::WPRIM_SLOT_IN, input.index), (sys::WPRIM_SLOT_OUT, output.index)];
        // SAFETY: the types are those of the keys.
        let done = unsafe { self.submit(reduce, (I::Element::DTYPE, O::Element::DTYPE), &memory) };
        done.map(|()| self.nodes.push(node.into()))
    }

    /// Records a reduce of the first `n` elements, as [`Reduce::n_on_device`] says; that is for a reduce by itself.
    pub fn reduce_counted<I, N, O>(
        &mut self,
        reduce: Reduce<'_>,
        input: Key<I>,
        n: Key<N>,
        output: Key<O>,
    ) -> Result<()>
    where
        I: DeviceInput,
        N: DeviceInput<Element = u64>,
        O: DeviceOutput,
    {
        let (input_memory, output_memory) = (self.operand("input", input)?, self.operand("output", output)?);
        let memory = Memory { input: input_memory, output: output_memory, count: Some(self.operand("n", n)?) };
        let slots = [sys::WPRIM_SLOT_IN, sys::WPRIM_SLOT_OUT, sys::WPRIM_SLOT_COUNT];
        let node = slots.into_iter().zip([input.index, output.index, n.index]).collect();
        // SAFETY: the types are those of the keys.
        let done = unsafe { self.submit(reduce, (I::Element::DTYPE, O::Element::DTYPE), &memory) };
        done.map(|()| self.nodes.push(node))
    }

    /// # Safety
    /// The types are those of the elements.
    unsafe fn submit(&self, reduce: Reduce<'_>, dtypes: (DType, DType), memory: &Memory<'_>) -> Result<()> {
        let raw = self.stream.enter()?;
        if reduce.count.is_some() {
            let text = "reduce: n_on_device is memory that the graph must hold: give its key to reduce_counted";
            return Err(invalid(text.into()));
        }
        let desc = reduce.desc(dtypes, memory)?;
        // SAFETY: nothing runs, and the graph looks at its memory again at each launch; desc lives through the call.
        check(unsafe { sys::wprim_reduce_ex(raw, &desc) })
    }

    /// Records a copy of all elements. Fails if the lengths differ.
    pub fn copy<I, O>(&mut self, from: Key<I>, to: Key<O>) -> Result<()>
    where
        I: DeviceInput,
        O: DeviceOutput<Element = I::Element>,
    {
        let (source, target) = (self.operand("from", from)?, self.operand("to", to)?);
        // SAFETY: as in submit.
        unsafe { self.stream.enqueue_copy::<I::Element>(source, target)? };
        self.nodes.push(vec![(sys::WPRIM_SLOT_IN, from.index), (sys::WPRIM_SLOT_OUT, to.index)]);
        Ok(())
    }

    /// Records that every element becomes `value`.
    pub fn fill<O: DeviceOutput>(&mut self, to: Key<O>, value: O::Element) -> Result<Value<O::Element>> {
        let memory = self.operand("to", to)?;
        // SAFETY: as in submit.
        unsafe { self.stream.enqueue_fill(memory, value)? };
        self.nodes.push(vec![(sys::WPRIM_SLOT_OUT, to.index)]);
        Ok(Value { graph: self.number, node: self.nodes.len() - 1, value: PhantomData })
    }

    /// Records a call of `f`, which each launch makes again, one after the other; for the rest see [`Stream::call`].
    pub fn call<F>(&mut self, f: F) -> Result<()>
    where
        F: FnMut() -> Result<(), Status> + Send + 'static,
    {
        let raw = self.stream.enter()?;
        let callback = Callback::new(f);
        let user: *mut c_void = callback.user();
        // SAFETY: the graph keeps the callback as long as launches of it are in flight.
        check(unsafe { sys::wprim_stream_call(raw, Some(run_often::<F>), user) })?;
        self.callbacks.push(callback);
        self.nodes.push(Vec::new());
        Ok(())
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        self.stream.context()
    }
}

impl fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recorder({} nodes, graph {})", self.nodes.len(), self.number)
    }
}
