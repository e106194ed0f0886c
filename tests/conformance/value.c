// Cases that compare values: the recipe and the digest by themselves, and reduce.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recipe.h"
#include "session.h"

verdict run_digest(const json* c) {
  const char* text = json_string(c, "text", "");
  return compare(c, text, strlen(text), 1);
}

static bool read_recipe(const json* c, recipe* r) {
  r->type = element_type_named(json_string(c, "dtype", ""));
  r->pattern = json_string(c, "pattern", "");
  r->seed = json_number(c, "seed", 0);
  const json* args = json_get(c, "args");
  r->arg = args != NULL && args->first != NULL ? args->first->number : 1;
  r->cols = json_number(c, "cols", 0);
  r->stride = json_number(c, "row_stride", 0);
  return r->type != NULL;
}

verdict run_recipe(const json* c) {
  recipe r;
  if (!read_recipe(c, &r)) return failed("unknown dtype");
  uint64_t count = json_number(c, "count", 0);
  void* got = malloc(count * (uint64_t)r.type->size + 1);
  verdict v = got != NULL && recipe_fill(&r, count, got) ? compare(c, got, count, (size_t)r.type->size)
                                                         : failed("unknown pattern, or no memory");
  free(got);
  return v;
}

// Whether block `b` holds what its image says; `what` names it.
static verdict unchanged(const block* b, const char* what) {
  unsigned char* now = malloc(b->bytes + 1);
  verdict v = passed();
  if (now == NULL || !block_get(b, now)) {
    v = failed("cannot read %s back: %s", what, wprim_last_error());
  } else if (memcmp(now, b->image, b->bytes) != 0) {
    size_t i = 0;
    while (now[i] == b->image[i]) ++i;
    v = failed("%s was written at byte %zu of %zu", what, i, b->bytes);
  }
  free(now);
  return v;
}

// What an op reads and writes. Modes that exchange memory have it twice.
typedef struct {
  block in, out, number;
  size_t in_at, out_at;  // where the arrays begin in their blocks
  bool has_number;       // n_on_device
} memory;

// The second begins an element later, so that not even the alignment is the same.
static bool memory_open(memory* m, session* s, const json* c, const recipe* r, const wprim_reduce_desc* d,
                        size_t size, uint64_t shift) {
  uint64_t offset = json_number(c, "offset", 0) + shift;
  uint64_t inputs = d->rows * (d->row_stride != 0 ? d->row_stride : d->cols);
  uint64_t outputs = d->rows * (d->op == WPRIM_MINMAX ? 2 : 1);
  m->in_at = (size_t)offset * (size_t)r->type->size;
  m->out_at = GUARD + (size_t)offset * size;
  m->has_number = json_get(c, "n_on_device") != NULL;
  if (!block_open(&m->in, s, m->in_at + (size_t)inputs * (size_t)r->type->size) ||
      !block_open(&m->out, s, m->out_at + (size_t)outputs * size + GUARD) ||
      !block_open(&m->number, s, sizeof(uint64_t)) || !recipe_fill(r, inputs, m->in.image + m->in_at))
    return false;
  uint64_t number = json_number(c, "n_on_device", 0);
  memcpy(m->number.image, &number, sizeof number);
  return block_put(&m->in) && block_put(&m->number);
}

static void memory_close(memory* m) {
  block* blocks[] = {&m->in, &m->out, &m->number};
  for (int i = 0; i < 3; ++i) {
    if (blocks[i]->session != NULL) block_close(blocks[i]);
  }
}

static const void* in_of(const memory* m, const json* c) {
  return json_number(c, "null_in", 0) != 0 ? NULL : m->in.device + m->in_at;
}

static void* out_of(const memory* m, const json* c) {
  return json_number(c, "null_out", 0) != 0 ? NULL : m->out.device + m->out_at;
}

// Whether the output is what the case says, and nothing else changed.
static verdict check_memory(const json* c, memory* m, uint64_t count, size_t size) {
  unsigned char* now = malloc(m->out.bytes);
  if (now == NULL || !block_get(&m->out, now)) {
    free(now);
    return failed("cannot read the output back: %s", wprim_last_error());
  }
  memcpy(m->out.image + m->out_at, now + m->out_at, (size_t)count * size);  // around it must still be poison
  verdict v = compare(c, now + m->out_at, count, size);
  free(now);
  if (v.outcome == PASS) v = unchanged(&m->out, "memory around out");
  if (v.outcome == PASS) v = unchanged(&m->in, "in");
  if (v.outcome == PASS) v = unchanged(&m->number, "n_on_device");
  return v;
}

// One run of a request into fresh poison.
static verdict run_once(session* s, const json* c, const request* r, memory* sets, int set_count,
                        size_t size) {
  for (int i = 0; i < set_count; ++i) {
    memset(sets[i].out.image, POISON, sets[i].out.bytes);
    if (!block_put(&sets[i].out)) return failed("cannot write the output's memory: %s", wprim_last_error());
  }
  wprim_status status = s->mode->run(s, r);
  if (status != WPRIM_OK) {
    verdict refused = failed("%s: %s", wprim_status_name(status), wprim_last_error());
    wprim_stream_synchronize(s->stream);  // the memory goes away
    return refused;
  }
  uint64_t count = r->desc->rows * (r->desc->op == WPRIM_MINMAX ? 2 : 1);
  verdict v = passed();
  for (int i = 0; i < set_count && v.outcome == PASS; ++i) {
    v = check_memory(c, &sets[i], count, size);
    if (v.outcome == FAIL && i > 0) v = failed("after rebinding: %.400s", v.why);
  }
  return v;
}

// The simple call can say it too: one row, all defaults, today's desc.
static bool is_simple(const json* c, const wprim_reduce_desc* d) {
  return d->rows == 1 && d->out_dtype == WPRIM_DTYPE_DEFAULT && d->nan == WPRIM_NAN_PROPAGATE &&
         d->ddof == 0 && d->n_on_device == NULL && json_get(c, "struct_size") == NULL &&
         json_get(c, "extra") == NULL;
}

verdict run_reduce(session* s, const json* c) {
  wprim_reduce_desc d;
  recipe r;
  const element_type* result = element_type_named(json_string(c, "result", ""));
  if (!read_recipe(c, &r) || !read_desc(c, &d) || result == NULL)
    return failed("the case has a name this runner does not know");
  if (json_number(c, "large", 0) != 0 && !s->large) return skipped("large");
  size_t size = (size_t)result->size;
  int set_count = s->mode->rebinds ? 2 : 1;
  memory sets[2] = {0};
  bool good = true;
  for (int i = 0; i < set_count; ++i) good = good && memory_open(&sets[i], s, c, &r, &d, size, (uint64_t)i);
  verdict v = failed("no memory, or unknown pattern");
  if (good) {
    const memory *first = &sets[0], *second = &sets[set_count - 1];
    d.in = in_of(first, c);
    d.out = out_of(first, c);
    d.n_on_device = first->has_number ? (const uint64_t*)(const void*)first->number.device : NULL;
    const wprim_binding bindings[] = {{0, WPRIM_SLOT_IN, in_of(second, c)},
                                      {0, WPRIM_SLOT_OUT, out_of(second, c)},
                                      {0, WPRIM_SLOT_COUNT, second->number.device}};
    desc_space space;
    request ex = {place_desc(c, &d, &space), false, bindings, first->has_number ? 3 : 2};
    v = run_once(s, c, &ex, sets, set_count, size);
    if (v.outcome == PASS && s->mode->has_simple_call && is_simple(c, &d)) {
      request simple = {&d, true, bindings, 2};
      v = run_once(s, c, &simple, sets, set_count, size);
      if (v.outcome == FAIL) v = failed("simple call: %.400s", v.why);
    }
  }
  for (int i = 0; i < 2; ++i) memory_close(&sets[i]);
  return v;
}
