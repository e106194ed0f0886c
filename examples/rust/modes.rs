//! The same sums in four ways: called, prepared once (a plan), recorded and launched as one (a graph), and posted (a resident
//! stream). Each time with other memory. The results have the same bits.
use warpprim::{Context, Op, Reduce, Result, StreamOptions};

const N: usize = 1000;
const TIMES: usize = 3;

fn main() -> Result<()> {
    let ctx = Context::cpu()?;
    let (stream, resident) = (ctx.stream()?, ctx.stream_with(StreamOptions::new().resident(true))?);
    let sum = Reduce::new(Op::Sum);

    let (x, mut y) = (stream.zeros::<f32>(N)?, stream.zeros::<f32>(1)?);
    let mut plan = sum.plan(&ctx, &x, &mut y)?; // for memory like this
    let (mut graph, (input, output, filled)) = ctx.record(|r| {
        let (x, y) = (r.hold(x), r.hold(y)); // a graph holds the memory that it uses
        let filled = r.fill(x, 0.0)?; // what is called here is a node each, and runs later
        r.reduce(sum, x, y)?;
        Ok((x, y, filled))
    })?;

    let mut sums = Vec::new();
    for i in 0..TIMES {
        let value = 0.1 * (i + 1) as f32;
        let (mut x, mut y) = (stream.upload(&[value; N])?, stream.zeros::<f32>(1)?);
        sum.enqueue(&stream, &x, &mut y)?;
        let eager = y.host(&stream)?[0];

        plan.launch(&stream, &x, &mut y)?;
        let planned = y.host(&stream)?[0];

        graph[input] = stream.zeros(N)?;
        graph[output] = stream.zeros(1)?;
        graph.set(filled, value)?;
        graph.launch(&stream)?;
        let launched = graph[output].host(&stream)?[0];

        x.detach(&stream)?; // memory belongs to one stream at a time
        x.attach(&resident)?;
        let mut y = resident.zeros::<f32>(1)?;
        sum.enqueue(&resident, &x, &mut y)?;
        sums.push([eager, planned, launched, y.host(&resident)?[0]]);
    }
    for (way, name) in ["eager", "plan", "graph", "resident"].iter().enumerate() {
        println!("{name:8} {} {} {}", sums[0][way], sums[1][way], sums[2][way]);
        assert!(sums.iter().all(|sum| sum[way].to_bits() == sum[0].to_bits()));
    }
    Ok(())
}
