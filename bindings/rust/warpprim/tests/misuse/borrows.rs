//! Who borrows what, and for how long. See ../misuse.rs.
use warpprim::{Op, Reduce, Result, Scope, Stream};

pub fn one_buffer_in_and_out(stream: &Stream) -> Result<()> {
    let mut x = stream.zeros::<f32>(1)?;
    let y = stream.zeros::<f32>(1)?;
    Reduce::new(Op::Sum).enqueue(stream, &y, &mut x)?;
    Reduce::new(Op::Sum).enqueue(stream, &x, &mut x)?; //~ E0502
    stream.copy(&x, &mut x)?; //~ E0502
    Ok(())
}

pub fn the_host_looks_while_work_writes(stream: &Stream) -> Result<f32> {
    let mut x = stream.zeros::<f32>(1)?;
    let elements = x.host(stream)?;
    stream.fill(&mut x, 1.0)?; //~ E0502
    x.detach(stream)?; //~ E0502
    drop(x); //~ E0505
    Ok(elements[0])
}

pub fn the_host_writes_while_work_reads(stream: &Stream) -> Result<()> {
    let (mut x, mut y) = (stream.zeros::<f32>(1)?, stream.zeros::<f32>(1)?);
    let elements = x.host_mut(stream)?;
    stream.copy(&x, &mut y)?; //~ E0502
    elements[0] = 1.0;
    Ok(())
}

pub fn views_do_not_outlive_their_buffer(stream: &Stream) -> Result<()> {
    let (mut x, mut y) = (stream.zeros::<f32>(8)?, stream.zeros::<f32>(8)?);
    let view = x.view(..);
    drop(x); //~ E0505
    stream.fill(&mut x, 1.0)?; //~ E0502
    stream.copy(&view, &mut y)
}

pub fn a_scope_keeps_what_it_borrows(stream: &Stream) -> Result<f32> {
    let (mut x, mut sum, mut total) = (vec![1f32; 8], 0f32, 0f32);
    stream.scope(|s| {
        s.reduce(Reduce::new(Op::Sum), &x, &mut sum)?;
        total += sum; //~ E0503
        x[0] = 2.0; //~ E0502
        s.reduce(Reduce::new(Op::Max), &x, &mut sum)?; //~ E0499
        Ok(())
    })?;
    x[0] = 3.0;
    Ok(sum + total)
}

pub fn a_scope_outlives_its_locals(stream: &Stream) -> Result<f32> {
    let mut sum = 0f32;
    stream.scope(|s| {
        let x = [1f32; 8];
        s.reduce(Reduce::new(Op::Sum), &x, &mut sum)?; //~ E0597
        drop(x);
        Ok(())
    })?;
    Ok(sum)
}

pub fn a_scope_stays_inside(stream: &Stream) -> Result<()> {
    let mut kept: Option<&Scope<'_, '_>> = None;
    stream.scope(|s| {
        kept = Some(s); //~ E0521
        s.stream().synchronize()
    })?;
    drop(kept);
    Ok(())
}

pub fn callbacks_own_what_they_use(stream: &Stream) -> Result<()> {
    let (mut count, mut lent) = (0, 0);
    stream.scope(|s| s.call(|| Ok(lent += 1)))?;
    stream.call(|| Ok(count += 1))?; //~ E0373
    stream.call(move || Ok(drop(lent)))
}

pub fn elements_stay_in_their_callback(stream: &Stream) -> Result<()> {
    let mut x = stream.zeros::<f32>(8)?;
    let (send, receive) = std::sync::mpsc::channel::<&'static mut [f32]>();
    stream.call_with(&mut x, move |elements| {
        let _ = (send.clone(), elements.len());
        let _ = send.send(elements); //~ E0521
        Ok(())
    })?;
    drop(receive);
    Ok(())
}
