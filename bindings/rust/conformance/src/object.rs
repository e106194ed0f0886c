//! Calls on contexts, streams, events and memory, with arguments as a case spells them.

use std::ffi::c_void;
use std::mem::transmute;

use warpprim::{sys, Context, Event};

use crate::json::Json;
use crate::session::{check_refusal, ensure, last_error, Block, Outcome, Session, Verdict, POISON};

const ARENA: usize = 256;

#[repr(C, align(16))]
struct Aligned<const N: usize>([u8; N]);

/// What the arguments of one call point to.
struct Stage<'a> {
    session: &'a Session,
    arena: Block<'a>,
    /// What "out" stands for: host memory.
    out: Box<Aligned<64>>,
    /// What {"struct_size": ...} stands for.
    desc: Box<Aligned<512>>,
    events: Vec<Event>,
}

unsafe extern "C" fn callback(_: *mut c_void) -> sys::wprim_status {
    sys::WPRIM_OK
}

impl Stage<'_> {
    fn event(&mut self) -> Verdict<&Event> {
        self.events.push(self.session.context.event()?);
        Ok(&self.events[self.events.len() - 1])
    }

    fn argument(&mut self, argument: &Json) -> Verdict<u64> {
        let s = self.session;
        Ok(match argument {
            Json::Number(n) => *n,
            Json::Text(name) => match name.as_str() {
                "ctx" => s.context.as_raw() as u64,
                "stream" => s.stream.as_raw() as u64,
                "out" => self.out.0.as_mut_ptr() as u64,
                "callback" => callback as *const c_void as u64,
                "event" => self.event()?.as_raw() as u64,
                "recorded" => {
                    let event = self.event()?;
                    event.record(&s.stream)?;
                    let raw = event.as_raw() as u64;
                    s.stream.synchronize()?;
                    raw
                }
                // Handles of objects that are dropped at once.
                "destroyed_ctx" => Context::open(s.device)?.as_raw() as u64,
                "destroyed_stream" => s.context.stream()?.as_raw() as u64,
                "destroyed_event" => s.context.event()?.as_raw() as u64,
                _ => return Err(Outcome::fail(format!("this runner does not know the argument {name}"))),
            },
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
        "wprim_set_log" => wprim_set_log(a[0] as u32, transmute::<u64, wprim_log_fn>(a[1]), p!(2)),
        _ => return None,
    })
}

pub fn run_object_call(session: &Session, case: &Json) -> Verdict {
    let (function, args) = (case.text("function", ""), case.array("args"));
    let mut stage = Stage {
        session,
        arena: Block::of(session, &[POISON; ARENA])?,
        out: Box::new(Aligned([POISON; 64])),
        desc: Box::new(Aligned([0; 512])),
        events: Vec::new(),
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
    let idle = unsafe { sys::wprim_stream_query(session.stream.as_raw()) } == sys::WPRIM_OK;
    ensure(idle, || format!("the stream is not idle: {}", last_error()))?;
    if got == sys::WPRIM_OK && function == "wprim_stream_create" {
        let made = u64::from_ne_bytes(out[..8].try_into().unwrap());
        unsafe { sys::wprim_stream_destroy(made as usize as *mut _) };
    }
    Ok(())
}
