//! What the tests share.
#![allow(dead_code)] // each test is a program of its own, and uses a part

use warpprim::{Context, Device};

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
