//! Plans, graphs, resident streams and counts on the device: the same results as eager calls, and what is refused.

mod support;

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use support::{contexts, is_cpu, Rng};
use warpprim::{Context, Format, Op, Reduce, Result, Status, StreamOptions};

const OPS: [Op; 8] = [Op::Sum, Op::Max, Op::ArgMin, Op::MinMax, Op::Var, Op::L2, Op::LogSumExp, Op::CountNonzero];
const LENGTHS: [usize; 8] = [0, 1, 33, 1000, 4097, 30_000, 70_001, 300_000];

/// That a call was refused, with this word in its text.
fn refused<T>(result: Result<T>, word: &str) {
    let error = result.err().expect("it is refused");
    assert_eq!(error.status(), Status::InvalidArgument, "{error}");
    assert!(error.message().contains(word), "{word} is not in: {error}");
}

/// Bits of the results of one op in each mode, twice with other memory.
macro_rules! each_way {
    ($U:ty, $context:expr, $op:expr, $x:expr, $outputs:expr) => {{
        let (context, reduce) = ($context, Reduce::new($op));
        let (stream, resident) = (context.stream()?, context.stream_with(StreamOptions::new().resident(true))?);
        let (x, y) = (stream.upload($x)?, stream.upload($x)?);
        let mut seen: Vec<(&str, Vec<$U>)> = Vec::new();

        let mut out = stream.zeros::<$U>($outputs)?;
        reduce.enqueue(&stream, &x, &mut out)?;
        seen.push(("eager", out.to_vec(&stream)?));

        let z = resident.upload($x)?;
        let mut out = resident.zeros::<$U>($outputs)?;
        reduce.enqueue(&resident, &z, &mut out)?;
        seen.push(("resident", out.to_vec(&resident)?));

        let (mut first, mut second) = (stream.zeros::<$U>($outputs)?, stream.zeros::<$U>($outputs)?);
        let mut plan = reduce.plan(context, &x, &mut first)?;
        plan.launch(&stream, &x, &mut first)?;
        plan.launch(&stream, &y, &mut second)?;
        seen.push(("plan", first.to_vec(&stream)?));
        seen.push(("plan with other memory", second.to_vec(&stream)?));
        let mut out = resident.zeros::<$U>($outputs)?;
        plan.launch(&resident, &z, &mut out)?;
        seen.push(("plan on a resident stream", out.to_vec(&resident)?));

        let (mut graph, (input, output)) = context.record(|r| {
            let (input, output) = (r.hold(x), r.hold(first));
            r.reduce(reduce, input, output)?;
            Ok((input, output))
        })?;
        graph.launch(&stream)?;
        seen.push(("graph", graph[output].to_vec(&stream)?));
        (graph[input], graph[output]) = (y, second);
        graph.launch(&stream)?;
        seen.push(("graph with other memory", graph[output].to_vec(&stream)?));
        (graph[input], graph[output]) = (z, out);
        graph.launch(&resident)?;
        seen.push(("graph on a resident stream", graph[output].to_vec(&resident)?));
        seen
    }};
}

fn agree(context: &Context, op: Op, x: &[f32]) -> Result<()> {
    let n = x.len();
    match op {
        Op::ArgMin => {
            let seen = each_way!(i64, context, op, x, 1);
            seen.iter().for_each(|(way, got)| assert_eq!(*got, seen[0].1, "{op:?} of {n}: {way}"));
        }
        Op::CountNonzero => {
            let seen = each_way!(u64, context, op, x, 1);
            seen.iter().for_each(|(way, got)| assert_eq!(*got, seen[0].1, "{op:?} of {n}: {way}"));
        }
        _ => {
            let seen = each_way!(f32, context, op, x, if op == Op::MinMax { 2 } else { 1 });
            let bits = |got: &[f32]| got.iter().map(|y| y.to_bits()).collect::<Vec<_>>();
            seen.iter().for_each(|(way, got)| assert_eq!(bits(got), bits(&seen[0].1), "{op:?} of {n}: {way}"));
        }
    }
    Ok(())
}

#[test]
fn modes_agree_to_the_bit() {
    let mut rng = Rng(11);
    for n in LENGTHS {
        let x: Vec<f32> = (0..n).map(|_| rng.below(2001) as f32 / 7.0 - 140.0).collect();
        for context in contexts() {
            OPS.iter().for_each(|&op| agree(&context, op, &x).unwrap());
        }
    }
}

#[test]
fn plans_take_what_calls_take() {
    let context = Context::cpu().unwrap();
    let stream = context.stream().unwrap();
    let (x, y) = (vec![1i32; 6000], vec![2i32; 6000]);
    let (mut a, mut b) = ([0i64; 3], [0i64; 3]);
    let mut plan = Reduce::new(Op::Sum).rows(3).plan(&context, &x, &mut a).unwrap();
    plan.run(&stream, &x, &mut a).unwrap();
    plan.run(&stream, &y, &mut b).unwrap();
    assert_eq!((a, b), ([2000; 3], [4000; 3]));
    stream
        .scope(|s| {
            s.launch(&mut plan, &y, &mut a)?;
            s.launch(&mut plan, &x, &mut b)
        })
        .unwrap();
    assert_eq!((a, b), ([4000; 3], [2000; 3]));
    assert_eq!(plan.context(), &context);
    assert!(format!("{plan:?}").contains("6000 of I32"));
}

#[test]
fn plans_refuse_other_memory() {
    for context in contexts() {
        let (stream, other) = (context.stream().unwrap(), context.stream().unwrap());
        let (x, mut sum) = (stream.zeros::<f32>(8).unwrap(), stream.zeros::<f32>(1).unwrap());
        let sum_of = Reduce::new(Op::Sum);
        refused(sum_of.rows(3).plan(&context, &x, &mut sum), "input");
        refused(sum_of.rows(2).plan(&context, &x, &mut sum), "output");
        assert_eq!(Reduce::new(Op::Xor).plan(&context, &x, &mut sum).unwrap_err().status(), Status::Unsupported);

        let mut plan = sum_of.plan(&context, &x, &mut sum).unwrap();
        refused(plan.launch(&stream, &x.view(1..), &mut sum), "7 elements");
        refused(plan.launch(&other, &x, &mut sum), "at home");
        refused(plan.launch_counted(&stream, &x, &stream.zeros::<u64>(1).unwrap(), &mut sum), "n_on_device");
        let mut two = stream.zeros::<f32>(2).unwrap();
        refused(plan.launch(&stream, &x, &mut two), "2 elements");
        plan.launch(&stream, &x, &mut two.view_mut(1..)).unwrap(); // as good as before
        let far = Context::open(context.device()).unwrap().stream().unwrap();
        let (x, mut sum) = (far.zeros::<f32>(8).unwrap(), far.zeros::<f32>(1).unwrap());
        assert_eq!(plan.launch(&far, &x, &mut sum).unwrap_err().status(), Status::InvalidHandle);
    }
}

#[test]
fn counts_are_read_when_the_op_runs() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let x = stream.upload(&[1i32; 1000]).unwrap();
        let (mut n, mut sum) = (stream.zeros::<u64>(1).unwrap(), stream.zeros::<i64>(1).unwrap());
        let mut plan = Reduce::new(Op::Sum).n_on_device(&n).plan(&context, &x, &mut sum).unwrap();
        for (given, wanted) in [(0, 0), (1, 1), (999, 999), (1000, 1000), (1001, 1000), (u64::MAX, 1000)] {
            stream.fill(&mut n, given).unwrap();
            Reduce::new(Op::Sum).n_on_device(&n).enqueue(&stream, &x, &mut sum).unwrap();
            assert_eq!(sum.to_vec(&stream).unwrap(), [wanted]);
            stream.fill(&mut sum, -1).unwrap();
            plan.launch_counted(&stream, &x, &n, &mut sum).unwrap();
            assert_eq!(sum.to_vec(&stream).unwrap(), [wanted]);
        }
        refused(plan.launch(&stream, &x, &mut sum), "launch_counted");
        let two = stream.zeros::<u64>(2).unwrap();
        refused(plan.launch_counted(&stream, &x, &two, &mut sum), "n_on_device");
        refused(Reduce::new(Op::Sum).n_on_device(&two).enqueue(&stream, &x, &mut sum), "n_on_device");
        let other = context.stream().unwrap();
        let far = other.zeros::<u64>(1).unwrap();
        refused(Reduce::new(Op::Sum).n_on_device(&far).enqueue(&stream, &x, &mut sum), "n_on_device is at home");
        let (rows, mut sums) = (Reduce::new(Op::Sum).rows(2).n_on_device(&n), stream.zeros::<i64>(2).unwrap());
        refused(rows.enqueue(&stream, &x, &mut sums), "rows");
    }
}

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
fn descriptions_name_the_op() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let (x, mut sum) = (stream.zeros::<f32>(1000).unwrap(), stream.zeros::<f32>(1).unwrap());
        let plan = Reduce::new(Op::Sum).plan(&context, &x, &mut sum).unwrap();
        let (text, json) = (plan.describe(Format::Text).unwrap(), plan.describe(Format::Json).unwrap());
        assert!(text.lines().any(|line| line == "op: reduce sum"), "{text}");
        assert!(text.lines().all(|line| line.contains(": ")), "{text}");
        assert!(json.starts_with('{') && json.ends_with('}') && json.contains("\"cols\": 1000"), "{json}");
        let (graph, ()) = context
            .record(|r| {
                let (x, sum) = (r.hold(x), r.hold(sum));
                r.fill(x, 1.0)?;
                r.reduce(Reduce::new(Op::Sum), x, sum)
            })
            .unwrap();
        let (text, json) = (graph.describe(Format::Text).unwrap(), graph.describe(Format::Json).unwrap());
        assert!(text.contains("op: fill") && text.contains("op: reduce sum"), "{text}");
        assert!(json.contains("\"after\": [0]"), "{json}");
    }
}

/// A resident stream is a stream: order, callbacks, late errors, events, buffers that come and go.
#[test]
fn resident_streams_are_streams() {
    for context in contexts() {
        let resident = context.stream_with(StreamOptions::new().resident(true).priority(-1)).unwrap();
        let stream = context.stream().unwrap();
        let event = context.event().unwrap();
        let mut x = stream.zeros::<i32>(1000).unwrap();
        let mut sum = resident.pinned_zeros::<i64>(1).unwrap();
        for i in 1..=50 {
            stream.fill(&mut x, i).unwrap();
            x.detach(&stream).unwrap();
            x.attach(&resident).unwrap();
            Reduce::new(Op::Sum).enqueue(&resident, &x, &mut sum).unwrap();
            assert_eq!(sum.host(&resident).unwrap(), [1000 * i as i64]);
            event.record(&resident).unwrap();
            stream.wait(&event).unwrap();
            x.detach(&resident).unwrap();
            x.attach(&stream).unwrap();
        }
        resident.call(|| Err(Status::Callback)).unwrap();
        assert_eq!(resident.synchronize().unwrap_err().status(), Status::Callback);
        if is_cpu(&context) {
            let (lent, mut result) = (vec![3i32; 70_000], 0i64);
            resident.scope(|s| s.reduce(Reduce::new(Op::Sum), &lent, &mut result)).unwrap();
            assert_eq!(result, 210_000);
        }
    }
}
