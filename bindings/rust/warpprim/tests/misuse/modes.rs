//! What plans and graphs use, and for how long. See ../misuse.rs.
use std::rc::Rc;
use warpprim::{Buffer, Context, Graph, Key, Op, Plan, Recorder, Reduce, Result, Stream, View, ViewMut};

pub fn a_plan_has_types(stream: &Stream, plan: &mut Plan<f32, f64>) -> Result<()> {
    let (x, mut y) = (stream.zeros::<f32>(8)?, stream.zeros::<f64>(1)?);
    let (ints, mut floats) = (stream.zeros::<i32>(8)?, stream.zeros::<f32>(1)?);
    plan.launch(stream, &x, &mut y)?;
    plan.launch(stream, &ints, &mut y)?; //~ E0271
    plan.launch(stream, &x, &mut floats)?; //~ E0271
    plan.launch_counted(stream, &x, &ints, &mut y)?; //~ E0271
    plan.launch(stream, &[1f32; 8], &mut y)?; //~ E0277
    plan.launch(stream, &x, &mut [0f64; 1])?; //~ E0277
    Reduce::new(Op::Sum).n_on_device(&ints).enqueue(stream, &x, &mut y)?; //~ E0271
    drop((ints, &mut floats));
    Ok(())
}

pub fn a_plan_writes_what_is_lent_to_be_written(stream: &Stream, plan: &mut Plan<f32, f32>) -> Result<f32> {
    let (x, mut y) = (stream.zeros::<f32>(1)?, stream.zeros::<f32>(1)?);
    let elements = y.host(stream)?;
    plan.launch(stream, &x, &mut y)?; //~ E0502
    let first = elements[0];
    plan.launch(stream, &y, &mut y)?; //~ E0502
    plan.launch(stream, &x, &y)?; //~ E0308
    plan.launch(stream, &x, &mut y)?;
    Ok(first)
}

pub fn a_plan_is_launched_by_one_thread_at_a_time(plan: &Plan<f32, f32>, stream: &Stream) -> Result<()> {
    let (x, mut y) = (stream.zeros::<f32>(1)?, stream.zeros::<f32>(1)?);
    plan.launch(stream, &x, &mut y)?; //~ E0596
    stream.copy(&x, &mut y)
}

pub fn a_scope_keeps_what_its_plans_use(stream: &Stream, plan: &mut Plan<f32, f32>) -> Result<f32> {
    let (mut x, mut y) = ([1f32; 8], 0f32);
    stream.scope(|s| {
        s.launch(plan, &x, &mut y)?;
        x[0] = 2.0; //~ E0506
        s.launch(plan, &x, &mut y)?; //~ E0499
        Ok(())
    })?;
    x[0] = 3.0;
    Ok(x[0] + y)
}

pub fn a_count_is_borrowed(stream: &Stream) -> Result<()> {
    let (x, mut y, n) = (stream.zeros::<f32>(8)?, stream.zeros::<f32>(1)?, stream.zeros::<u64>(1)?);
    let counted = Reduce::new(Op::Sum).n_on_device(&n);
    drop(n); //~ E0505
    counted.enqueue(stream, &x, &mut y)
}

pub fn a_graph_owns_its_buffers(context: &Context, stream: &Stream) -> Result<()> {
    let (x, y) = (stream.zeros::<f32>(8)?, stream.zeros::<f32>(8)?);
    let (graph, ()) = context.record(|r| {
        let (a, b) = (r.hold(x), r.hold(y));
        drop(x); //~ E0382
        r.copy(a, b)
    })?;
    drop(graph);
    stream.zeros::<f32>(1).map(drop)
}

pub fn a_graph_keeps_what_it_borrows(context: &Context, stream: &Stream) -> Result<()> {
    let (mut x, mut y) = (stream.zeros::<f32>(8)?, stream.zeros::<f32>(8)?);
    let (mut graph, b) = context.record(|r| {
        let (a, b) = (r.hold(x.view(..)), r.hold(y.view_mut(..)));
        r.copy(a, b)?;
        r.reduce(Reduce::new(Op::Max), b, a)?; //~ E0277
        Ok(b)
    })?;
    x.detach(stream)?; //~ E0502
    y.view(..).len(); //~ E0502
    drop(x); //~ E0505
    graph.launch(stream)?;
    graph[b].write(stream, &[1.0; 8])?;
    drop(graph);
    x = stream.zeros(8)?;
    y.detach(stream)?;
    x.detach(stream)
}

pub fn nobody_looks_while_a_graph_is_launched(graph: &mut Graph, y: Key<Buffer<f32>>, stream: &Stream) -> Result<f32> {
    let elements = graph[y].host(stream)?;
    graph.launch(stream)?; //~ E0502
    graph[y].detach(stream)?; //~ E0502
    Ok(elements[0])
}

pub fn what_is_put_into_a_graph_lives_as_long<'a>(
    graph: &mut Graph<'a>,
    x: Key<View<'a, f32>>,
    y: Key<ViewMut<'a, f32>>,
    long: View<'a, f32>,
    stream: &Stream,
) -> Result<()> {
    let mut short = stream.zeros::<f32>(8)?;
    graph[x] = long;
    graph[x] = short.view(..); //~ E0597
    graph[y] = short.view_mut(..); //~ E0597
    graph.launch(stream)
}

pub fn memory_has_a_type(graph: &mut Graph, x: Key<Buffer<f32>>, stream: &Stream) -> Result<()> {
    graph[x] = stream.zeros::<f32>(8)?;
    graph[x] = stream.zeros::<i32>(8)?; //~ E0308
    Ok(())
}

pub fn graphs_hold_memory_of_a_device(context: &Context) -> Result<()> {
    let (host, vector) = ([1f32; 8], vec![1f32; 8]);
    context.record(|r| {
        r.hold(host); //~ E0277
        r.hold(vector); //~ E0277
        Ok(())
    })?;
    Ok(())
}

pub fn nodes_have_types(context: &Context, stream: &Stream) -> Result<()> {
    let (x, y, n) = (stream.zeros::<f32>(8)?, stream.zeros::<i32>(8)?, stream.zeros::<u64>(1)?);
    context.record(|r| {
        let (x, y, n) = (r.hold(x), r.hold(y), r.hold(n));
        r.copy(x, y)?; //~ E0271
        r.fill(y, 1.0)?; //~ E0308
        r.reduce_counted(Reduce::new(Op::Sum), x, y, n)?; //~ E0271
        r.fill(y, 1)?;
        Ok((x, n))
    })?;
    Ok(())
}

pub fn a_recorder_stays_inside(context: &Context) -> Result<()> {
    let mut kept: Option<&mut Recorder<'_>> = None;
    context.record(|r| {
        kept = Some(r); //~ E0521
        Ok(())
    })?;
    drop(kept);
    Ok(())
}

pub fn callbacks_of_a_graph_own_what_they_use(context: &Context) -> Result<()> {
    let (mut count, rc) = (0, Rc::new(1));
    context.record(|r| {
        r.call(|| Ok(count += 1))?; //~ E0597
        r.call(move || Ok(drop(rc.clone())))?; //~ E0277
        r.call(|| Ok(()))
    })?;
    Ok(())
}
