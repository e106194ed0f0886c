//! What the tests share.
#![allow(dead_code)] // each test is a program of its own, and uses a part

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::sync::Arc;

use warpprim::{Buffer, Context, Device, Graph, Key, Op, Reduce, Result, Status, Stream};

/// Elements of what is large enough not to be done at once.
pub const N: usize = 1 << 18;

/// The CPU, and the first GPU where there is one.
pub fn contexts() -> Vec<Context> {
    let mut contexts = vec![Context::cpu().unwrap()];
    if Device::cuda_count().unwrap() > 0 {
        contexts.push(Context::cuda(0).unwrap());
    }
    contexts
}

/// Whether the host reaches the context's memory.
pub fn is_cpu(context: &Context) -> bool {
    context.device() == Device::Cpu
}

/// Random numbers that are the same in every run (splitmix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Two that are not the same, the second to be written.
pub fn two<T>(slots: &mut [T], from: usize, to: usize) -> (&T, &mut T) {
    if from < to {
        let (low, high) = slots.split_at_mut(to);
        (&low[from], &mut high[0])
    } else {
        let (low, high) = slots.split_at_mut(from);
        (&high[0], &mut low[to])
    }
}

/// Stops the stream until something is sent, so that what is enqueued behind it is in flight.
pub fn stop(stream: &Stream) -> Sender<()> {
    // A GPU may load a kernel only when it is idle. Those of copies and fills are loaded with the context; the sum that is used behind
    // the stop runs once before.
    let (x, mut sum) = (stream.zeros::<i32>(N).unwrap(), stream.zeros::<i64>(1).unwrap());
    Reduce::new(Op::Sum).run(stream, &x, &mut sum).unwrap();
    let (send, receive) = channel();
    stream.call(move || receive.recv().map_err(|_| Status::Callback)).unwrap();
    send
}

/// A graph that sums N times the value of its fill, and says so to `calls`.
pub fn summing(stream: &Stream, calls: &Arc<AtomicUsize>) -> (Graph<'static>, Key<Buffer<i32>>, Key<Buffer<i64>>) {
    let (x, sum) = (stream.zeros::<i32>(N).unwrap(), stream.zeros::<i64>(1).unwrap());
    let calls = Arc::clone(calls);
    let recorded = stream.context().record(|r| {
        let (x, sum) = (r.hold(x), r.hold(sum));
        r.fill(x, 1)?;
        r.reduce(Reduce::new(Op::Sum), x, sum)?;
        r.call(move || {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })?;
        Ok((x, sum))
    });
    let (graph, (x, sum)) = recorded.unwrap();
    (graph, x, sum)
}

/// That a call was refused, with this word in its text.
pub fn refused<T>(result: Result<T>, word: &str) {
    let error = result.err().expect("it is refused");
    assert_eq!(error.status(), Status::InvalidArgument, "{error}");
    assert!(error.message().contains(word), "{word} is not in: {error}");
}
