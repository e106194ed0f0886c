//! Cases that compare values: the recipe and the digest by themselves, and reduce.

use warpprim::{sys, Nan, Reduce};

use crate::desc::{nan_named, op_named, read_desc, DescSpace};
use crate::json::Json;
use crate::memory::{result_type, unknown, Memory};
use crate::mode::{Mode, Raw, Safe};
use crate::recipe::Recipe;
use crate::session::{compare, Outcome, Session, Verdict};

pub fn run_digest(case: &Json) -> Verdict {
    compare(case, case.text("text", "").as_bytes(), 1)
}

pub fn run_recipe(case: &Json) -> Verdict {
    let recipe = Recipe::of(case).ok_or_else(unknown)?;
    let made = recipe.make(case.number("count", 0) as usize).ok_or_else(unknown)?;
    compare(case, &made, recipe.t.size)
}

pub fn run_reduce(session: &Session, case: &Json) -> Verdict {
    let desc = read_desc(case).ok_or_else(unknown)?;
    let (input, result) = (Recipe::of(case).ok_or_else(unknown)?.t, result_type(case).ok_or_else(unknown)?);
    if case.number("large", 0) != 0 && !session.large {
        return Err(Outcome::Skip("large"));
    }
    // The second set begins an element later, so that not even the alignment is the same.
    let memory = |shift| Memory::of(session, case, desc, result.size, shift);
    let memory = (0..session.mode.sets()).map(memory).collect::<Verdict<Vec<_>>>()?;

    let once = |name: &str, call: &dyn Fn() -> Verdict| {
        let run = || {
            memory.iter().try_for_each(Memory::poison)?;
            call()?;
            session.wait()?;
            memory.iter().try_for_each(|set| set.check(case))
        };
        run().map_err(|outcome| match outcome {
            Outcome::Fail(why) => Outcome::Fail(format!("{name}: {why}")),
            skip => skip,
        })
    };
    let of_today = case.get("struct_size").is_none() && case.get("extra").is_none();
    let has_null = case.number("null_in", 0) != 0 || case.number("null_out", 0) != 0;
    let space = DescSpace::new(case, &memory[0].desc);
    let raw = |simple| Raw { session, simple, desc: space.as_ptr(), memory: &memory };
    if of_today && !has_null {
        // What the safe interface can say, it does say.
        let call = Safe { session, reduce: builder(case).ok_or_else(unknown)?, memory: &memory };
        once("Reduce", &|| call.call(input.dtype, result.dtype))?;
    } else {
        once("wprim_reduce_ex", &|| raw(false).call())?;
    }
    let defaults = desc.out_dtype == sys::WPRIM_DTYPE_DEFAULT && desc.nan == Nan::Propagate as u32 && desc.ddof == 0;
    let all = case.get("n_on_device").is_none();
    if of_today && desc.rows == 1 && defaults && all && session.mode != Mode::Plan {
        once("wprim_reduce", &|| raw(true).call())?;
    }
    Ok(())
}

/// What the case says, without `n_on_device`.
fn builder<'n>(case: &Json) -> Option<Reduce<'n>> {
    let number = |key: &str, otherwise| case.number(key, otherwise) as usize;
    let reduce = Reduce::new(op_named(case.text("op", ""))?).nan(nan_named(case.text("nan", "propagate"))?);
    let reduce = reduce.rows(number("rows", 1)).cols(number("cols", 0)).row_stride(number("row_stride", 0));
    Some(reduce.ddof(case.number("ddof", 0) as u32))
}
