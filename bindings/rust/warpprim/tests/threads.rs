//! What the types allow across threads, done across threads.

mod support;

use std::sync::mpsc::channel;
use std::thread;

use support::{contexts, Rng};
use warpprim::{Buffer, Context, Event, Op, Reduce, Stream};

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
