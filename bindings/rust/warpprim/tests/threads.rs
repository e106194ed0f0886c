//! What the types allow across threads, done across threads.

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use support::{contexts, Rng};
use warpprim::{Buffer, Context, Event, Graph, Key, Op, Plan, Reduce, Stream};

#[test]
fn send_and_sync_are_those_of_the_contract() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Context>();
    sync::<Context>();
    send::<Stream>(); // and not Sync: tests/misuse
    send::<Event>();
    send::<Buffer<f32>>();
    sync::<Buffer<f32>>();
    send::<Plan<f32, f64>>();
    sync::<Plan<f32, f64>>();
    send::<Graph<'_>>();
    sync::<Graph<'_>>();
    send::<Key<Buffer<f32>>>();
    sync::<Key<Buffer<f32>>>();
    send::<warpprim::Error>();
    sync::<warpprim::Error>();
}

#[test]
fn a_context_serves_many_threads() {
    for context in contexts() {
        thread::scope(|s| {
            for seed in 0..4 {
                let context = &context;
                s.spawn(move || {
                    let mut rng = Rng(seed);
                    for _ in 0..30 {
                        let stream = context.stream().unwrap();
                        let n = rng.below(200_000);
                        let x = stream.upload(&vec![seed as i32; n]).unwrap();
                        let mut sum = stream.zeros::<i64>(1).unwrap();
                        Reduce::new(Op::Sum).enqueue(&stream, &x, &mut sum).unwrap();
                        assert_eq!(sum.to_vec(&stream).unwrap(), [seed as i64 * n as i64]);
                    }
                });
            }
        });
    }
}

/// Buffers and streams travel from thread to thread, with work in flight; nobody waits but at the end.
#[test]
fn buffers_are_handed_from_thread_to_thread() {
    const STAGES: usize = 4;
    for context in contexts() {
        let (first, mut input) = channel::<Buffer<i32>>();
        let mut threads = Vec::new();
        for stage in 0..STAGES {
            let (output, next) = channel();
            let from = std::mem::replace(&mut input, next);
            let stream = context.stream().unwrap();
            threads.push(thread::spawn(move || {
                for mut x in from {
                    x.attach(&stream).unwrap();
                    let mut y = stream.zeros(x.len()).unwrap();
                    stream.copy(&x, &mut y).unwrap();
                    let end = x.len() - stage;
                    stream.fill(&mut y.view_mut(end - 1..end), stage as i32).unwrap();
                    y.detach(&stream).unwrap();
                    output.send(y).unwrap();
                }
            }));
        }
        let stream = context.stream().unwrap();
        for i in 0..20 {
            let mut x = stream.zeros(100 + 5000 * i).unwrap();
            stream.fill(&mut x, 7).unwrap();
            x.detach(&stream).unwrap();
            first.send(x).unwrap();
        }
        drop((first, stream));
        let last = context.stream().unwrap();
        for (i, mut x) in input.into_iter().enumerate() {
            x.attach(&last).unwrap();
            let got = x.to_vec(&last).unwrap();
            assert_eq!(got.len(), 100 + 5000 * i);
            assert_eq!(got[got.len() - STAGES - 1..], [7, 3, 2, 1, 0]);
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
}

/// Dropped on other threads while the stream goes on.
#[test]
fn buffers_are_dropped_by_other_threads() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let (send, receive) = channel::<Buffer<u8>>();
        let dropper = thread::spawn(move || receive.into_iter().for_each(drop));
        for i in 0..300 {
            let mut x = if i % 7 == 0 { stream.pinned_zeros(1000) } else { stream.zeros(1000) }.unwrap();
            stream.fill(&mut x, 1).unwrap();
            send.send(x).unwrap();
            if i % 50 == 0 {
                stream.synchronize().unwrap();
            }
        }
        drop(stream); // while the other is still at it
        drop(send);
        dropper.join().unwrap();
    }
}

#[test]
fn a_stream_moves_between_threads() {
    for context in contexts() {
        let mut stream = context.stream().unwrap();
        let mut x = stream.zeros::<i32>(1000).unwrap();
        for i in 1..=20 {
            (stream, x) = thread::spawn(move || {
                stream.fill(&mut x, i).unwrap();
                (stream, x)
            })
            .join()
            .unwrap();
        }
        assert_eq!(x.to_vec(&stream).unwrap(), [20; 1000]);
    }
}

/// One plan serves streams of many threads, one after the other; what is in flight is not disturbed.
#[test]
fn a_plan_goes_from_thread_to_thread() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let (x, mut sum) = (stream.zeros::<i32>(9000).unwrap(), stream.zeros::<i64>(1).unwrap());
        let plan = Mutex::new(Reduce::new(Op::Sum).plan(&context, &x, &mut sum).unwrap());
        thread::scope(|s| {
            for value in 1..=4 {
                let (context, plan) = (&context, &plan);
                s.spawn(move || {
                    let stream = context.stream().unwrap();
                    let x = stream.upload(&[value; 9000]).unwrap();
                    let mut sums: Vec<_> = (0..50).map(|_| stream.zeros::<i64>(1).unwrap()).collect();
                    for sum in &mut sums {
                        plan.lock().unwrap().launch(&stream, &x, sum).unwrap();
                    }
                    for sum in sums {
                        assert_eq!(sum.to_vec(&stream).unwrap(), [9000 * value as i64]);
                    }
                });
            }
        });
    }
}

/// Launches of one graph on streams of many threads: its callback runs once for each, and never beside itself.
#[test]
fn launches_of_a_graph_take_turns() {
    for context in contexts() {
        let (inside, calls) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&calls);
        let callback = move || {
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
            thread::sleep(Duration::from_micros(200));
            inside.fetch_sub(1, Ordering::SeqCst);
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let (graph, ()) = context.record(|r| r.call(callback)).unwrap();
        let graph = Mutex::new(graph);
        thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| {
                    let stream = context.stream().unwrap();
                    for _ in 0..20 {
                        graph.lock().unwrap().launch(&stream).unwrap();
                    }
                    stream.synchronize().unwrap(); // a callback that was not alone has panicked
                });
            }
        });
        assert_eq!(calls.load(Ordering::SeqCst), 80);
        drop(graph);
        assert_eq!(Arc::strong_count(&calls), 1);
    }
}
