//! What must hold for any input, on random inputs: beside a plain loop where results are exact, and bit for bit between calls that must
//! agree.

mod support;

use support::{contexts, Rng};
use warpprim::{Element, Nan, Op, Reduce, Stream};

const LENGTHS: [usize; 9] = [0, 1, 2, 31, 1000, 4097, 16_384, 50_001, 200_003];

fn device<T: Element, U: Element>(stream: &Stream, reduce: Reduce, x: &[T], outputs: usize) -> Vec<U> {
    let mut out = stream.zeros::<U>(outputs).unwrap();
    reduce.enqueue(stream, &stream.upload(x).unwrap(), &mut out).unwrap();
    out.to_vec(stream).unwrap()
}

/// Integers: sums wrap, and all is exact.
macro_rules! integers {
    ($($name:ident: $t:ty),*) => {$(
        #[test]
        fn $name() {
            let mut rng = Rng(stringify!($name).len() as u64);
            for context in contexts() {
                let stream = context.stream().unwrap();
                for n in LENGTHS {
                    let x: Vec<$t> = (0..n).map(|_| (rng.next() >> rng.below(64)) as $t).collect();
                    let one = |op| device::<$t, $t>(&stream, Reduce::new(op), &x, 1)[0];
                    assert_eq!(one(Op::Sum), x.iter().fold(0, |a: $t, b| a.wrapping_add(*b)));
                    assert_eq!(one(Op::Prod), x.iter().fold(1, |a: $t, b| a.wrapping_mul(*b)));
                    assert_eq!(one(Op::And), x.iter().fold(!0, |a, b| a & b));
                    assert_eq!(one(Op::Or), x.iter().fold(0, |a, b| a | b));
                    assert_eq!(one(Op::Xor), x.iter().fold(0, |a, b| a ^ b));
                    let (min, max) = (x.iter().min().copied(), x.iter().max().copied());
                    let (min, max) = (min.unwrap_or(<$t>::MAX), max.unwrap_or(<$t>::MIN));
                    assert_eq!((one(Op::Min), one(Op::Max)), (min, max));
                    assert_eq!(device::<$t, $t>(&stream, Reduce::new(Op::MinMax), &x, 2), [min, max]);
                    let index = |op| device::<$t, i64>(&stream, Reduce::new(op), &x, 1)[0];
                    let position = |value| x.iter().position(|y| *y == value).map_or(-1, |i| i as i64);
                    assert_eq!((index(Op::ArgMin), index(Op::ArgMax)), (position(min), position(max)));
                    let count = x.iter().filter(|y| **y != 0).count() as u64;
                    assert_eq!(device::<$t, u64>(&stream, Reduce::new(Op::CountNonzero), &x, 1), [count]);
                    assert_eq!(device::<$t, bool>(&stream, Reduce::new(Op::Any), &x, 1), [count > 0]);
                    assert_eq!(device::<$t, bool>(&stream, Reduce::new(Op::All), &x, 1), [count == n as u64]);
                }
            }
        }
    )*};
}
integers!(i8s: i8, i16s: i16, i32s: i32, i64s: i64, u8s: u8, u16s: u16, u32s: u32, u64s: u64);

fn floats(rng: &mut Rng, n: usize) -> Vec<f32> {
    (0..n).map(|_| (rng.next() as i32 as f32) * 2f32.powi(rng.below(40) as i32 - 50)).collect()
}

const ROUNDING: [Op; 9] = [Op::Sum, Op::Prod, Op::Mean, Op::Var, Op::Std, Op::L1, Op::L2, Op::LogSumExp, Op::AMax];

/// A row is the whole reduce of that row, whatever lies between the rows and wherever it begins.
#[test]
fn rows_are_whole_reduces() {
    let mut rng = Rng(5);
    for context in contexts() {
        let stream = context.stream().unwrap();
        for (rows, cols) in [(1, 100_003), (3, 20_011), (50, 700), (1000, 33), (4, 0)] {
            for op in ROUNDING {
                let stride = cols + 1 + rng.below(40);
                let x = floats(&mut rng, rows * stride);
                let reduce = Reduce::new(op).rows(rows).cols(cols).row_stride(stride);
                let strided: Vec<f32> = device(&stream, reduce, &x, rows);
                for (r, got) in strided.iter().enumerate().step_by(1 + rows / 5) {
                    let row = &x[r * stride..][..cols];
                    let whole: Vec<f32> = device(&stream, Reduce::new(op), row, 1);
                    assert_eq!(got.to_bits(), whole[0].to_bits(), "{op:?} of row {r} of {rows} x {cols}");
                }
            }
        }
    }
}

/// The bits do not depend on the device, and a NaN that is ignored is as good as none for what does not round.
#[test]
fn devices_and_addresses_agree() {
    let mut rng = Rng(6);
    let all = contexts();
    for n in LENGTHS {
        let x = floats(&mut rng, n);
        for op in ROUNDING {
            let mut seen = None;
            for context in &all {
                let stream = context.stream().unwrap();
                for offset in [0, 1, 7] {
                    let mut shifted = vec![f32::NAN; offset];
                    shifted.extend(&x);
                    let buffer = stream.upload(&shifted).unwrap();
                    let mut out = stream.pinned_zeros::<f32>(1).unwrap();
                    Reduce::new(op).enqueue(&stream, &buffer.view(offset..), &mut out).unwrap();
                    let bits = out.host(&stream).unwrap()[0].to_bits();
                    assert_eq!(bits, *seen.get_or_insert(bits), "{op:?} of {n}, {offset} on, {}", context.device());
                }
            }
        }
        let stream = all[0].stream().unwrap();
        let with_nans: Vec<f32> = x.iter().flat_map(|y| [f32::NAN, *y]).collect();
        let (mut clean, mut ignored) = ([0f32; 2], [0f32; 2]);
        Reduce::new(Op::MinMax).run(&stream, &x, &mut clean).unwrap();
        Reduce::new(Op::MinMax).nan(Nan::Ignore).run(&stream, &with_nans, &mut ignored).unwrap();
        assert_eq!(clean, ignored);
    }
}

/// Sums are close to those of f64, which says that all elements are there once.
#[test]
fn sums_are_near() {
    let mut rng = Rng(7);
    for context in contexts() {
        let stream = context.stream().unwrap();
        for n in LENGTHS {
            let x: Vec<f32> = (0..n).map(|_| 1.0 + rng.below(1000) as f32 / 1024.0).collect();
            let near: f64 = x.iter().map(|y| *y as f64).sum();
            let sum: Vec<f32> = device(&stream, Reduce::new(Op::Sum), &x, 1);
            assert!((sum[0] as f64 - near).abs() <= near * 1e-6, "{n}: {} {near}", sum[0]);
            let wide: Vec<f64> = device(&stream, Reduce::new(Op::Sum), &x, 1);
            assert_eq!(wide, [near]); // exact: all are multiples of 2^-10
        }
    }
}
