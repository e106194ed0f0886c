//! From a case to the call it spells.

use warpprim::{sys, Nan, Op};

use crate::json::Json;
use crate::recipe::ElementType;
use crate::session::POISON;

const OPS: [(&str, Op); 20] = [
    ("sum", Op::Sum),
    ("prod", Op::Prod),
    ("min", Op::Min),
    ("max", Op::Max),
    ("argmin", Op::ArgMin),
    ("argmax", Op::ArgMax),
    ("minmax", Op::MinMax),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("any", Op::Any),
    ("all", Op::All),
    ("count_nonzero", Op::CountNonzero),
    ("mean", Op::Mean),
    ("var", Op::Var),
    ("std", Op::Std),
    ("l1", Op::L1),
    ("l2", Op::L2),
    ("amax", Op::AMax),
    ("logsumexp", Op::LogSumExp),
];

pub fn op_named(name: &str) -> Option<Op> {
    OPS.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}

pub fn nan_named(name: &str) -> Option<Nan> {
    match name {
        "propagate" => Some(Nan::Propagate),
        "ignore" => Some(Nan::Ignore),
        _ => None,
    }
}

fn dtype_named(name: &str) -> Option<u32> {
    let known = ElementType::named(name).map(|t| t.dtype as u32);
    known.or(if name == "default" { Some(sys::WPRIM_DTYPE_DEFAULT) } else { None })
}

/// The desc that a case spells, without pointers; `None` if it has an unknown name. Members that are numbers are taken as they are.
pub fn read_desc(case: &Json) -> Option<sys::wprim_reduce_desc> {
    let member = |key: &str, otherwise: &str, named: &dyn Fn(&str) -> Option<u32>| match case.get(key) {
        Some(Json::Number(n)) => Some(*n as u32),
        _ => named(case.text(key, otherwise)),
    };
    Some(sys::wprim_reduce_desc {
        op: member("op", "", &|name| op_named(name).map(|op| op as u32))?,
        dtype: member("dtype", "", &dtype_named)?,
        out_dtype: member("out_dtype", "default", &dtype_named)?,
        nan: member("nan", "propagate", &|name| nan_named(name).map(|nan| nan as u32))?,
        rows: case.number("rows", 1),
        cols: case.number("cols", 0),
        row_stride: case.number("row_stride", 0),
        ddof: case.number("ddof", 0) as u32,
        ..sys::WPRIM_REDUCE_DESC_INIT
    })
}

/// A desc as it is passed: maybe shorter or longer than this header's, and what lies behind it.
#[repr(C, align(16))]
pub struct DescSpace([u8; 1024]);

impl DescSpace {
    pub fn new(case: &Json, desc: &sys::wprim_reduce_desc) -> DescSpace {
        const WHOLE: usize = std::mem::size_of::<sys::wprim_reduce_desc>();
        let extra = case.number("extra", 0) as usize;
        let size = case.number("struct_size", (WHOLE + extra) as u64) as u32;
        let mut space = [0; 1024];
        // SAFETY: a struct of integers and pointers, without padding.
        let bytes = unsafe { std::slice::from_raw_parts((desc as *const sys::wprim_reduce_desc).cast::<u8>(), WHOLE) };
        space[..WHOLE].copy_from_slice(bytes);
        if let Some(behind) = space.get_mut(size as usize..) {
            behind.fill(POISON); // what must not be looked at
        }
        space[..4].copy_from_slice(&size.to_ne_bytes());
        if extra > 0 {
            space[size as usize - 1] = case.number("extra_value", 0) as u8;
        }
        DescSpace(space)
    }

    pub fn as_ptr(&self) -> *const sys::wprim_reduce_desc {
        self.0.as_ptr().cast()
    }
}
