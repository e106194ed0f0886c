//! Reduce through every way in, with every type; and what is refused, with what is said.

mod support;

use support::{contexts, is_cpu};
use warpprim::{Buffer, Context, Element, Nan, Op, Reduce, Status, Stream};

/// One op on a buffer, and what comes out.
fn device<T: Element, U: Element>(stream: &Stream, reduce: Reduce, x: &[T], outputs: usize) -> Vec<U> {
    let x = stream.upload(x).unwrap();
    let mut out = stream.zeros::<U>(outputs).unwrap();
    reduce.enqueue(stream, &x, &mut out).unwrap();
    drop(x);
    out.to_vec(stream).unwrap()
}

#[test]
fn every_type_goes_in_and_comes_out() {
    macro_rules! check {
        ($stream:expr, $($t:ty: $($op:ident $u:ty = $want:expr),*;)*) => {$($({
            let x: Vec<$t> = [3u8, 1, 2, 0].into_iter().map(|n| n as $t).collect();
            let out: Vec<$u> = device($stream, Reduce::new(Op::$op), &x, 1);
            assert_eq!(out, [$want], "{:?} of {}", Op::$op, stringify!($t));
        })*)*};
    }
    for context in contexts() {
        let stream = context.stream().unwrap();
        check! { &stream,
            f32: Sum f32 = 6.0, Sum f64 = 6.0, Max f32 = 3.0, ArgMin i64 = 3, Any bool = true, CountNonzero u64 = 3;
            f64: Sum f64 = 6.0, Mean f32 = 1.5, Min f64 = 0.0, Var f64 = 1.25;
            i8: Sum i64 = 6, Sum i8 = 6, AMax u8 = 3, Mean f64 = 1.5, Xor i8 = 0;
            i16: L1 u64 = 6, AMax u16 = 3, Or i16 = 3;
            i32: Prod i64 = 0, ArgMax i32 = 0, ArgMax u32 = 0, And i32 = 0;
            i64: Sum i64 = 6, Max i64 = 3, L2 f64 = 14f64.sqrt();
            u8: Sum u64 = 6, Min u8 = 0, All bool = false;
            u16: Sum u16 = 6, Std f64 = 1.25f64.sqrt();
            u32: Sum u64 = 6, CountNonzero i32 = 3;
            u64: Sum u64 = 6, Max u64 = 3;
        }
        let flags = [true, false, true, true];
        assert_eq!(device::<bool, u64>(&stream, Reduce::new(Op::Sum), &flags, 1), [3]);
        assert_eq!(device::<bool, bool>(&stream, Reduce::new(Op::Xor), &flags, 1), [true]);
        assert_eq!(device::<bool, bool>(&stream, Reduce::new(Op::MinMax), &flags, 2), [false, true]);
    }
}

#[cfg(feature = "half")]
#[test]
fn halves() {
    use half::{bf16, f16};
    for context in contexts() {
        let stream = context.stream().unwrap();
        let x: Vec<bf16> = (0..512).map(|i| bf16::from_f32(i as f32 / 4.0)).collect();
        let sums: Vec<f64> = device(&stream, Reduce::new(Op::Sum).rows(2), &x[..256], 2);
        assert_eq!(sums, [2032.0, 6128.0]);
        let x = [f16::from_f32(1.5), f16::from_f32(-2.0)];
        assert_eq!(device::<f16, f16>(&stream, Reduce::new(Op::Sum), &x, 1), [f16::from_f32(-0.5)]);
    }
}

#[test]
fn every_way_in_gives_the_same_bits() {
    let x: Vec<f32> = (0..100_003).map(|i| (i as f32 * 0.37).sin()).collect();
    let mut want = None;
    for context in contexts() {
        let stream = context.stream().unwrap();
        let reduce = Reduce::new(Op::Sum);
        let mut results = vec![device::<f32, f32>(&stream, reduce, &x, 1)[0]];
        if is_cpu(&context) {
            let (mut run, mut scoped) = (0f32, [0f32]);
            reduce.run(&stream, &x, &mut run).unwrap();
            stream.scope(|s| s.reduce(reduce, &x[..], &mut scoped)).unwrap();
            results.extend([run, scoped[0]]);
        }
        let mut pinned = stream.pinned_zeros::<f32>(1).unwrap();
        reduce.run(&stream, &stream.upload(&x).unwrap(), &mut pinned).unwrap();
        results.push(pinned.host(&stream).unwrap()[0]);
        for result in results {
            assert_eq!(result.to_bits(), *want.get_or_insert(result.to_bits()), "{}", context.device());
        }
    }
}

#[test]
fn rows_strides_and_policies() {
    let stream = Context::cpu().unwrap().stream().unwrap();
    let x = [1f64, f64::NAN, 9.0, 4.0, 6.0, 9.0];
    let mut out = [0f64; 2];
    Reduce::new(Op::Mean).rows(2).cols(2).row_stride(3).nan(Nan::Ignore).run(&stream, &x, &mut out).unwrap();
    assert_eq!(out, [1.0, 5.0]);
    Reduce::new(Op::Var).rows(2).cols(2).row_stride(3).ddof(1).run(&stream, &x[..5], &mut out).unwrap();
    assert!(out[0].is_nan() && out[1] == 2.0);
    Reduce::new(Op::Sum).rows(2).cols(0).run(&stream, &x[..0], &mut out).unwrap();
    assert_eq!(out, [0.0, 0.0]);
    Reduce::new(Op::Sum).rows(0).run(&stream, &x[..0], &mut out[..0]).unwrap();
    // A row_stride of 0 is that of packed rows, and the input must be as long as they are.
    Reduce::new(Op::Max).rows(2).cols(3).row_stride(0).run(&stream, &x[..3], &mut out).unwrap_err();
    Reduce::new(Op::Max).rows(2).row_stride(0).nan(Nan::Ignore).run(&stream, &x, &mut out).unwrap();
    assert_eq!(out, [9.0, 9.0]);
}

/// Refused as InvalidArgument unless another status is given, with all words in the text.
fn refused<R: std::fmt::Debug>(result: warpprim::Result<R>, status: Status, words: &[&str]) {
    let error = result.unwrap_err();
    assert_eq!(error.status(), status, "{error}");
    for word in words {
        assert!(error.message().contains(word), "no {word:?} in: {error}");
    }
}

#[test]
fn wrong_lengths_are_refused() {
    let stream = Context::cpu().unwrap().stream().unwrap();
    let x = [0f32; 10];
    let (mut three, mut four) = ([7f32; 3], [7f32; 4]);
    let (bad, words) = (Status::InvalidArgument, ["10 elements", "rows = 4", "cols = not set"]);
    refused(Reduce::new(Op::Sum).rows(4).run(&stream, &x, &mut four), bad, &words);
    refused(Reduce::new(Op::Sum).rows(2).run(&stream, &x, &mut three), bad, &["3 elements", "Sum", "2 rows"]);
    refused(Reduce::new(Op::MinMax).rows(2).run(&stream, &x, &mut three), bad, &["3 elements", "writes 2"]);
    refused(Reduce::new(Op::Sum).cols(11).run(&stream, &x, &mut three[..1]), bad, &["cols = 11"]);
    refused(Reduce::new(Op::Sum).cols(9).run(&stream, &x, &mut three[..1]), bad, &["cols = 9"]);
    refused(Reduce::new(Op::Sum).rows(3).row_stride(4).run(&stream, &x, &mut three), bad, &["row_stride = 4"]);
    refused(Reduce::new(Op::Sum).rows(0).run(&stream, &x, &mut three[..0]), bad, &["rows = 0"]);
    let huge = Reduce::new(Op::Sum).rows(usize::MAX).cols(usize::MAX);
    refused(huge.run(&stream, &x, &mut three), bad, &["18446744073709551615"]);
    refused(huge.row_stride(usize::MAX).run(&stream, &x, &mut three), bad, &["18446744073709551615"]);
    let overlapping = Reduce::new(Op::Sum).rows(3).cols(4).row_stride(3);
    refused(overlapping.run(&stream, &x, &mut three), bad, &["row_stride = 3", "cols = 4"]);
    refused(stream.zeros::<f64>(usize::MAX).map(drop), bad, &["18446744073709551615"]);
    refused(stream.zeros::<u8>(usize::MAX).map(drop), Status::OutOfMemory, &["wprim_malloc"]);
    assert_eq!((three, four), ([7.0; 3], [7.0; 4]));
}

#[test]
fn wrong_types_are_refused() {
    let stream = Context::cpu().unwrap().stream().unwrap();
    let (mut float, mut small, mut wide) = (0f32, 0u8, 0i64);
    let unsupported = Status::Unsupported;
    refused(Reduce::new(Op::Xor).run(&stream, &[1f32], &mut float), unsupported, &["xor", "f32"]);
    refused(Reduce::new(Op::Sum).run(&stream, &[1f32], &mut wide), unsupported, &["out_dtype = i64", "dtype = f32"]);
    refused(Reduce::new(Op::Max).run(&stream, &[1i32], &mut small), unsupported, &["out_dtype = u8", "dtype = i32"]);
    let ddof = Reduce::new(Op::Sum).ddof(1).run(&stream, &[1f32], &mut float);
    refused(ddof, Status::InvalidArgument, &["ddof = 1", "sum"]);
    assert_eq!((float, small, wide), (0.0, 0, 0));
}

#[test]
fn memory_of_another_stream_or_device_is_refused() {
    for context in contexts() {
        let (one, two) = (context.stream().unwrap(), context.stream().unwrap());
        let other = Context::open(context.device()).unwrap();
        let sum = Reduce::new(Op::Sum);
        let x = one.upload(&[1f32; 4]).unwrap();
        let (mut here, mut there) = (two.zeros::<f32>(1).unwrap(), one.zeros::<f32>(1).unwrap());
        let bad = Status::InvalidArgument;
        refused(sum.enqueue(&two, &x, &mut here), bad, &["input is at home on stream", "detach"]);
        refused(sum.enqueue(&one, &x, &mut here), bad, &["output is at home on stream"]);
        refused(sum.run(&two, &x.view(..), &mut here.view_mut(..)), bad, &["input"]);
        refused(one.copy(&x, &mut two.zeros::<f32>(4).unwrap()), bad, &["to is at home"]);
        refused(two.fill(&mut there, 1.0), bad, &["to is at home"]);
        refused(x.to_vec(&two), bad, &["from is at home"]);
        refused(x.host(&two).map(|_| ()), bad, &["at home"]);
        refused(there.write(&two, &[1.0]), bad, &["at home"]);
        refused(two.call_with(&mut there, |_| Ok(())), bad, &["at home"]);
        refused(there.attach(&other.stream().unwrap()), bad, &["another context"]);
        refused(there.attach(&two), bad, &["detach"]);
        refused(there.detach(&two), bad, &["at home"]);
        there.detach(&one).unwrap();
        refused(there.detach(&one), bad, &["detached"]);
        refused(sum.enqueue(&one, &x, &mut there), bad, &["output is detached"]);
        refused(there.attach(&other.stream().unwrap()), bad, &["another context"]);
        there.attach(&two).unwrap();
        two.fill(&mut there, 1.0).unwrap();
        refused(other.event().unwrap().record(&one), Status::InvalidHandle, &["context"]);
        assert_eq!(x.to_vec(&one).unwrap(), [1.0; 4]);
        if !is_cpu(&context) {
            let mut host = [0f32];
            refused(sum.run(&one, &x, &mut host), bad, &["output is memory of the host", "GPU 0"]);
            refused(sum.run(&one, &[1f32][..], &mut there), bad, &["input is memory of the host", "GPU 0"]);
            refused(one.scope(|s| s.reduce(sum, &[1f32], &mut host)), bad, &["host"]);
            refused(x.host(&one).map(|_| ()), Status::Unsupported, &["GPU 0"]);
        }
    }
}

#[test]
fn copies_of_other_lengths_are_refused() {
    for context in contexts() {
        let stream = context.stream().unwrap();
        let mut x: Buffer<i32> = stream.zeros(4).unwrap();
        let words = ["3 elements", "4"];
        let bad = Status::InvalidArgument;
        refused(x.write(&stream, &[1; 3]), bad, &words);
        refused(x.read(&stream, &mut [1; 3]), bad, &words[1..]);
        refused(stream.copy(&stream.zeros::<i32>(3).unwrap(), &mut x), bad, &words);
        refused(stream.scope(|s| s.write(&[1, 2, 3], &mut x)), bad, &words);
        assert_eq!(x.to_vec(&stream).unwrap(), [0; 4]);
    }
}
