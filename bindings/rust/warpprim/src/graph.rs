use std::ffi::c_void;
use std::fmt;
use std::mem::take;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;
use std::sync::Arc;

use warpprim_sys as sys;

use crate::describe::describe;
use crate::enter::{dispose, enter};
use crate::error::{check, invalid, Result};
use crate::home::{Callback, Home};
use crate::operand::Operand;
use crate::{Context, DeviceInput, Element, Format, Key, Stream, Value};

/// Several ops that are launched as one: see [`Context::record`].
///
/// It holds the memory that its ops use, by [`Key`]s: `graph[key]` is a [`Buffer`](crate::Buffer), [`View`](crate::View) or
/// [`ViewMut`](crate::ViewMut) to be looked at between launches, or to be exchanged for another of the same length. A launch uses
/// what is there then. It is refused if something of it is not at home on the stream.
///
/// Dropping it while launches are in flight is safe: they complete, and its memory is freed after them. Its host callbacks are
/// dropped when each stream that it was launched on has been waited for; where such a stream is gone and so is all memory at home on
/// it, dropping the graph waits.
pub struct Graph<'env> {
    raw: NonNull<sys::wprim_graph>,
    context: Context,
    number: u64,
    held: Vec<Box<dyn Held + 'env>>,
    bound: Vec<*mut c_void>, // where the held memory was at the last launch; only compared
    lengths: Vec<usize>,
    nodes: Vec<Node>,
    callbacks: Arc<Vec<Callback>>,
    launched: Vec<Arc<Home>>, // streams, if there are callbacks
}

// SAFETY: "A plan or a graph may be launched by many threads at once, but not while one rebinds it": both need it mutable here.
// What it holds is Send and Sync, and the addresses are only compared.
unsafe impl Send for Graph<'_> {}
unsafe impl Sync for Graph<'_> {}

/// Which slots of a node use which of the held memory.
pub(crate) type Node = Vec<(sys::wprim_slot, usize)>;

/// Memory of some type.
pub(crate) trait Held: Send + Sync {
    fn memory(&self) -> Operand<'_>;
}

impl<M: DeviceInput + Send + Sync> Held for M {
    fn memory(&self) -> Operand<'_> {
        self.operand()
    }
}

impl<'env> Graph<'env> {
    pub(crate) fn own(
        context: &Context,
        raw: *mut sys::wprim_graph,
        number: u64,
        held: Vec<Box<dyn Held + 'env>>,
        nodes: Vec<Node>,
        callbacks: Vec<Callback>,
    ) -> Graph<'env> {
        let raw = NonNull::new(raw).expect("a successful call gives an object");
        let (bound, lengths) = held.iter().map(|held| held.memory()).map(|memory| (memory.ptr, memory.len)).unzip();
        Graph {
            raw,
            context: context.clone(),
            number,
            held,
            bound,
            lengths,
            nodes,
            callbacks: Arc::new(callbacks),
            launched: Vec::new(),
        }
    }

    /// Enqueues all of it and returns before it is done.
    ///
    /// Fails if memory that it holds is not at home on the stream, or is not as long as that with which it was recorded.
    pub fn launch(&mut self, stream: &Stream) -> Result<()> {
        let raw = stream.enter()?;
        let mut moved = false;
        for (index, held) in self.held.iter().enumerate() {
            let memory = held.memory();
            if memory.check("", stream).is_err() {
                memory.check(&format!("memory {index} of the graph"), stream)?;
            }
            let (len, recorded) = (memory.len, self.lengths[index]);
            if len != recorded {
                let text = format!("graph: memory {index} has {len} elements, it was recorded with {recorded}");
                return Err(invalid(text));
            }
            moved |= memory.ptr != self.bound[index];
        }
        if moved {
            self.rebind()?;
        }
        // SAFETY: both handles are alive; what is at home on the stream is there until the stream's work is done, and as long as
        // it was when the nodes were recorded.
        check(unsafe { sys::wprim_graph_launch(self.as_raw(), raw) })?;
        if !self.callbacks.is_empty() && !self.launched.iter().any(|home| Arc::ptr_eq(home, &stream.home)) {
            self.launched.push(stream.home.clone());
        }
        Ok(())
    }

    /// Tells the library where the held memory is now.
    #[cold]
    fn rebind(&mut self) -> Result<()> {
        let now: Vec<*mut c_void> = self.held.iter().map(|held| held.memory().ptr).collect();
        let mut bindings = Vec::new();
        for (node, slots) in self.nodes.iter().enumerate() {
            let moved = slots.iter().filter(|(_, index)| now[*index] != self.bound[*index]);
            bindings.extend(moved.map(|&(slot, index)| sys::wprim_binding {
                node: node as u64,
                slot,
                pointer: now[index],
            }));
        }
        // SAFETY: the handle is alive, and no other thread launches the graph; bindings live through the call.
        check(unsafe { sys::wprim_graph_rebind_many(self.as_raw(), bindings.as_ptr(), bindings.len() as u32) })?;
        self.bound = now;
        Ok(())
    }

    /// A fill of the graph fills with `to` from the next launch on.
    pub fn set<T: Element>(&mut self, value: Value<T>, to: T) -> Result<()> {
        enter()?;
        if value.graph != self.number {
            return Err(invalid("graph: value is of another graph".into()));
        }
        let (slot, pointer) = (sys::WPRIM_SLOT_VALUE, &to as *const T);
        // SAFETY: the node is a fill of this type, and `to` lives through the call; as in rebind.
        check(unsafe { sys::wprim_graph_rebind(self.as_raw(), value.node as u64, slot, pointer.cast()) })
    }

    /// What a launch will do, node by node, and why so. For people: names and values may change.
    pub fn describe(&self, format: Format) -> Result<String> {
        enter()?;
        // SAFETY: the handle is alive; describe lends the rest.
        describe(|text, room, length| unsafe {
            sys::wprim_graph_describe(self.as_raw(), format as sys::wprim_format, text, room, length)
        })
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The handle in C. It stays this object's.
    pub fn as_raw(&self) -> *mut sys::wprim_graph {
        self.raw.as_ptr()
    }

    fn check_key<M>(&self, key: Key<M>) {
        assert_eq!(key.graph, self.number, "the key is to memory of another graph");
    }
}

/// # Panics
///
/// If the key is of another graph.
impl<M: DeviceInput> Index<Key<M>> for Graph<'_> {
    type Output = M;

    fn index(&self, key: Key<M>) -> &M {
        self.check_key(key);
        let held: *const dyn Held = &*self.held[key.index];
        // SAFETY: what the recorder made this key for is an M.
        unsafe { &*held.cast::<M>() }
    }
}

impl<M: DeviceInput> IndexMut<Key<M>> for Graph<'_> {
    fn index_mut(&mut self, key: Key<M>) -> &mut M {
        self.check_key(key);
        let held: *mut dyn Held = &mut *self.held[key.index];
        // SAFETY: what the recorder made this key for is an M, and a key makes no lifetime shorter.
        unsafe { &mut *held.cast::<M>() }
    }
}

impl Drop for Graph<'_> {
    fn drop(&mut self) {
        let (raw, context) = (self.as_raw() as usize, self.context.clone());
        // SAFETY: the handle was owned by this object alone; launches in flight complete.
        dispose(move || unsafe {
            sys::wprim_graph_destroy(raw as *mut _);
            drop(context);
        });
        for home in take(&mut self.launched) {
            home.bury_callbacks(self.callbacks.clone());
        }
    }
}

impl fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} nodes, {} held, {:?})", self.nodes.len(), self.held.len(), self.context)
    }
}
