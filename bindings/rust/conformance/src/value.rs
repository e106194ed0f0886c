//! Cases that compare values: the recipe and the digest by themselves, and reduce.

use warpprim::{sys, DType, Element, Nan, Reduce, View, ViewMut};

use crate::desc::{nan_named, op_named, read_desc, DescSpace};
use crate::json::Json;
use crate::recipe::{ElementType, Recipe};
use crate::session::{compare, done, ensure, Block, Outcome, Session, Verdict, POISON};

const GUARD: usize = 256;

pub fn run_digest(case: &Json) -> Verdict {
    compare(case, case.text("text", "").as_bytes(), 1)
}

fn unknown() -> Outcome {
    Outcome::fail("the case has a name this runner does not know")
}

pub fn run_recipe(case: &Json) -> Verdict {
    let recipe = Recipe::of(case).ok_or_else(unknown)?;
    let made = recipe.make(case.number("count", 0) as usize).ok_or_else(unknown)?;
    compare(case, &made, recipe.t.size)
}

pub fn run_reduce(session: &Session, case: &Json) -> Verdict {
    let recipe = Recipe::of(case).ok_or_else(unknown)?;
    let mut desc = read_desc(case).ok_or_else(unknown)?;
    let result = ElementType::named(case.text("result", "")).ok_or_else(unknown)?;
    if case.number("large", 0) != 0 && !session.large {
        return Err(Outcome::Skip("large"));
    }
    let offset = case.number("offset", 0) as usize;
    let stride = if desc.row_stride != 0 { desc.row_stride } else { desc.cols };
    let (count, head) = ((desc.rows * stride) as usize, offset * recipe.t.size);
    let outputs = desc.rows as usize * if desc.op == sys::WPRIM_MINMAX { 2 } else { 1 };
    let (start, bytes) = (GUARD + offset * result.size, outputs * result.size);

    let mut image = vec![POISON; head];
    image.extend(recipe.make(count).ok_or_else(unknown)?);
    let input = Block::of(session, &image)?;
    let frame = vec![POISON; start + bytes + GUARD];
    let output = Block::of(session, &frame)?;
    let has_null = case.number("null_in", 0) != 0 || case.number("null_out", 0) != 0;
    desc.in_ = if case.number("null_in", 0) != 0 { std::ptr::null() } else { input.at.wrapping_add(head).cast() };
    desc.out =
        if case.number("null_out", 0) != 0 { std::ptr::null_mut() } else { output.at.wrapping_add(start).cast() };

    let once = |name: &str, call: &dyn Fn() -> Verdict| {
        let run = || {
            output.put(&frame)?;
            call()?;
            session.wait()?;
            let now = output.get()?;
            compare(case, &now[start..start + bytes], result.size)?;
            let around = now[..start].iter().chain(&now[start + bytes..]).all(|&byte| byte == POISON);
            ensure(around, || "memory around out was written".into())?;
            ensure(input.get()? == image, || "in was written".into())
        };
        run().map_err(|outcome| match outcome {
            Outcome::Fail(why) => Outcome::Fail(format!("{name}: {why}")),
            skip => skip,
        })
    };
    let of_today = case.get("struct_size").is_none() && case.get("extra").is_none();
    if of_today && !has_null {
        // What the safe interface can say, it does say.
        let call = Safe { session, reduce: builder(case).ok_or_else(unknown)?, desc: &desc, count, outputs };
        once("Reduce", &|| call.with_input(recipe.t.dtype, result.dtype))?;
    } else {
        let space = DescSpace::new(case, &desc);
        once("wprim_reduce_ex", &|| done(unsafe { sys::wprim_reduce_ex(session.stream.as_raw(), space.as_ptr()) }))?;
    }
    let defaults = desc.out_dtype == sys::WPRIM_DTYPE_DEFAULT && desc.nan == Nan::Propagate as u32 && desc.ddof == 0;
    if of_today && desc.rows == 1 && defaults {
        let (op, dtype, stream) = (desc.op, desc.dtype, session.stream.as_raw());
        let call = || done(unsafe { sys::wprim_reduce(stream, op, dtype, desc.in_, desc.cols, desc.out) });
        once("wprim_reduce", &call)?;
    }
    Ok(())
}

fn builder(case: &Json) -> Option<Reduce> {
    let number = |key: &str, otherwise| case.number(key, otherwise) as usize;
    let reduce = Reduce::new(op_named(case.text("op", ""))?).nan(nan_named(case.text("nan", "propagate"))?);
    let reduce = reduce.rows(number("rows", 1)).cols(number("cols", 0)).row_stride(number("row_stride", 0));
    Some(reduce.ddof(case.number("ddof", 0) as u32))
}

/// A call of the safe interface, whose element types are known when it runs.
struct Safe<'a> {
    session: &'a Session,
    reduce: Reduce,
    desc: &'a sys::wprim_reduce_desc,
    count: usize,
    outputs: usize,
}

macro_rules! with_type {
    ($dtype:expr, $T:ident => $body:expr) => {
        with_type!($dtype, $T => $body; F32 f32, F64 f64, F16 half::f16, Bf16 half::bf16, I8 i8, I16 i16, I32 i32, I64 i64,
                   U8 u8, U16 u16, U32 u32, U64 u64, Bool bool)
    };
    ($dtype:expr, $T:ident => $body:expr; $($name:ident $rust:ty),*) => {
        match $dtype {
            $(DType::$name => { type $T = $rust; $body })*
            _ => Err(unknown()),
        }
    };
}

impl Safe<'_> {
    fn with_input(&self, dtype: DType, result: DType) -> Verdict {
        with_type!(dtype, T => self.with_both::<T>(result))
    }

    fn with_both<T: Element>(&self, result: DType) -> Verdict {
        with_type!(result, U => self.call::<T, U>())
    }

    fn call<T: Element, U: Element>(&self) -> Verdict {
        let stream = &self.session.stream;
        // SAFETY: both are in blocks that outlive the work.
        let input = unsafe { View::<T>::from_raw(stream, self.desc.in_ as *mut T, self.count) };
        let mut output = unsafe { ViewMut::<U>::from_raw(stream, self.desc.out.cast(), self.outputs) };
        Ok(self.reduce.enqueue(stream, &input, &mut output)?)
    }
}
