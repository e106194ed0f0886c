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

// One run of a request into fresh poison; the output starts `start` bytes into its block.
static verdict run_once(session* s, const json* c, const request* r, block* in, block* out, size_t start,
                        uint64_t count) {
  const element_type* type = element_type_named(json_string(c, "result", ""));
  size_t bytes = (size_t)count * (size_t)type->size;
  memset(out->image, POISON, out->bytes);
  if (!block_put(out)) return failed("cannot write the output's memory: %s", wprim_last_error());
  wprim_status status = s->mode->run(s, r);
  if (status != WPRIM_OK) return failed("%s: %s", wprim_status_name(status), wprim_last_error());
  unsigned char* now = malloc(out->bytes);
  if (now == NULL || !block_get(out, now)) {
    free(now);
    return failed("cannot read the output back: %s", wprim_last_error());
  }
  memcpy(out->image + start, now + start, bytes);  // what lies around it must still be poison
  verdict v = compare(c, now + start, count, (size_t)type->size);
  free(now);
  if (v.outcome == PASS) v = unchanged(out, "memory around out");
  if (v.outcome == PASS) v = unchanged(in, "in");
  return v;
}

// The simple call can say it too: one row, all defaults, today's desc.
static bool is_simple(const json* c, const wprim_reduce_desc* d) {
  return d->rows == 1 && d->out_dtype == WPRIM_DTYPE_DEFAULT && d->nan == WPRIM_NAN_PROPAGATE &&
         d->ddof == 0 && json_get(c, "struct_size") == NULL && json_get(c, "extra") == NULL;
}

verdict run_reduce(session* s, const json* c) {
  wprim_reduce_desc d;
  recipe r;
  const element_type* result = element_type_named(json_string(c, "result", ""));
  if (!read_recipe(c, &r) || !read_desc(c, &d) || result == NULL)
    return failed("the case has a name this runner does not know");
  if (json_number(c, "large", 0) != 0 && !s->large) return skipped("large");
  uint64_t offset = json_number(c, "offset", 0), count = d.rows * (d.row_stride != 0 ? d.row_stride : d.cols);
  uint64_t outputs = d.rows * (d.op == WPRIM_MINMAX ? 2 : 1);
  size_t head = (size_t)offset * (size_t)r.type->size, start = GUARD + (size_t)offset * (size_t)result->size;

  block in = {0}, out = {0};
  verdict v = failed("no memory, or unknown pattern");
  if (block_open(&in, s, head + (size_t)count * (size_t)r.type->size) &&
      block_open(&out, s, start + (size_t)outputs * (size_t)result->size + GUARD) &&
      recipe_fill(&r, count, in.image + head) && block_put(&in)) {
    d.in = json_number(c, "null_in", 0) != 0 ? NULL : in.device + head;
    d.out = json_number(c, "null_out", 0) != 0 ? NULL : out.device + start;
    desc_space space;
    request ex = {place_desc(c, &d, &space), false}, simple = {&d, true};
    v = run_once(s, c, &ex, &in, &out, start, outputs);
    if (v.outcome == PASS && is_simple(c, &d)) {
      v = run_once(s, c, &simple, &in, &out, start, outputs);
      if (v.outcome == FAIL) v = failed("simple call: %.400s", v.why);
    }
  }
  if (out.session != NULL) block_close(&out);
  if (in.session != NULL) block_close(&in);
  return v;
}
