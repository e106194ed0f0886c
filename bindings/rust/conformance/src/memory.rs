//! What an op reads and writes. Modes that exchange memory have it twice.

use warpprim::sys;

use crate::json::Json;
use crate::recipe::{ElementType, Recipe};
use crate::session::{compare, ensure, Block, Outcome, Session, Verdict, POISON};

const GUARD: usize = 256;

pub struct Memory<'a> {
    input: Block<'a>,
    output: Block<'a>,
    number: Block<'a>,
    image: Vec<u8>,
    frame: Vec<u8>,
    number_image: Vec<u8>,
    /// Where the result lies in the frame.
    start: usize,
    bytes: usize,
    result: usize,
    /// The call, with these pointers.
    pub desc: sys::wprim_reduce_desc,
}

impl<'a> Memory<'a> {
    /// For the call that `desc` says without pointers. `shift`: how many elements later than the case says the arrays begin.
    pub fn of(
        session: &'a Session,
        case: &Json,
        mut desc: sys::wprim_reduce_desc,
        result: usize,
        shift: usize,
    ) -> Verdict<Memory<'a>> {
        let recipe = Recipe::of(case).ok_or_else(unknown)?;
        let offset = case.number("offset", 0) as usize + shift;
        let mut image = vec![POISON; offset * recipe.t.size];
        image.extend(recipe.make(inputs(&desc)).ok_or_else(unknown)?);
        let (start, bytes) = (GUARD + offset * result, outputs(&desc) * result);
        let frame = vec![POISON; start + bytes + GUARD];
        let number_image = case.number("n_on_device", 0).to_ne_bytes().to_vec();
        let input = Block::of(session, &image)?;
        let output = Block::of(session, &frame)?;
        let number = Block::of(session, &number_image)?;
        if case.number("null_in", 0) == 0 {
            desc.in_ = input.at.wrapping_add(offset * recipe.t.size).cast();
        }
        if case.number("null_out", 0) == 0 {
            desc.out = output.at.wrapping_add(start).cast();
        }
        if case.get("n_on_device").is_some() {
            desc.n_on_device = number.at as *const u64;
        }
        Ok(Memory { input, output, number, image, frame, number_image, start, bytes, result, desc })
    }

    /// Fresh poison for the output.
    pub fn poison(&self) -> Verdict {
        self.output.put(&self.frame)
    }

    /// The output is what the case says, and nothing else changed.
    pub fn check(&self, case: &Json) -> Verdict {
        let (now, end) = (self.output.get()?, self.start + self.bytes);
        compare(case, &now[self.start..end], self.result)?;
        let around = now[..self.start].iter().chain(&now[end..]).all(|&byte| byte == POISON);
        ensure(around, || "memory around out was written".into())?;
        ensure(self.input.get()? == self.image, || "in was written".into())?;
        ensure(self.number.get()? == self.number_image, || "n_on_device was written".into())
    }
}

/// Elements of the input.
pub fn inputs(desc: &sys::wprim_reduce_desc) -> usize {
    (desc.rows * if desc.row_stride != 0 { desc.row_stride } else { desc.cols }) as usize
}

/// Elements of the output.
pub fn outputs(desc: &sys::wprim_reduce_desc) -> usize {
    desc.rows as usize * if desc.op == sys::WPRIM_MINMAX { 2 } else { 1 }
}

/// The type of the results of a case.
pub fn result_type(case: &Json) -> Option<ElementType> {
    ElementType::named(case.text("result", ""))
}

pub fn unknown() -> Outcome {
    Outcome::fail("the case has a name this runner does not know")
}
