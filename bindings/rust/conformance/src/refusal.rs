//! Calls of reduce that must fail: with the status and the words the case says, and with nothing done.

use std::ptr::{null, null_mut};

use warpprim::{sys, Event};

use crate::desc::{read_desc, DescSpace};
use crate::json::Json;
use crate::session::{check_refusal, compare, done, ensure, last_error, Block, Outcome, Session, Verdict, POISON};

const ARENA: usize = 16384;
const IN_AT: u64 = 4096;
const OUT_AT: u64 = 12288;
const FAR: u64 = 1 << 44;

/// An address in the arena, one far away that is never read, or NULL.
fn address(case: &Json, key: &str, otherwise: u64, arena: &Block) -> *mut std::ffi::c_void {
    let at = case.number(key, otherwise);
    match at {
        _ if case.is_null(key) => null_mut(),
        FAR.. => at as usize as *mut _,
        _ => arena.at.wrapping_add(at as usize).cast(),
    }
}

/// The stream argument, and what must live as long as it.
fn stream_argument(s: &Session, case: &Json, arena: &Block) -> Verdict<(*mut sys::wprim_stream, Option<Event>)> {
    Ok(match case.text("stream", "good") {
        "null" => (null_mut(), None),
        "context" => (s.context.as_raw().cast(), None),
        "arena" => (arena.at.cast(), None),
        "event" => {
            let event = s.context.event()?;
            (event.as_raw().cast(), Some(event))
        }
        "destroyed_stream" => (s.context.stream()?.as_raw(), None),
        _ => (s.stream.as_raw(), None),
    })
}

/// After the refused call the stream must be as before: idle, and good for the next call.
fn still_works(s: &Session) -> Verdict {
    let idle = unsafe { sys::wprim_stream_query(s.stream.as_raw()) } == sys::WPRIM_OK;
    ensure(idle, || format!("the stream is not idle and well: {}", last_error()))?;
    let mut image = [POISON; 64];
    for element in image[..16].chunks_mut(4) {
        element.copy_from_slice(&1i32.to_le_bytes());
    }
    let block = Block::of(s, &image)?;
    let (from, to) = (block.at.cast(), block.at.wrapping_add(32).cast());
    done(unsafe { sys::wprim_reduce(s.stream.as_raw(), sys::WPRIM_SUM, sys::WPRIM_I32, from, 4, to) })?;
    s.wait()?;
    let good = block.get()?[32..40] == 4i64.to_le_bytes();
    ensure(good, || "the next call on the stream gave a wrong sum".into())
}

/// A plan that comes out is launched.
fn call_plan(s: &Session, desc: *const sys::wprim_reduce_desc) -> Verdict<sys::wprim_status> {
    let mut plan = s.context.as_raw().cast();
    let status = unsafe { sys::wprim_plan_reduce(s.context.as_raw(), desc, &mut plan) };
    if status != sys::WPRIM_OK {
        ensure(plan.is_null(), || "the plan was not set to NULL".into())?;
        return Ok(status);
    }
    let status = unsafe { sys::wprim_plan_launch(plan, s.stream.as_raw()) };
    unsafe { sys::wprim_plan_destroy(plan) };
    Ok(status)
}

pub fn run_reduce_call(s: &Session, case: &Json) -> Verdict {
    let mut desc = read_desc(case).ok_or_else(|| Outcome::fail("the case has a name this runner does not know"))?;
    let arena = Block::of(s, &[POISON; ARENA])?;
    desc.in_ = address(case, "in", IN_AT, &arena);
    desc.out = address(case, "out", OUT_AT, &arena);
    if case.get("n_on_device").is_some() {
        desc.n_on_device = address(case, "n_on_device", 0, &arena) as *const u64;
    }
    let (stream, _event) = stream_argument(s, case, &arena)?;
    let space = DescSpace::new(case, &desc);
    let place = if case.is_null("desc") { null() } else { space.as_ptr() };
    let got = match case.text("function", "") {
        "wprim_reduce" => unsafe { sys::wprim_reduce(stream, desc.op, desc.dtype, desc.in_, desc.cols, desc.out) },
        "wprim_plan_reduce" => call_plan(s, place)?,
        _ => unsafe { sys::wprim_reduce_ex(stream, place) },
    };
    check_refusal(case, got)?;
    s.wait()?;
    let mut now = arena.get()?;
    if let Some(Json::Text(first)) = case.array("expect").first() {
        let (size, at) = (first.len() / 2, case.number("out", OUT_AT) as usize);
        let result = &mut now[at..at + size * case.array("expect").len()];
        compare(case, result, size)?;
        result.fill(POISON);
    }
    let touched = now.iter().position(|&byte| byte != POISON);
    ensure(touched.is_none(), || format!("memory was written at byte {} of the arena", touched.unwrap()))?;
    still_works(s)
}
