#include "recipe.h"

#include <string.h>

#include "warpprim.h"

static const element_type types[] = {
    {"f32", WPRIM_F32, 4, 'f', 23, 127, 30}, {"f64", WPRIM_F64, 8, 'f', 52, 1023, 60},
    {"f16", WPRIM_F16, 2, 'f', 10, 15, 14},  {"bf16", WPRIM_BF16, 2, 'f', 7, 127, 30},
    {"i8", WPRIM_I8, 1, 'i', 0, 0, 0},       {"i16", WPRIM_I16, 2, 'i', 0, 0, 0},
    {"i32", WPRIM_I32, 4, 'i', 0, 0, 0},     {"i64", WPRIM_I64, 8, 'i', 0, 0, 0},
    {"u8", WPRIM_U8, 1, 'u', 0, 0, 0},       {"u16", WPRIM_U16, 2, 'u', 0, 0, 0},
    {"u32", WPRIM_U32, 4, 'u', 0, 0, 0},     {"u64", WPRIM_U64, 8, 'u', 0, 0, 0},
    {"bool", WPRIM_BOOL, 1, 'b', 0, 0, 0},
};

const element_type* element_type_named(const char* name) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
    if (strcmp(types[i].name, name) == 0) return &types[i];
  }
  return NULL;
}

// One element on its way: the recipe with what every pattern starts from.
typedef struct {
  const recipe* r;
  const element_type* t;
  uint64_t index;
  uint64_t word;    // 64 random bits of this index
  uint64_t choice;  // 11 of them that no mantissa uses
  bool negative;    // one more
} element;

static uint64_t mix(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static element element_at(const recipe* r, uint64_t index) {
  uint64_t word = mix(r->seed, index);
  return (element){r, r->type, index, word, word >> 52 & 0x7FF, word >> 63 != 0};
}

// Building blocks.

static bool is_float(const element* e) { return e->t->kind == 'f'; }
static uint64_t low_bits(int n) { return ((uint64_t)1 << n) - 1; }
static uint64_t sign_bit(const element* e) { return (uint64_t)1 << (8 * e->t->size - 1); }
static uint64_t one_of(const element* e) { return is_float(e) ? (uint64_t)e->t->bias << e->t->mantissa : 1; }
static uint64_t infinity(const element* e) { return (uint64_t)(2 * e->t->bias + 1) << e->t->mantissa; }

static uint64_t real(const element* e, uint64_t exponent) {
  return (e->negative ? sign_bit(e) : 0) | exponent << e->t->mantissa | (e->word & low_bits(e->t->mantissa));
}

static bool special(const element* e) { return mix(e->r->seed, ~e->index) % e->r->arg == 0; }

// The largest number of steps that ascending can climb.
static uint64_t top_step(const element* e) {
  if (is_float(e)) return infinity(e) - 1 - one_of(e);
  if (e->t->kind == 'i') return sign_bit(e) - 1;
  return e->t->kind == 'b' ? 1 : sign_bit(e) - 1 + sign_bit(e);
}

// Patterns. Bits above the element's width are cut off by the caller.

static uint64_t raw(const element* e) { return e->word; }

static uint64_t zero(const element* e) {
  (void)e;
  return 0;
}

static uint64_t ones(const element* e) { return one_of(e); }

static uint64_t uniform(const element* e) {
  if (is_float(e)) return real(e, (uint64_t)e->t->bias - 4 + (e->choice & 7));
  if (e->t->kind == 'b') return e->word & 1;
  return (e->word & 0x7F) - (e->t->kind == 'i' ? 64 : 0);
}

static uint64_t equal(const element* e) {
  element first = element_at(e->r, 0);
  return uniform(&first);
}

static uint64_t few(const element* e) {
  uint64_t one = one_of(e);
  uint64_t floats[] = {sign_bit(e) | one, 0, one, one + ((uint64_t)1 << e->t->mantissa)};
  uint64_t choice = e->choice & 3;
  return is_float(e) ? floats[choice] : choice - (e->t->kind == 'i' ? 1 : 0);
}

static uint64_t near_one(const element* e) {
  if (is_float(e)) {
    uint64_t one = one_of(e), low = e->word & low_bits(e->t->mantissa - 4);
    uint64_t below = (one - ((uint64_t)1 << e->t->mantissa)) | (uint64_t)0xF << (e->t->mantissa - 4);
    return (e->negative ? below : one) | low;
  }
  uint64_t odd = e->choice % 16 == 0 ? 3 : 1;
  return e->t->kind == 'i' && e->negative ? 0 - odd : odd;
}

static uint64_t cancel(const element* e) {
  uint64_t group = mix(e->r->seed, e->index >> 2), big = group, minus = 0 - group;
  if (is_float(e)) {
    big = (uint64_t)(e->t->bias + e->t->big) << e->t->mantissa | (group & low_bits(e->t->mantissa));
    minus = big | sign_bit(e);
  }
  uint64_t place = e->index & 3;
  return place == 0 ? big : place == 2 ? minus : uniform(e);
}

static uint64_t wide(const element* e) {
  if (is_float(e)) return real(e, 1 + e->choice % (uint64_t)(2 * e->t->bias));
  int bits = 8 * e->t->size, shift = (int)(e->choice % (uint64_t)bits);
  uint64_t mask = ~(uint64_t)0 >> (64 - bits), value = e->word & mask;
  if (e->t->kind == 'i' && (value & sign_bit(e)) != 0) return ~(~(value | ~mask) >> shift);  // keeps the sign
  return value >> shift;
}

static uint64_t mixed(const element* e) {
  if (!is_float(e)) return wide(e);
  uint64_t reach = (uint64_t)(e->t->bias + 1) / 4;
  return real(e, (uint64_t)e->t->bias - reach + e->choice % (2 * reach + 1));
}

static uint64_t subnormal(const element* e) {
  return is_float(e) ? real(e, (e->choice & 15) == 0 ? 1 : 0) : e->word & 3;
}

static uint64_t zeros(const element* e) { return is_float(e) && e->negative ? sign_bit(e) : 0; }

static uint64_t extremes(const element* e) {
  uint64_t s = sign_bit(e), largest = infinity(e) - 1, smallest = (uint64_t)1 << e->t->mantissa;
  uint64_t floats[] = {s | largest, largest, s | smallest, smallest, s, 0, s | 1, 1};
  uint64_t integers[] = {s, s - 1, s + 1, s - 2, 0, 1, ~(uint64_t)0, s >> 1};
  return is_float(e) ? floats[e->choice & 7] : integers[e->choice & 7];
}

static uint64_t high(const element* e) { return is_float(e) ? infinity(e) : sign_bit(e) - 1; }
static uint64_t low(const element* e) { return is_float(e) ? sign_bit(e) | infinity(e) : sign_bit(e); }

static uint64_t inf(const element* e) { return !special(e) ? uniform(e) : e->negative ? low(e) : high(e); }
static uint64_t inf_pos(const element* e) { return special(e) ? high(e) : uniform(e); }
static uint64_t inf_neg(const element* e) { return special(e) ? low(e) : uniform(e); }

static uint64_t a_nan(const element* e) {
  return is_float(e) ? real(e, (uint64_t)(2 * e->t->bias + 1)) | 1 : e->word;
}

static uint64_t nan_sprinkled(const element* e) { return special(e) ? a_nan(e) : uniform(e); }
static uint64_t nan_at(const element* e) { return e->index == e->r->arg ? a_nan(e) : uniform(e); }
static uint64_t truthy(const element* e) { return is_float(e) ? uniform(e) : e->word | 1; }
static uint64_t sparse(const element* e) { return special(e) ? truthy(e) : zeros(e); }

static uint64_t ascending(const element* e) {
  uint64_t step = e->index < top_step(e) ? e->index : top_step(e);
  return is_float(e) ? one_of(e) + step : step;
}

static uint64_t descending(const element* e) {
  uint64_t step = e->index < top_step(e) ? e->index : top_step(e);
  if (is_float(e)) return sign_bit(e) | (one_of(e) + step);
  return e->t->kind == 'i' ? 0 - step : top_step(e) - step;
}

static const struct {
  const char* name;
  uint64_t (*make)(const element* e);
} patterns[] = {
    {"raw", raw},
    {"zero", zero},
    {"ones", ones},
    {"uniform", uniform},
    {"equal", equal},
    {"few", few},
    {"near_one", near_one},
    {"cancel", cancel},
    {"mixed", mixed},
    {"wide", wide},
    {"subnormal", subnormal},
    {"zeros", zeros},
    {"extremes", extremes},
    {"inf", inf},
    {"inf_pos", inf_pos},
    {"inf_neg", inf_neg},
    {"nan", nan_sprinkled},
    {"nan_at", nan_at},
    {"sparse", sparse},
    {"truthy", truthy},
    {"ascending", ascending},
    {"descending", descending},
};

static void store(void* to, int size, uint64_t bits) {
  uint8_t b1 = (uint8_t)bits;
  uint16_t b2 = (uint16_t)bits;
  uint32_t b4 = (uint32_t)bits;
  const void* from = size == 1 ? (void*)&b1 : size == 2 ? (void*)&b2 : size == 4 ? (void*)&b4 : (void*)&bits;
  memcpy(to, from, (size_t)size);
}

bool recipe_fill(const recipe* r, uint64_t count, void* to) {
  uint64_t (*make)(const element*) = NULL;
  for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; ++i) {
    if (strcmp(patterns[i].name, r->pattern) == 0) make = patterns[i].make;
  }
  if (make == NULL) return false;
  for (uint64_t i = 0; i < count; ++i) {
    element e = element_at(r, i);
    bool gap = r->stride > r->cols && i % r->stride >= r->cols;
    store((char*)to + i * (uint64_t)r->type->size, r->type->size, gap ? raw(&e) : make(&e));
  }
  return true;
}

uint64_t fnv1a(const void* data, size_t bytes) {
  uint64_t h = 0xCBF29CE484222325u;
  for (size_t i = 0; i < bytes; ++i) h = (h ^ ((const uint8_t*)data)[i]) * 0x100000001B3u;
  return h;
}
