//! Buffers, views, copies, the host's own look at memory, and events.

mod support;

use support::{contexts, is_cpu};
use warpprim::{Buffer, Context, Device, Op, Reduce, Status, View, ViewMut};

#[test]
fn contents_go_in_and_come_out() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut x = stream.upload(&[1i16, 2, 3]).unwrap();
        assert_eq!((x.len(), x.is_empty(), x.to_vec(&stream).unwrap()), (3, false, vec![1, 2, 3]));
        x.write(&stream, &[4, 5, 6]).unwrap();
        let mut y = stream.zeros(3).unwrap();
        stream.copy(&x, &mut y).unwrap();
        stream.fill(&mut x, -1).unwrap();
        let mut back = [0; 3];
        y.read(&stream, &mut back).unwrap();
        assert_eq!((back, x.to_vec(&stream).unwrap()), ([4, 5, 6], vec![-1; 3]));
        assert_eq!(stream.zeros::<bool>(5).unwrap().to_vec(&stream).unwrap(), [false; 5]);
        assert_eq!(stream.zeros::<f64>(70_000).unwrap().to_vec(&stream).unwrap(), vec![0.0; 70_000]);
    }
}

#[test]
fn nothing_is_a_size_too() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        for mut x in [stream.zeros::<u64>(0), stream.upload(&[]), stream.pinned_zeros(0)].map(Result::unwrap) {
            let mut y = stream.zeros(0).unwrap();
            stream.copy(&x, &mut y).unwrap();
            stream.fill(&mut x, 1).unwrap();
            x.write(&stream, &[]).unwrap();
            assert_eq!(x.to_vec(&stream).unwrap(), []);
            let mut sum = stream.zeros::<u64>(1).unwrap();
            Reduce::new(Op::Prod).enqueue(&stream, &x, &mut sum).unwrap();
            assert_eq!(sum.to_vec(&stream).unwrap(), [1]);
            assert!(x.view(..).is_empty() && x.view_mut(0..0).is_empty());
            x.detach(&stream).unwrap();
            x.attach(&stream).unwrap();
        }
    }
}

#[test]
fn views_are_parts() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut x = stream.upload(&(0..10).collect::<Vec<i32>>()).unwrap();
        let mut sum = stream.zeros::<i64>(1).unwrap();
        Reduce::new(Op::Sum).enqueue(&stream, &x.view(2..=4).part(1..), &mut sum).unwrap();
        assert_eq!(sum.to_vec(&stream).unwrap(), [3 + 4]);
        let (low, mut high) = x.view_mut(..).split_at(5);
        stream.copy(&low, &mut high).unwrap();
        high.part(..1).write(&stream, &[9]).unwrap();
        let mut two = [0; 2];
        x.view(4..).part(..2).read(&stream, &mut two).unwrap();
        assert_eq!((two, x.to_vec(&stream).unwrap()), ([4, 9], vec![0, 1, 2, 3, 4, 9, 1, 2, 3, 4]));
        let end = x.len();
        assert!(x.view(end..).is_empty());
        for (start, stop) in [(0, 11), (11, 11), (5, 4), (0, usize::MAX), (usize::MAX, usize::MAX)] {
            let view = std::panic::AssertUnwindSafe(|| x.view(start..stop).len());
            assert!(std::panic::catch_unwind(view).is_err(), "{start}..{stop}");
        }
    }
}

#[test]
fn the_host_sees_memory_in_its_turn() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut buffers = vec![stream.pinned_zeros::<u32>(1000).unwrap()];
        if is_cpu(&context) {
            buffers.push(stream.zeros(1000).unwrap());
        }
        for mut x in buffers {
            stream.fill(&mut x, 2).unwrap();
            stream
                .call_with(&mut x, |x| {
                    x.iter_mut().for_each(|x| *x *= 3);
                    Ok(())
                })
                .unwrap();
            let mut sum = stream.zeros::<u64>(1).unwrap();
            Reduce::new(Op::Sum).enqueue(&stream, &x, &mut sum).unwrap();
            stream.fill(&mut x, 1).unwrap();
            assert_eq!(sum.to_vec(&stream).unwrap(), [6000]);
            assert_eq!(x.host(&stream).unwrap(), [1; 1000]);
            x.host_mut(&stream).unwrap()[999] = 7;
            Reduce::new(Op::Max).enqueue(&stream, &x.clone_of(&stream).view(..), &mut x.view_mut(..1)).unwrap();
            assert_eq!(x.host(&stream).unwrap()[..2], [7, 1]);
        }
    }
}

trait CloneOf<T: warpprim::Element> {
    fn clone_of(&self, stream: &warpprim::Stream) -> Buffer<T>;
}

impl<T: warpprim::Element> CloneOf<T> for Buffer<T> {
    fn clone_of(&self, stream: &warpprim::Stream) -> Buffer<T> {
        let mut copy = stream.zeros(self.len()).unwrap();
        stream.copy(self, &mut copy).unwrap();
        copy
    }
}

#[test]
fn scopes_lend_memory() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let (from, mut to, mut called) = ([5u8; 100_000], vec![0u8; 100_000], false);
        let mut x = stream.zeros(100_000).unwrap();
        let value = stream.scope(|s| {
            s.write(&from, &mut x)?;
            s.read(&x, &mut to)?;
            s.call(|| {
                called = true;
                Ok(())
            })?;
            assert_eq!(s.stream().context(), &context);
            Ok(42)
        });
        assert_eq!((value, called), (Ok(42), true));
        assert_eq!(to, from);
    }
}

#[test]
fn events_tell_order_and_time() {
    for context in contexts() {
        let (one, two) = (context.stream().unwrap(), context.stream().unwrap());
        let (start, end) = (context.event().unwrap(), context.event().unwrap());
        assert!(start.is_reached().unwrap());
        assert_eq!(end.milliseconds_since(&start).unwrap_err().status(), Status::InvalidArgument);
        let (send, receive) = std::sync::mpsc::channel::<()>();
        start.record(&one).unwrap();
        one.call(move || receive.recv().map_err(|_| Status::Callback)).unwrap();
        end.record(&one).unwrap();
        two.wait(&end).unwrap();
        two.call(|| Ok(())).unwrap();
        assert!(!end.is_reached().unwrap() && !one.is_idle().unwrap() && !two.is_idle().unwrap());
        assert_eq!(end.milliseconds_since(&start).unwrap(), None);
        send.send(()).unwrap();
        end.synchronize().unwrap();
        assert!(end.is_reached().unwrap());
        one.synchronize().unwrap();
        two.synchronize().unwrap();
        assert!(end.milliseconds_since(&start).unwrap().unwrap() >= 0.0);
        assert!(one.is_idle().unwrap() && two.is_idle().unwrap());
    }
}

#[test]
fn foreign_memory_and_handles() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut x = stream.upload(&[1f32, 2.0, 3.0]).unwrap();
        let mut sum = stream.zeros::<f32>(1).unwrap();
        // SAFETY: the memory is that of live buffers.
        let (input, mut output) =
            unsafe { (View::from_raw(&stream, x.as_mut_ptr(), 3), ViewMut::from_raw(&stream, sum.as_mut_ptr(), 1)) };
        Reduce::new(Op::Sum).enqueue(&stream, &input, &mut output).unwrap();
        assert_eq!(sum.to_vec(&stream).unwrap(), [6.0]);

        let mut raw = std::ptr::null_mut();
        // SAFETY: the handles are live, and given up to the objects.
        let (context, other) = unsafe {
            use warpprim::sys::*;
            let kind = if is_cpu(&context) { WPRIM_CPU } else { WPRIM_CUDA };
            assert_eq!(wprim_context_create(kind, 0, &mut raw), WPRIM_OK);
            let owned = Context::from_raw(raw).unwrap();
            let mut raw = std::ptr::null_mut();
            assert_eq!(wprim_stream_create(owned.as_raw(), std::ptr::null(), &mut raw), WPRIM_OK);
            (owned.clone(), warpprim::Stream::from_raw(&owned, raw))
        };
        assert_eq!(other.upload(&[1u8]).unwrap().to_vec(&other).unwrap(), [1]);
        assert!(matches!((context.device(), is_cpu(&context)), (Device::Cpu, true) | (Device::Cuda(0), false)));
    }
}

#[test]
fn native_streams_are_for_gpus() {
    let cpu = Context::cpu().unwrap();
    // SAFETY: the CPU has none, and refuses it unseen.
    let error = unsafe { cpu.wrap_stream(std::ptr::null_mut()) }.unwrap_err();
    assert_eq!(error.status(), Status::Unsupported);
    if Device::cuda_count().unwrap() > 0 {
        // SAFETY: NULL is the legacy default stream, which always is.
        let stream = unsafe { Context::cuda(0).unwrap().wrap_stream(std::ptr::null_mut()) }.unwrap();
        let x = stream.upload(&[1i32, 2, 3]).unwrap();
        let mut sum = stream.pinned_zeros::<i64>(1).unwrap();
        Reduce::new(Op::Sum).enqueue(&stream, &x, &mut sum).unwrap();
        assert_eq!(sum.host(&stream).unwrap(), [6]);
    }
}

#[test]
fn devices_are_described() {
    for context in contexts() {
        let info = context.info().unwrap();
        assert!(info.parallelism > 0 && info.memory > 0 && !info.name.is_empty() && !info.detail.is_empty());
    }
    for ordinal in [1000, u32::MAX] {
        let status = Context::cuda(ordinal).unwrap_err().status();
        assert!(matches!(status, Status::NoDevice | Status::Unsupported), "{status:?}");
    }
    assert_eq!(warpprim::version(), warpprim::sys::WPRIM_VERSION);
    assert!(warpprim::build_info().contains(env!("CARGO_PKG_VERSION")));
}
