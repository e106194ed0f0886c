//! Which type goes where. See ../misuse.rs.
use std::rc::Rc;
use warpprim::{Buffer, Context, DType, Element, Event, Op, Reduce, Result, Stream};

pub fn threads(context: &Context, stream: Stream, event: Event, buffer: &Buffer<f32>) {
    std::thread::scope(|s| {
        s.spawn(|| context.info().map(drop));
        s.spawn(|| buffer.len());
        s.spawn(|| stream.synchronize()); //~ E0277
        s.spawn(|| event.synchronize()); //~ E0277
    });
    std::thread::spawn(move || (stream.synchronize(), event.synchronize()));
}

pub fn memory_of_callbacks(stream: &Stream) -> Result<()> {
    let rc = Rc::new(1);
    stream.call(move || Ok(drop(rc)))?; //~ E0277
    Ok(())
}

pub fn outputs(stream: &Stream) -> Result<()> {
    let (x, mut y) = ([1f32; 8], 0f32);
    let (device_x, mut device_y) = (stream.upload(&x)?, stream.zeros::<f32>(1)?);
    let sum = Reduce::new(Op::Sum);
    sum.run(stream, &x, &mut y)?;
    sum.run(stream, &x, &y)?; //~ E0308
    sum.enqueue(stream, &device_x, &mut device_y)?;
    sum.enqueue(stream, &device_x, &device_y)?; //~ E0308
    sum.enqueue(stream, &device_x, &mut device_y.view(..))?; //~ E0277
    Ok(())
}

pub fn borrowed_memory_is_not_enqueued(stream: &Stream) -> Result<()> {
    let (x, mut y) = (stream.zeros::<f32>(8)?, stream.zeros::<f32>(1)?);
    let sum = Reduce::new(Op::Sum);
    sum.enqueue(stream, &x.view(..), &mut y.view_mut(..))?;
    sum.enqueue(stream, &[1f32; 8], &mut y)?; //~ E0277
    sum.enqueue(stream, &x, &mut [0f32; 1])?; //~ E0277
    stream.fill(&mut [0f32; 1], 1.0)?; //~ E0277
    Ok(())
}

pub fn elements(stream: &Stream) -> Result<()> {
    let (mut x, mut y) = (stream.zeros::<f32>(8)?, stream.zeros::<i32>(8)?);
    stream.zeros::<u128>(8)?; //~ E0277
    stream.upload(&["text"])?; //~ E0277
    stream.copy(&x, &mut y)?; //~ E0271
    stream.fill(&mut y, 1f32)?; //~ E0308
    x.write(stream, &[1f64])?; //~ E0308
    stream.copy(&stream.upload(&[1i32; 8])?, &mut y)?;
    x.write(stream, &[1.0; 8])
}

#[derive(Clone, Copy)]
pub struct Mine(pub f32);
impl Element for Mine { const DTYPE: DType = DType::F32; } //~ E0277
