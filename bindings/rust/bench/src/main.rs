//! What a small call costs from Rust, beside the same calls from C in the same run: the sum of 2^10 f32 on the CPU, with the wait for it.
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
    fn c_loop(stream: *mut sys::wprim_stream, x: *const f32, n: u64, sum: *mut f32, times: u64) -> i32;
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

fn main() -> Result<ExitCode> {
    let stream = Context::cpu()?.stream()?;
    let x: Vec<f32> = (0..N).map(|i| 1.0 / (i + 1) as f32).collect();
    let (mut in_c, mut in_rust) = (0f32, 0f32);
    let (mut c, mut rust) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        c.push(timed(|| {
            // SAFETY: the loop waits for what it enqueues.
            let failed = unsafe { c_loop(stream.as_raw(), x.as_ptr(), N as u64, &mut in_c, CALLS) };
            assert_eq!(failed, 0);
            Ok(())
        })?);
        rust.push(timed(|| {
            for _ in 0..CALLS {
                Reduce::new(Op::Sum).run(&stream, &x, &mut in_rust)?;
            }
            Ok(())
        })?);
    }
    assert_eq!(in_c.to_bits(), in_rust.to_bits());
    let (c, rust) = (median(c), median(rust));
    println!("sum of 2^10 f32 on the CPU, with the wait: C {c:.4} us, Rust {rust:.4} us, {:+.4} us", rust - c);
    Ok(if rust - c < ALLOWED { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
