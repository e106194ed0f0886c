//! The shortest whole program: the sum of an array, on the CPU.
use warpprim::{Context, Op, Reduce, Result};

fn main() -> Result<()> {
    let x = [0.5f32; 1000];
    let mut sum = 0f32;

    let stream = Context::cpu()?.stream()?;
    Reduce::new(Op::Sum).run(&stream, &x, &mut sum)?;

    println!("the sum of 1000 halves is {sum}");
    assert_eq!(sum, 500.0);
    Ok(())
}
