//! Plans, graphs and resident streams: the same results as eager calls, to the bit.

mod support;

use support::{contexts, is_cpu, Rng};
use warpprim::{Context, Format, Op, Reduce, Result, Status, StreamOptions};

const OPS: [Op; 8] = [Op::Sum, Op::Max, Op::ArgMin, Op::MinMax, Op::Var, Op::L2, Op::LogSumExp, Op::CountNonzero];
const LENGTHS: [usize; 8] = [0, 1, 33, 1000, 4097, 30_000, 70_001, 300_000];

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
