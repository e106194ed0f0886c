//! What a small call costs from Rust, beside the same calls from C in the same run: the sum of 2^10 f32 on the CPU, with the wait for
//! it; as a call, as a plan, and as a graph of one node.
//!
//!     cargo run --release -p bench
//!
//! Rounds of C and Rust take turns, and the median round of each counts. Fails if Rust takes 0.1 us more.

use std::process::ExitCode;
use std::time::Instant;

use warpprim::{sys, Context, Op, Reduce, Result};

const N: usize = 1 << 10;
const CALLS: u64 = 20_000;
const ROUNDS: usize = 51;
const ALLOWED: f64 = 0.1;

extern "C" {
    fn c_call(stream: *mut sys::wprim_stream, x: *const f32, n: u64, sum: *mut f32, times: u64) -> i32;
    fn c_plan(plan: *mut sys::wprim_plan, stream: *mut sys::wprim_stream, times: u64) -> i32;
    fn c_graph(graph: *mut sys::wprim_graph, stream: *mut sys::wprim_stream, times: u64) -> i32;
}

/// Microseconds a call.
fn timed(round: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    round()?;
    Ok(start.elapsed().as_secs_f64() * 1e6 / CALLS as f64)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Compares `CALLS` calls in C with as many times one in Rust; whether they are close.
fn compare(name: &str, mut in_c: impl FnMut() -> i32, mut in_rust: impl FnMut() -> Result<()>) -> Result<bool> {
    let (mut c, mut rust) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        c.push(timed(|| {
            assert_eq!(in_c(), 0);
            Ok(())
        })?);
        rust.push(timed(|| (0..CALLS).try_for_each(|_| in_rust()))?);
    }
    let (c, rust) = (median(c), median(rust));
    println!("{name:5}  C {c:.4} us, Rust {rust:.4} us, {:+.4} us", rust - c);
    Ok(rust - c < ALLOWED)
}

fn main() -> Result<ExitCode> {
    println!("sum of 2^10 f32 on the CPU, with the wait");
    let context = Context::cpu()?;
    let stream = context.stream()?;
    let elements: Vec<f32> = (0..N).map(|i| 1.0 / (i + 1) as f32).collect();
    let x = stream.upload(&elements)?;
    let (mut in_c, mut sum) = (0f32, stream.zeros::<f32>(1)?);
    let raw = stream.as_raw();

    // SAFETY of each loop in C: it waits for what it enqueues, and the memory is there meanwhile.
    let c = || unsafe { c_call(raw, x.as_ptr(), N as u64, &mut in_c, CALLS) };
    let mut good = compare("call", c, || {
        Reduce::new(Op::Sum).enqueue(&stream, &x, &mut sum)?;
        stream.synchronize()
    })?;

    let mut plan = Reduce::new(Op::Sum).plan(&context, &x, &mut sum)?;
    let handle = plan.as_raw();
    good &= compare(
        "plan",
        || unsafe { c_plan(handle, raw, CALLS) },
        || {
            plan.launch(&stream, &x, &mut sum)?;
            stream.synchronize()
        },
    )?;
    assert_eq!(sum.to_vec(&stream)?[0].to_bits(), in_c.to_bits());

    let (mut graph, sum) = context.record(|r| {
        let (x, sum) = (r.hold(x), r.hold(sum));
        r.reduce(Reduce::new(Op::Sum), x, sum)?;
        Ok(sum)
    })?;
    let handle = graph.as_raw();
    good &= compare(
        "graph",
        || unsafe { c_graph(handle, raw, CALLS) },
        || {
            graph.launch(&stream)?;
            stream.synchronize()
        },
    )?;
    assert_eq!(graph[sum].to_vec(&stream)?[0].to_bits(), in_c.to_bits());
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
