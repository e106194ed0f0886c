//! A matrix of scores, one row a sample, with unused columns at the end of each row: for every row the best class, its softmax
//! probability, and the mean of the scores. One call an op, all rows at once.
use warpprim::{Context, Op, Reduce, Result};

const ROWS: usize = 64;
const CLASSES: usize = 1000;
const STRIDE: usize = 1024;

fn main() -> Result<()> {
    let mut scores = vec![1e9f32; ROWS * STRIDE];
    for (r, row) in scores.chunks_mut(STRIDE).enumerate() {
        row[..CLASSES].iter_mut().enumerate().for_each(|(c, x)| *x = 0.25 * ((r + c) % 8) as f32);
        row[7 * r] = 10.0;
    }

    let stream = Context::cpu()?.stream()?;
    let (mut best, mut top, mut total, mut mean) = ([0i64; ROWS], [0f32; ROWS], [0f32; ROWS], [0f32; ROWS]);
    let rows = |op| Reduce::new(op).rows(ROWS).cols(CLASSES).row_stride(STRIDE);
    // Inside the scope calls only enqueue. The results are there after it.
    stream.scope(|s| {
        s.reduce(rows(Op::ArgMax), &scores, &mut best)?;
        s.reduce(rows(Op::Max), &scores, &mut top)?;
        s.reduce(rows(Op::LogSumExp), &scores, &mut total)?;
        s.reduce(rows(Op::Mean), &scores, &mut mean)
    })?;

    let mut wrong = 0;
    for (r, row) in scores.chunks(STRIDE).enumerate() {
        let row = row[..CLASSES].iter().map(|&x| x as f64);
        let (sum, exps) = (row.clone().sum::<f64>(), row.map(|x| (x - 10.0).exp()).sum::<f64>());
        let p = (top[r] as f64 - total[r] as f64).exp();
        let right = best[r] == 7 * r as i64
            && (p - 1.0 / exps).abs() <= 1e-5
            && (mean[r] as f64 - sum / CLASSES as f64).abs() <= 1e-6;
        wrong += !right as usize;
        if r < 4 {
            println!("row {r}: class {:3}, probability {p:.4}, mean {:.4}", best[r], mean[r]);
        }
    }
    println!("{wrong} of {ROWS} rows are wrong");
    assert_eq!(wrong, 0);
    Ok(())
}
