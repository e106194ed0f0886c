//! Whatever is dropped, forgotten or panics, and whenever: what is in flight keeps what it uses. Run under the address sanitizer, where a
//! use after free ends the program.

mod support;

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use support::{contexts, is_cpu, stop, summing, N};
use warpprim::{Context, Format, LogLevel, Op, Reduce, Status};

#[test]
fn buffers_dropped_in_flight() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut sum = stream.zeros::<i64>(1).unwrap();
        let x = stream.upload(&vec![1i32; N]).unwrap();
        let pinned = stream.pinned_zeros::<i32>(N).unwrap();
        let go = stop(&stream);
        let mut y = stream.zeros::<i32>(N).unwrap();
        stream.copy(&x, &mut y).unwrap();
        drop(x);
        let again = stream.zeros::<i32>(N).unwrap(); // could be given the same memory, but not before its work
        Reduce::new(Op::Sum).enqueue(&stream, &y, &mut sum).unwrap();
        let mut unused = stream.zeros::<i64>(1).unwrap();
        Reduce::new(Op::Sum).enqueue(&stream, &pinned, &mut unused).unwrap();
        drop((y, unused, again, pinned));
        go.send(()).unwrap();
        assert_eq!(sum.to_vec(&stream).unwrap(), [N as i64]);
    }
}

#[test]
fn streams_and_contexts_dropped_in_flight() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let x = stream.upload(&vec![1i32; N]).unwrap();
        let mut sum = stream.zeros::<i64>(1).unwrap();
        let mut pinned = stream.pinned_zeros::<i64>(1).unwrap();
        let go = stop(&stream);
        Reduce::new(Op::Sum).enqueue(&stream, &x, &mut sum).unwrap();
        stream.copy(&sum, &mut pinned).unwrap();
        drop(stream);
        drop(x); // of a stream that nobody has
        let last = context.stream().unwrap();
        drop(context);
        sum.attach(&last).unwrap(); // waits for the dropped stream's work, on the device
        pinned.attach(&last).unwrap();
        go.send(()).unwrap();
        assert_eq!(sum.to_vec(&last).unwrap(), [N as i64]);
        assert_eq!(pinned.host(&last).unwrap(), [N as i64]);
        drop(last);
        drop((sum, pinned));
    }
}

#[test]
fn everything_dropped_in_flight() {
    for context in contexts() {
        let (done, wait) = channel();
        let go = {
            let stream = context.stream().unwrap();
            let event = context.event().unwrap();
            let (mut x, mut sum) = (stream.zeros::<i32>(N).unwrap(), stream.zeros::<i64>(1).unwrap());
            let mut pinned = stream.pinned_zeros::<i32>(N).unwrap();
            let go = stop(&stream);
            stream.fill(&mut x, 3).unwrap();
            Reduce::new(Op::Sum).enqueue(&stream, &x, &mut sum).unwrap();
            stream
                .call_with(&mut pinned, |x| {
                    x.fill(1);
                    Ok(())
                })
                .unwrap();
            event.record(&stream).unwrap();
            stream.call(move || done.send(()).map_err(|_| Status::Callback)).unwrap();
            x.detach(&stream).unwrap();
            drop((stream, x, sum, event)); // and pinned last, which waits
            std::thread::spawn(move || go.send(()));
            drop(pinned);
            wait
        };
        go.recv().unwrap();
    }
}

#[test]
fn forgetting_is_only_a_leak() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let x: &'static _ = Box::leak(Box::new(stream.upload(&[1u8, 2, 3]).unwrap()));
        std::mem::forget(stream.zeros::<u8>(100).unwrap());
        if is_cpu(&context) {
            let slice: &'static [u8] = x.host(&stream).unwrap();
            std::mem::forget(stream);
            drop(context);
            assert_eq!(slice, [1, 2, 3]);
        }
    }
}

#[test]
fn a_scope_waits_for_its_borrows_even_in_a_panic() {
    let stream = Context::cpu().unwrap().stream().unwrap();
    for _ in 0..20 {
        let (x, mut sum) = (vec![1i32; N], 0i64);
        let panicking = AssertUnwindSafe(|| {
            stream.scope(|s| -> warpprim::Result<()> {
                s.reduce(Reduce::new(Op::Sum), &x, &mut sum)?;
                panic!("on purpose");
            })
        });
        assert!(catch_unwind(panicking).is_err());
        assert_eq!(sum, N as i64);
        drop(x);
        let failing = stream.scope(|s| {
            s.call(|| Ok(()))?;
            Reduce::new(Op::Xor).run(s.stream(), &[1f32], &mut [0f32])
        });
        assert_eq!(failing.unwrap_err().status(), Status::Unsupported);
    }
}

#[test]
fn a_panic_in_a_callback_is_a_late_error() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut x = stream.pinned_zeros::<i32>(4).unwrap();
        stream.call(|| panic!("on purpose")).unwrap();
        assert_eq!(stream.synchronize().unwrap_err().status(), Status::Callback);
        stream.call_with(&mut x, |_| panic!("on purpose")).unwrap();
        assert_eq!(stream.synchronize().unwrap_err().status(), Status::Callback);
        stream.synchronize().unwrap();
    }
}

#[test]
fn a_panic_within_a_panic_is_only_a_leak() {
    struct Worse;
    impl Drop for Worse {
        fn drop(&mut self) {
            panic!("on purpose, once more");
        }
    }
    for context in contexts() {
        let stream = context.stream().unwrap();
        stream.call(|| std::panic::panic_any(Worse)).unwrap();
        assert_eq!(stream.synchronize().unwrap_err().status(), Status::Callback);
        stream.synchronize().unwrap();
    }
}

/// What a callback may hold: everything, with the library closed to it, and dropped there.
#[test]
fn callbacks_may_hold_and_drop_everything() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let refused = Arc::new(AtomicUsize::new(0));
        for _ in 0..3 {
            let (other, event) = (context.stream().unwrap(), context.event().unwrap());
            event.record(&other).unwrap();
            let mut mine =
                [stream.zeros::<i32>(100).unwrap(), other.zeros(100).unwrap(), other.pinned_zeros(9).unwrap()];
            let (x, mut sum) = (other.zeros::<i32>(N).unwrap(), other.zeros::<i64>(1).unwrap());
            let mut plan = Reduce::new(Op::Sum).plan(&context, &x, &mut sum).unwrap();
            let (mut graph, ..) = summing(&other, &refused);
            let own = Context::open(context.device()).unwrap();
            let refused = Arc::clone(&refused);
            stream
                .call(move || {
                    let attempts = [
                        own.stream().map(drop),
                        own.event().map(drop),
                        own.info().map(drop),
                        Context::open(own.device()).map(drop),
                        other.synchronize(),
                        other.is_idle().map(drop),
                        other.wait(&event),
                        other.call(|| Ok(())),
                        other.zeros::<i32>(1).map(drop),
                        other.fill(&mut mine[1], 1),
                        other.scope(|_| Ok(())),
                        event.record(&other),
                        event.synchronize(),
                        event.is_reached().map(drop),
                        mine[1].detach(&other),
                        mine[1].attach(&other),
                        mine[2].host(&other).map(drop),
                        warpprim::set_log(LogLevel::Off, None),
                        plan.launch(&other, &x, &mut sum),
                        plan.describe(Format::Text).map(drop),
                        Reduce::new(Op::Sum).plan(&own, &x, &mut sum).map(drop),
                        graph.launch(&other),
                        graph.describe(Format::Json).map(drop),
                        own.record(|_| Ok(())).map(drop),
                    ];
                    for attempt in attempts {
                        let error = attempt.expect_err("the library is closed to callbacks");
                        assert!(error.message().contains("callback"), "{error}");
                        refused.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(())
                })
                .unwrap();
            stream.synchronize().unwrap();
        }
        assert_eq!(refused.load(Ordering::Relaxed), 3 * 24);
    }
}

#[test]
fn a_callback_that_was_refused_is_dropped() {
    let held = Arc::new(());
    let context = Context::cpu().unwrap();
    let (stream, other, inner) = (context.stream().unwrap(), context.stream().unwrap(), Arc::clone(&held));
    let refused = move || {
        let refused =
            other.call(move || Err(if Arc::strong_count(&inner) > 0 { Status::Callback } else { Status::Internal }));
        assert_eq!(refused.unwrap_err().status(), Status::InvalidArgument);
        Ok(())
    };
    stream.call(refused).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn log_functions_are_callbacks_too() {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    fn log(level: LogLevel, line: &str) {
        assert!(level <= LogLevel::Info);
        assert!(Context::cpu().is_err());
        LINES.lock().unwrap().push(line.into());
        panic!("on purpose");
    }
    warpprim::set_log(LogLevel::Info, Some(log)).unwrap();
    Context::cpu().unwrap();
    warpprim::set_log(LogLevel::Off, None).unwrap();
    assert!(LINES.lock().unwrap().iter().any(|line| line.starts_with("context: ")));
}
