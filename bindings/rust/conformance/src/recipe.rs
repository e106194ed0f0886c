//! Test inputs from a recipe of integers; tests/conformance/README.md says it in words.

use warpprim::DType;

use crate::json::Json;

/// What the recipe has to know of an element type.
#[derive(Clone, Copy)]
pub struct ElementType {
    pub name: &'static str,
    pub dtype: DType,
    pub size: usize,
    kind: Kind,
    mantissa: u32,
    bias: u64,
    big: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Float,
    Signed,
    Unsigned,
    Bool,
}
use Kind::{Bool, Float, Signed, Unsigned};

const fn float(name: &'static str, dtype: DType, size: usize, mantissa: u32, bias: u64, big: u64) -> ElementType {
    ElementType { name, dtype, size, kind: Float, mantissa, bias, big }
}

const fn whole(name: &'static str, dtype: DType, size: usize, kind: Kind) -> ElementType {
    ElementType { name, dtype, size, kind, mantissa: 0, bias: 0, big: 0 }
}

const TYPES: [ElementType; 13] = [
    float("f32", DType::F32, 4, 23, 127, 30),
    float("f64", DType::F64, 8, 52, 1023, 60),
    float("f16", DType::F16, 2, 10, 15, 14),
    float("bf16", DType::Bf16, 2, 7, 127, 30),
    whole("i8", DType::I8, 1, Signed),
    whole("i16", DType::I16, 2, Signed),
    whole("i32", DType::I32, 4, Signed),
    whole("i64", DType::I64, 8, Signed),
    whole("u8", DType::U8, 1, Unsigned),
    whole("u16", DType::U16, 2, Unsigned),
    whole("u32", DType::U32, 4, Unsigned),
    whole("u64", DType::U64, 8, Unsigned),
    whole("bool", DType::Bool, 1, Bool),
];

impl ElementType {
    pub fn named(name: &str) -> Option<ElementType> {
        TYPES.into_iter().find(|t| t.name == name)
    }
}

pub struct Recipe<'a> {
    pub t: ElementType,
    pattern: &'a str,
    seed: u64,
    arg: u64,
    cols: u64,
    stride: u64,
}

impl<'a> Recipe<'a> {
    /// The recipe that a case spells; `None` if it names an unknown type.
    pub fn of(case: &'a Json) -> Option<Recipe<'a>> {
        let arg = match case.array("args").first() {
            Some(Json::Number(n)) => *n,
            _ => 1,
        };
        Some(Recipe {
            t: ElementType::named(case.text("dtype", ""))?,
            pattern: case.text("pattern", ""),
            seed: case.number("seed", 0),
            arg,
            cols: case.number("cols", 0),
            stride: case.number("row_stride", 0),
        })
    }

    /// Elements 0 to count - 1, packed, little-endian. `None` if the pattern is unknown.
    pub fn make(&self, count: usize) -> Option<Vec<u8>> {
        let make = pattern(self.pattern)?;
        let mut bytes = Vec::with_capacity(count * self.t.size);
        for index in 0..count as u64 {
            let element = Element::new(self, index);
            let gap = self.stride > self.cols && index % self.stride >= self.cols;
            let bits = if gap { element.word } else { make(&element) };
            bytes.extend_from_slice(&bits.to_le_bytes()[..self.t.size]);
        }
        Some(bytes)
    }

    fn mix(&self, index: u64) -> u64 {
        let mut z = self.seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// One element on its way: the recipe with what every pattern starts from.
struct Element<'a> {
    r: &'a Recipe<'a>,
    t: ElementType,
    index: u64,
    word: u64,
    choice: u64,
    negative: bool,
}

impl<'a> Element<'a> {
    fn new(r: &'a Recipe<'a>, index: u64) -> Self {
        let word = r.mix(index);
        Element { r, t: r.t, index, word, choice: word >> 52 & 0x7ff, negative: word >> 63 != 0 }
    }

    fn is_float(&self) -> bool {
        self.t.kind == Float
    }
    fn is_signed(&self) -> bool {
        self.t.kind == Signed
    }
    fn bits(&self) -> u32 {
        8 * self.t.size as u32
    }
    fn sign(&self) -> u64 {
        1 << (self.bits() - 1)
    }
    fn unit(&self) -> u64 {
        1 << self.t.mantissa
    }
    fn one(&self) -> u64 {
        if self.is_float() {
            self.t.bias << self.t.mantissa
        } else {
            1
        }
    }
    fn infinity(&self) -> u64 {
        (2 * self.t.bias + 1) << self.t.mantissa
    }
    fn real(&self, exponent: u64) -> u64 {
        (if self.negative { self.sign() } else { 0 }) | exponent << self.t.mantissa | (self.word & (self.unit() - 1))
    }
    fn special(&self) -> bool {
        self.r.mix(!self.index) % self.r.arg == 0
    }
    fn high(&self) -> u64 {
        if self.is_float() {
            self.infinity()
        } else {
            self.sign() - 1
        }
    }
    fn low(&self) -> u64 {
        self.sign() | if self.is_float() { self.infinity() } else { 0 }
    }
    fn a_nan(&self) -> u64 {
        if self.is_float() {
            self.real(2 * self.t.bias + 1) | 1
        } else {
            self.word
        }
    }
    /// How far ascending has climbed.
    fn step(&self) -> u64 {
        let top = match self.t.kind {
            Float => self.infinity() - 1 - self.one(),
            Signed => self.sign() - 1,
            Unsigned => self.sign() - 1 + self.sign(),
            Bool => 1,
        };
        self.index.min(top)
    }
    fn top(&self) -> u64 {
        if self.t.kind == Bool {
            1
        } else {
            self.sign() - 1 + self.sign()
        }
    }
}

// Patterns. Bits above the element's width are cut off by `make`.

type Pattern = fn(&Element) -> u64;

fn pattern(name: &str) -> Option<Pattern> {
    Some(match name {
        "raw" => |e| e.word,
        "zero" => |_| 0,
        "ones" => |e| e.one(),
        "uniform" => uniform,
        "equal" => |e| uniform(&Element::new(e.r, 0)),
        "few" => few,
        "near_one" => near_one,
        "cancel" => cancel,
        "mixed" => mixed,
        "wide" => wide,
        "subnormal" => |e| if e.is_float() { e.real((e.choice & 15 == 0) as u64) } else { e.word & 3 },
        "zeros" => zeros,
        "extremes" => extremes,
        "inf" => |e| match (e.special(), e.negative) {
            (true, true) => e.low(),
            (true, false) => e.high(),
            _ => uniform(e),
        },
        "inf_pos" => |e| if e.special() { e.high() } else { uniform(e) },
        "inf_neg" => |e| if e.special() { e.low() } else { uniform(e) },
        "nan" => |e| if e.special() { e.a_nan() } else { uniform(e) },
        "nan_at" => |e| if e.index == e.r.arg { e.a_nan() } else { uniform(e) },
        "sparse" => |e| if e.special() { truthy(e) } else { zeros(e) },
        "truthy" => truthy,
        "ascending" => |e| if e.is_float() { e.one() + e.step() } else { e.step() },
        "descending" => descending,
        _ => return None,
    })
}

fn uniform(e: &Element) -> u64 {
    match e.t.kind {
        Float => e.real(e.t.bias - 4 + (e.choice & 7)),
        Signed => (e.word & 0x7f).wrapping_sub(64),
        Unsigned => e.word & 0x7f,
        Bool => e.word & 1,
    }
}

fn few(e: &Element) -> u64 {
    let choice = e.choice & 3;
    match e.t.kind {
        Float => [e.sign() | e.one(), 0, e.one(), e.one() + e.unit()][choice as usize],
        Signed => choice.wrapping_sub(1),
        _ => choice,
    }
}

fn near_one(e: &Element) -> u64 {
    if e.is_float() {
        let low = e.t.mantissa - 4;
        let below = (e.one() - e.unit()) | 15 << low;
        return (if e.negative { below } else { e.one() }) | (e.word & ((1 << low) - 1));
    }
    let odd: u64 = if e.choice % 16 == 0 { 3 } else { 1 };
    if e.is_signed() && e.negative {
        odd.wrapping_neg()
    } else {
        odd
    }
}

fn cancel(e: &Element) -> u64 {
    let group = e.r.mix(e.index >> 2);
    let (big, minus) = if e.is_float() {
        let big = (e.t.bias + e.t.big) << e.t.mantissa | (group & (e.unit() - 1));
        (big, big | e.sign())
    } else {
        (group, group.wrapping_neg())
    };
    match e.index & 3 {
        0 => big,
        2 => minus,
        _ => uniform(e),
    }
}

fn wide(e: &Element) -> u64 {
    if e.is_float() {
        return e.real(1 + e.choice % (2 * e.t.bias));
    }
    let (unused, shift) = (64 - e.bits(), (e.choice % e.bits() as u64) as u32);
    if e.is_signed() {
        (((e.word << unused) as i64 >> unused) >> shift) as u64
    } else {
        (e.word << unused >> unused) >> shift
    }
}

fn mixed(e: &Element) -> u64 {
    if !e.is_float() {
        return wide(e);
    }
    let reach = (e.t.bias + 1) / 4;
    e.real(e.t.bias - reach + e.choice % (2 * reach + 1))
}

fn zeros(e: &Element) -> u64 {
    if e.is_float() && e.negative {
        e.sign()
    } else {
        0
    }
}

fn extremes(e: &Element) -> u64 {
    let (s, largest, smallest) = (e.sign(), e.infinity().wrapping_sub(1), e.unit());
    let choices = if e.is_float() {
        [s | largest, largest, s | smallest, smallest, s, 0, s | 1, 1]
    } else {
        [s, s - 1, s + 1, s.wrapping_sub(2), 0, 1, u64::MAX, s >> 1]
    };
    choices[(e.choice & 7) as usize]
}

fn truthy(e: &Element) -> u64 {
    if e.is_float() {
        uniform(e)
    } else {
        e.word | 1
    }
}

fn descending(e: &Element) -> u64 {
    match e.t.kind {
        Float => e.sign() | (e.one() + e.step()),
        Signed => e.step().wrapping_neg(),
        _ => e.top() - e.step(),
    }
}

/// 64-bit FNV-1a.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ b as u64).wrapping_mul(0x100_0000_01b3))
}
