//! Calls on contexts, streams, events and memory, with arguments as a case spells them.

use std::ffi::c_void;
use std::mem::transmute;
use std::ptr::null_mut;

use warpprim::{sys, Device};

use crate::json::Json;
use crate::session::{check_refusal, done, ensure, last_error, Block, Outcome, Session, Verdict, POISON};

const ARENA: usize = 256;
const OUT_AT: usize = 192;

#[repr(C, align(16))]
struct Aligned<const N: usize>([u8; N]);

type Status = sys::wprim_status;

/// What was made for a case, to be destroyed after it.
struct Made {
    object: *mut c_void,
    destroy: unsafe extern "C" fn(*mut c_void) -> Status,
}

impl Drop for Made {
    fn drop(&mut self) {
        unsafe { (self.destroy)(self.object) };
    }
}

/// What the arguments of one call point to.
struct Stage<'a> {
    session: &'a Session,
    made: Vec<Made>, // before the memory that they use
    arena: Block<'a>,
    /// What "out" stands for: host memory.
    out: Box<Aligned<64>>,
    /// What {"struct_size": ...} stands for.
    desc: Box<Aligned<512>>,
    reduce_desc: Box<sys::wprim_reduce_desc>,
    bindings: Vec<sys::wprim_binding>,
}

unsafe extern "C" fn callback(_: *mut c_void) -> sys::wprim_status {
    sys::WPRIM_OK
}

/// Its destroying function, for any object.
macro_rules! destroy {
    ($function:ident) => {{
        unsafe extern "C" fn destroy(object: *mut c_void) -> Status {
            sys::$function(object.cast())
        }
        destroy
    }};
}

impl Stage<'_> {
    fn keep<T>(&mut self, object: *mut T, destroy: unsafe extern "C" fn(*mut c_void) -> Status) -> *mut T {
        self.made.push(Made { object: object.cast(), destroy });
        object
    }

    fn context(&mut self) -> Verdict<*mut sys::wprim_context> {
        let kind = if self.session.device == Device::Cpu { sys::WPRIM_CPU } else { sys::WPRIM_CUDA };
        let mut ctx = null_mut();
        done(unsafe { sys::wprim_context_create(kind, 0, &mut ctx) })?;
        Ok(self.keep(ctx, destroy!(wprim_context_destroy)))
    }

    fn stream(&mut self, ctx: *mut sys::wprim_context, kind: u32) -> Verdict<*mut sys::wprim_stream> {
        let desc = sys::wprim_stream_desc { kind, ..sys::WPRIM_STREAM_DESC_INIT };
        let mut stream = null_mut();
        done(unsafe { sys::wprim_stream_create(ctx, &desc, &mut stream) })?;
        Ok(self.keep(stream, destroy!(wprim_stream_destroy)))
    }

    fn recording(&mut self) -> Verdict<*mut sys::wprim_stream> {
        let stream = self.stream(self.session.context.as_raw(), sys::WPRIM_STREAM_LAUNCHED)?;
        done(unsafe { sys::wprim_graph_begin(stream) })?;
        Ok(stream)
    }

    fn event(&mut self, recorded_on: *mut sys::wprim_stream) -> Verdict<*mut sys::wprim_event> {
        let mut event = null_mut();
        done(unsafe { sys::wprim_event_create(self.session.context.as_raw(), &mut event) })?;
        self.keep(event, destroy!(wprim_event_destroy));
        if !recorded_on.is_null() {
            done(unsafe { sys::wprim_event_record(event, recorded_on) })?;
        }
        Ok(event)
    }

    fn plan(&mut self) -> Verdict<*mut sys::wprim_plan> {
        let mut plan = null_mut();
        done(unsafe { sys::wprim_plan_reduce(self.session.context.as_raw(), &*self.reduce_desc, &mut plan) })?;
        Ok(self.keep(plan, destroy!(wprim_plan_destroy)))
    }

    /// Four nodes: a copy, a fill, a reduce, a host callback.
    fn graph(&mut self) -> Verdict<*mut sys::wprim_graph> {
        let stream = self.recording()?;
        let at = |offset: usize| self.arena.at.wrapping_add(offset).cast::<c_void>();
        let (zero, mut graph) = (0f32, null_mut());
        unsafe {
            done(sys::wprim_copy(stream, at(64), at(0), 16))?;
            done(sys::wprim_fill(stream, sys::WPRIM_F32, at(128), 4, (&zero as *const f32).cast()))?;
            done(sys::wprim_reduce_ex(stream, &*self.reduce_desc))?;
            done(sys::wprim_stream_call(stream, Some(callback), null_mut()))?;
            done(sys::wprim_graph_end(stream, &mut graph))?;
        }
        Ok(self.keep(graph, destroy!(wprim_graph_destroy)))
    }

    fn named(&mut self, name: &str) -> Verdict<u64> {
        let (ctx, stream) = (self.session.context.as_raw(), self.session.stream.as_raw());
        if let Some(name) = name.strip_prefix("destroyed_") {
            let handle = self.named(match name {
                "ctx" => "other_ctx",
                "stream" => "launched",
                name => name,
            })?;
            self.made.pop();
            return Ok(handle);
        }
        Ok(match name {
            "ctx" => ctx as u64,
            "stream" => stream as u64,
            "out" => self.out.0.as_mut_ptr() as u64,
            "callback" => callback as *const c_void as u64,
            "reduce_desc" => &*self.reduce_desc as *const _ as u64,
            "other_ctx" => self.context()? as u64,
            "launched" => self.stream(ctx, sys::WPRIM_STREAM_LAUNCHED)? as u64,
            "resident" => self.stream(ctx, sys::WPRIM_STREAM_RESIDENT)? as u64,
            "other_stream" => {
                let other = self.context()?;
                self.stream(other, sys::WPRIM_STREAM_LAUNCHED)? as u64
            }
            "recording" => self.recording()? as u64,
            "event" => self.event(null_mut())? as u64,
            "graph_event" => {
                let recording = self.recording()?;
                self.event(recording)? as u64
            }
            "recorded" => {
                let event = self.event(stream)?;
                self.session.wait()?;
                event as u64
            }
            "plan" => self.plan()? as u64,
            "graph" => self.graph()? as u64,
            _ => return Err(Outcome::fail(format!("this runner does not know the argument {name}"))),
        })
    }

    fn argument(&mut self, argument: &Json) -> Verdict<u64> {
        Ok(match argument {
            Json::Number(n) => *n,
            Json::Text(name) => self.named(name)?,
            _ if argument.get("bindings").is_some() => {
                for binding in argument.array("bindings") {
                    let (node, slot, pointer) = match binding {
                        Json::Array(parts) => match &parts[..] {
                            [Json::Number(node), Json::Number(slot), pointer] => (*node, *slot as u32, pointer),
                            _ => return Err(Outcome::fail("a binding is not [NODE, SLOT, POINTER]")),
                        },
                        _ => return Err(Outcome::fail("a binding is no array")),
                    };
                    let pointer = self.argument(pointer)? as usize as *const c_void;
                    self.bindings.push(sys::wprim_binding { node, slot, pointer });
                }
                self.bindings.as_ptr() as u64
            }
            _ if argument.get("arena").is_some() => self.arena.at as u64 + argument.number("arena", 0),
            _ if argument.get("struct_size").is_some() => {
                let size = argument.number("struct_size", 0) as u32;
                self.desc.0[..4].copy_from_slice(&size.to_ne_bytes());
                if argument.get("last").is_some() {
                    self.desc.0[size as usize - 1] = argument.number("last", 0) as u8;
                }
                self.desc.0.as_mut_ptr() as u64
            }
            _ => 0, // null
        })
    }
}

/// Makes the call; the arguments are in the order of the C signature. `None`: a function this runner does not know.
///
/// # Safety
/// The arguments are as bad as the function must be able to bear.
unsafe fn dispatch(function: &str, a: [u64; 5]) -> Option<sys::wprim_status> {
    macro_rules! p {
        ($i:literal) => {
            a[$i] as usize as *mut _
        };
    }
    use sys::*;
    Some(match function {
        "wprim_device_count" => wprim_device_count(a[0] as u32, p!(1)),
        "wprim_context_create" => wprim_context_create(a[0] as u32, a[1] as i32, p!(2)),
        "wprim_context_info" => wprim_context_info(p!(0), p!(1)),
        "wprim_context_destroy" => wprim_context_destroy(p!(0)),
        "wprim_stream_create" => wprim_stream_create(p!(0), p!(1), p!(2)),
        "wprim_stream_wrap" => wprim_stream_wrap(p!(0), p!(1), p!(2)),
        "wprim_stream_synchronize" => wprim_stream_synchronize(p!(0)),
        "wprim_stream_query" => wprim_stream_query(p!(0)),
        "wprim_stream_wait" => wprim_stream_wait(p!(0), p!(1)),
        "wprim_stream_call" => wprim_stream_call(p!(0), transmute::<u64, wprim_host_fn>(a[1]), p!(2)),
        "wprim_stream_destroy" => wprim_stream_destroy(p!(0)),
        "wprim_event_create" => wprim_event_create(p!(0), p!(1)),
        "wprim_event_record" => wprim_event_record(p!(0), p!(1)),
        "wprim_event_synchronize" => wprim_event_synchronize(p!(0)),
        "wprim_event_query" => wprim_event_query(p!(0)),
        "wprim_event_elapsed" => wprim_event_elapsed(p!(0), p!(1), p!(2)),
        "wprim_event_destroy" => wprim_event_destroy(p!(0)),
        "wprim_malloc" => wprim_malloc(p!(0), a[1], p!(2)),
        "wprim_free" => wprim_free(p!(0), p!(1)),
        "wprim_malloc_host" => wprim_malloc_host(p!(0), a[1], p!(2)),
        "wprim_free_host" => wprim_free_host(p!(0), p!(1)),
        "wprim_copy" => wprim_copy(p!(0), p!(1), p!(2), a[3]),
        "wprim_fill" => wprim_fill(p!(0), a[1] as u32, p!(2), a[3], p!(4)),
        "wprim_plan_reduce" => wprim_plan_reduce(p!(0), p!(1), p!(2)),
        "wprim_plan_launch" => wprim_plan_launch(p!(0), p!(1)),
        "wprim_plan_rebind" => wprim_plan_rebind(p!(0), a[1] as u32, p!(2)),
        "wprim_plan_rebind_many" => wprim_plan_rebind_many(p!(0), p!(1), a[2] as u32),
        "wprim_plan_describe" => wprim_plan_describe(p!(0), a[1] as u32, p!(2), a[3], p!(4)),
        "wprim_plan_destroy" => wprim_plan_destroy(p!(0)),
        "wprim_graph_begin" => wprim_graph_begin(p!(0)),
        "wprim_graph_end" => wprim_graph_end(p!(0), p!(1)),
        "wprim_graph_launch" => wprim_graph_launch(p!(0), p!(1)),
        "wprim_graph_rebind" => wprim_graph_rebind(p!(0), a[1], a[2] as u32, p!(3)),
        "wprim_graph_rebind_many" => wprim_graph_rebind_many(p!(0), p!(1), a[2] as u32),
        "wprim_graph_describe" => wprim_graph_describe(p!(0), a[1] as u32, p!(2), a[3], p!(4)),
        "wprim_graph_destroy" => wprim_graph_destroy(p!(0)),
        "wprim_set_log" => wprim_set_log(a[0] as u32, transmute::<u64, wprim_log_fn>(a[1]), p!(2)),
        _ => return None,
    })
}

pub fn run_object_call(session: &Session, case: &Json) -> Verdict {
    let (function, args) = (case.text("function", ""), case.array("args"));
    let arena = Block::of(session, &[POISON; ARENA])?;
    let reduce_desc = Box::new(sys::wprim_reduce_desc {
        in_: arena.at.cast(),
        cols: 4,
        out: arena.at.wrapping_add(OUT_AT).cast(),
        ..sys::WPRIM_REDUCE_DESC_INIT
    });
    let mut stage = Stage {
        session,
        made: Vec::new(),
        arena,
        out: Box::new(Aligned([POISON; 64])),
        desc: Box::new(Aligned([0; 512])),
        reduce_desc,
        bindings: Vec::new(),
    };
    let mut a = [0; 5];
    for (value, argument) in a.iter_mut().zip(args) {
        *value = stage.argument(argument)?;
    }
    let got = unsafe { dispatch(function, a) };
    let got = got.ok_or_else(|| Outcome::fail(format!("this runner does not know {function}")))?;
    check_refusal(case, got)?;
    let out = stage.out.0;
    match case.text("out", "") {
        "null" => ensure(out[..8] == [0; 8], || "the object was not set to NULL".into())?,
        "kept" => ensure(out == [POISON; 64], || "the output was written".into())?,
        _ => {}
    }
    ensure(stage.arena.get()? == [POISON; ARENA], || "memory was written".into())?;
    if got == sys::WPRIM_OK {
        session.wait()?; // a call that was allowed may have enqueued something
    }
    let idle = unsafe { sys::wprim_stream_query(session.stream.as_raw()) } == sys::WPRIM_OK;
    ensure(idle, || format!("the stream is not idle: {}", last_error()))?;
    if got == sys::WPRIM_OK && function == "wprim_stream_create" {
        let made = u64::from_ne_bytes(out[..8].try_into().unwrap());
        unsafe { sys::wprim_stream_destroy(made as usize as *mut _) };
    }
    Ok(())
}
