//! Graphs: what their nodes do, what they refuse, and what may be dropped in flight.

mod support;

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use support::{contexts, refused, stop, summing, N};
use warpprim::{Format, Op, Reduce, Status};

#[test]
fn a_graph_follows_what_it_finds_out() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let (x, n, sum) =
            (stream.zeros(100).unwrap(), stream.zeros::<u64>(1).unwrap(), stream.zeros::<i64>(1).unwrap());
        let (mut graph, (x, sum)) = context
            .record(|r| {
                let (x, n, sum) = (r.hold(x), r.hold(n), r.hold(sum));
                r.reduce(Reduce::new(Op::CountNonzero), x, n)?;
                r.reduce_counted(Reduce::new(Op::Sum), x, n, sum)?;
                Ok((x, sum))
            })
            .unwrap();
        for nonzero in [0, 3, 100] {
            let elements: Vec<i32> = (0..100).map(|i| if i < nonzero { 5 } else { 0 }).collect();
            graph[x].write(&stream, &elements).unwrap();
            graph.launch(&stream).unwrap();
            assert_eq!(graph[sum].to_vec(&stream).unwrap(), [5 * nonzero as i64]);
        }
    }
}

#[test]
fn graphs_run_their_nodes_in_order() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let (x, mut y) = (stream.zeros::<i32>(50).unwrap(), stream.zeros::<i32>(100).unwrap());
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let (low, high) = y.view_mut(..).split_at(50);
        let (mut graph, (value, low, high)) = context
            .record(|r| {
                assert_eq!(r.context(), &context);
                let (x, low, high) = (r.hold(x), r.hold(low), r.hold(high));
                let value = r.fill(x, 1)?;
                r.copy(x, low)?;
                r.fill(x, 2)?;
                r.copy(x, high)?;
                r.call(move || {
                    counted.fetch_add(1, Ordering::Relaxed);
                    Ok(())
                })?;
                Ok((value, low, high))
            })
            .unwrap();
        for again in 1..=3 {
            graph.set(value, again).unwrap();
            graph.launch(&stream).unwrap();
            let (mut first, mut second) = ([0; 50], [0; 50]);
            graph[low].read(&stream, &mut first).unwrap();
            graph[high].read(&stream, &mut second).unwrap();
            assert_eq!((first, second), ([again; 50], [2; 50]));
            assert_eq!(calls.load(Ordering::Relaxed), again as usize);
        }
        drop(graph);
        stream.synchronize().unwrap();
        assert_eq!(Arc::strong_count(&calls), 1);
        assert_eq!(y.to_vec(&stream).unwrap(), [[3; 50], [2; 50]].concat()); // the borrow has ended
    }
}

#[test]
fn a_failing_callback_of_a_graph_is_a_late_error() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let x = stream.zeros::<i32>(4).unwrap();
        let (mut graph, x) = context
            .record(|r| {
                let x = r.hold(x);
                r.call(|| Err(Status::Callback))?;
                r.call(|| panic!("on purpose"))?;
                r.fill(x, 3)?;
                Ok(x)
            })
            .unwrap();
        for _ in 0..2 {
            graph.launch(&stream).unwrap();
            assert_eq!(stream.synchronize().unwrap_err().status(), Status::Callback);
            assert_eq!(graph[x].to_vec(&stream).unwrap(), [3; 4]);
            graph[x].write(&stream, &[0; 4]).unwrap();
        }
    }
}

#[test]
fn graphs_refuse_other_memory() {
    for context in contexts() {
        let (stream, other) = (context.stream().unwrap(), context.stream().unwrap());
        let zeros = |n| stream.zeros::<i32>(n).unwrap();
        let record = |x, y| {
            context.record(|r| {
                let (x, y) = (r.hold(x), r.hold(y));
                r.copy(x, y)?;
                Ok((x, y))
            })
        };
        refused(record(zeros(3), zeros(4)), "elements");
        let (mut graph, (x, y)) = record(zeros(4), zeros(4)).unwrap();
        refused(graph.launch(&other), "memory 0 of the graph is at home");
        graph[y] = zeros(5);
        refused(graph.launch(&stream), "memory 1 has 5 elements");
        graph[y] = zeros(4);
        graph[x].detach(&stream).unwrap();
        refused(graph.launch(&stream), "detached");
        graph[x].attach(&other).unwrap();
        refused(graph.launch(&stream), "at home");
        graph[y].detach(&stream).unwrap();
        graph[y].attach(&other).unwrap();
        graph.launch(&other).unwrap(); // all of it has moved

        // Keys and values are of one graph.
        let (mut second, (a, _)) = record(zeros(4), zeros(4)).unwrap();
        assert!(catch_unwind(AssertUnwindSafe(|| graph[a].len())).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| second[x] = zeros(4))).is_err());
        let wrong = context.record(|r| {
            let mine = r.hold(zeros(4));
            refused(r.copy(mine, a), "another graph");
            refused(r.fill(a, 1), "another graph");
            refused(r.reduce(Reduce::new(Op::Max), a, mine), "another graph");
            refused(r.copy(mine, mine), "overlap");
            let n = stream.zeros::<u64>(1).unwrap();
            let (x, y) = (r.hold(zeros(4)), r.hold(zeros(1)));
            refused(r.reduce(Reduce::new(Op::Max).n_on_device(&n), x, y), "reduce_counted");
            r.fill(mine, 1) // what was refused is not in the graph
        });
        let (mut filled, value) = wrong.unwrap();
        refused(graph.set(value, 1), "another graph");
        filled.set(value, 2).unwrap();
        filled.launch(&stream).unwrap();
        let failing = context.record(|_| Reduce::new(Op::Max).run(&stream, &zeros(2), &mut zeros(2)));
        refused(failing, "output");
    }
}

#[test]
fn graphs_of_nothing() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let (mut graph, ()) = context.record(|_| Ok(())).unwrap();
        graph.launch(&stream).unwrap();
        let (mut graph, x) = context.record(|r| Ok(r.hold(stream.zeros::<u8>(0)?))).unwrap();
        graph.launch(&stream).unwrap();
        graph[x] = stream.zeros(0).unwrap();
        graph.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        drop(graph.describe(Format::Text).unwrap());
    }
}

#[test]
fn graphs_dropped_in_flight() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let calls = Arc::new(AtomicUsize::new(0));
        let (mut graph, x, sum) = summing(&stream, &calls);
        graph.launch(&stream).unwrap();
        stream.synchronize().unwrap(); // a GPU has loaded its kernels
        let go = stop(&stream);
        graph.launch(&stream).unwrap();
        graph[x] = stream.zeros(N).unwrap(); // what is in flight still uses the other
        let result = std::mem::replace(&mut graph[sum], stream.zeros(1).unwrap());
        graph.launch(&stream).unwrap();
        drop(graph);
        assert_eq!(Arc::strong_count(&calls), 2, "the callback is still to come");
        go.send(()).unwrap();
        assert_eq!(result.to_vec(&stream).unwrap(), [N as i64]);
        stream.synchronize().unwrap();
        assert_eq!((calls.load(Ordering::Relaxed), Arc::strong_count(&calls)), (3, 1));
    }
}

#[test]
fn graphs_that_outlive_their_stream() {
    for context in contexts() {
        let calls = Arc::new(AtomicUsize::new(0));
        let (mut first, last) = (context.stream().unwrap(), context.stream().unwrap());
        let (mut graph, x, sum) = summing(&first, &calls);
        graph.launch(&first).unwrap();
        first.synchronize().unwrap();
        let go = stop(&first);
        graph.launch(&first).unwrap();
        first = context.stream().unwrap();
        graph[x].attach(&last).unwrap(); // waits for the dropped stream's work, on the device
        graph[sum].attach(&last).unwrap();
        graph.launch(&last).unwrap();
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        std::thread::spawn(move || go.send(()));
        drop((first, context));
        drop(graph); // waits for the stream that nobody has
        last.synchronize().unwrap();
        assert_eq!((calls.load(Ordering::Relaxed), Arc::strong_count(&calls)), (3, 1));
    }
}

#[test]
fn a_recording_that_fails_or_panics_leaves_nothing() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let held = Arc::new(());
        for panics in [false, true] {
            let (x, held) = (stream.zeros::<i32>(N).unwrap(), Arc::clone(&held));
            let recording = AssertUnwindSafe(|| {
                context.record(|r| -> warpprim::Result<()> {
                    let x = r.hold(x);
                    r.call(move || {
                        let _ = Arc::strong_count(&held);
                        Ok(())
                    })?;
                    r.fill(x, 1)?;
                    assert!(!panics, "on purpose");
                    Reduce::new(Op::Xor).run(&stream, &stream.zeros::<f32>(1)?, &mut stream.zeros::<f32>(1)?)
                })
            });
            match catch_unwind(recording) {
                Ok(result) => assert_eq!(result.unwrap_err().status(), Status::Unsupported),
                Err(_) => assert!(panics),
            }
        }
        stream.synchronize().unwrap();
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
