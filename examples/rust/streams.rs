//! Two streams: one makes data with a host callback, the other sums it once it is handed over. Then an error of each kind: one told
//! by the call itself, one told late, when the work has run.
use warpprim::{Context, Op, Reduce, Result, Status};

const N: usize = 1 << 20;

fn main() -> Result<()> {
    let ctx = Context::cpu()?;
    let (producer, consumer) = (ctx.stream()?, ctx.stream()?);
    let mut data = producer.zeros::<i32>(N)?;
    let mut sum = consumer.zeros::<i64>(1)?; // integers sum to 64 bits

    // Host callbacks run on a thread of the library, in the order of their stream. They must not call warpprim.
    let modulus = 8;
    producer.call_with(&mut data, move |data| {
        data.iter_mut().zip(0..).for_each(|(x, i)| *x = i % modulus);
        Ok(())
    })?;
    data.detach(&producer)?; // once what was enqueued so far is done,
    data.attach(&consumer)?; // the other stream goes on with it: nothing has waited yet
    Reduce::new(Op::Sum).enqueue(&consumer, &data, &mut sum)?;
    let sum = sum.host(&consumer)?[0];
    println!("sum {sum}");

    let mut xor = 0f32;
    let now = Reduce::new(Op::Xor).run(&consumer, &[1f32, 2.0], &mut xor).unwrap_err();
    println!("told at once: {:?}\n  {now}", now.status());

    producer.call(|| Err(Status::Callback))?;
    let late = producer.synchronize().unwrap_err();
    println!("told late:    {:?}\n  {late}", late.status());

    assert_eq!((sum, now.status(), late.status()), (3670016, Status::Unsupported, Status::Callback));
    producer.synchronize() // a late error is told once
}
