// Calls of reduce that must fail: with the status and the words the case says, and with nothing done.
#include <stdlib.h>
#include <string.h>

#include "session.h"

enum { ARENA = 16384, IN_AT = 4096, OUT_AT = 12288 };
static const uint64_t FAR = (uint64_t)1 << 44;

// An address in the arena, one far away that is never read, or NULL.
static void* address(const json* c, const char* key, uint64_t otherwise, const block* arena) {
  if (json_is_null(c, key)) return NULL;
  uint64_t at = json_number(c, key, otherwise);
  return at >= FAR ? (void*)(uintptr_t)at : (void*)(arena->device + at);
}

// The stream argument; `made` receives what must be destroyed afterwards.
static wprim_stream* stream_argument(session* s, const json* c, const block* arena, wprim_event** made) {
  const char* name = json_string(c, "stream", "good");
  if (strcmp(name, "null") == 0) return NULL;
  if (strcmp(name, "context") == 0) return (wprim_stream*)(void*)s->ctx;
  if (strcmp(name, "arena") == 0) return (wprim_stream*)(void*)arena->device;
  if (strcmp(name, "event") == 0 && wprim_event_create(s->ctx, made) == WPRIM_OK)
    return (wprim_stream*)(void*)*made;
  if (strcmp(name, "destroyed_stream") == 0) {
    wprim_stream* gone = NULL;
    wprim_stream_create(s->ctx, NULL, &gone);
    wprim_stream_destroy(gone);
    return gone;
  }
  return s->stream;
}

// After the refused call the stream must be as before: idle, and good for the next call.
static verdict still_works(session* s) {
  if (wprim_stream_query(s->stream) != WPRIM_OK)
    return failed("the stream is not idle and well: %s", wprim_last_error());
  block b;
  verdict v = failed("the stream no longer works");
  if (block_open(&b, s, 64)) {
    const int32_t ones[4] = {1, 1, 1, 1};
    int64_t sum = 0;
    memcpy(b.image, ones, sizeof ones);
    unsigned char now[64];
    if (block_put(&b) &&
        wprim_reduce(s->stream, WPRIM_SUM, WPRIM_I32, b.device, 4, b.device + 32) == WPRIM_OK &&
        wprim_stream_synchronize(s->stream) == WPRIM_OK && block_get(&b, now)) {
      memcpy(&sum, now + 32, sizeof sum);
      v = sum == 4 ? passed() : failed("the next call on the stream gave a wrong sum");
    }
  }
  block_close(&b);
  return v;
}

static verdict check(session* s, const json* c, wprim_status got, const block* arena, size_t out_at) {
  const char* want = json_string(c, "status", "");
  if (strcmp(wprim_status_name(got), want) != 0) {
    return failed("got %s want %s; last error: %s", wprim_status_name(got), want, wprim_last_error());
  }
  const char* missing = missing_word(c);
  if (missing != NULL) return failed("\"%s\" is not in the text: %s", missing, wprim_last_error());
  unsigned char now[ARENA];
  if (wprim_stream_synchronize(s->stream) != WPRIM_OK || !block_get(arena, now))
    return failed("%s", wprim_last_error());
  const json* expect = json_get(c, "expect");
  if (expect != NULL) {
    size_t size = strlen(expect->first->string) / 2;
    verdict v = compare(c, now + out_at, (uint64_t)json_count(expect), size);
    if (v.outcome != PASS) return v;
    memset(now + out_at, POISON, size * (size_t)json_count(expect));
  }
  for (size_t i = 0; i < ARENA; ++i) {
    if (now[i] != POISON) return failed("memory was written at byte %zu of the arena", i);
  }
  return still_works(s);
}

// A plan that comes out is launched.
static wprim_status call_plan(session* s, const wprim_reduce_desc* desc) {
  wprim_plan* plan = (wprim_plan*)(void*)s->ctx;
  wprim_status status = wprim_plan_reduce(s->ctx, desc, &plan);
  if (status != WPRIM_OK) return plan == NULL ? status : WPRIM_ERROR_INTERNAL;
  status = wprim_plan_launch(plan, s->stream);
  wprim_plan_destroy(plan);
  return status;
}

static wprim_status call(session* s, const char* function, wprim_stream* stream,
                         const wprim_reduce_desc* desc, const wprim_reduce_desc* d) {
  if (strcmp(function, "wprim_plan_reduce") == 0) return call_plan(s, desc);
  if (strcmp(function, "wprim_reduce") == 0)
    return wprim_reduce(stream, d->op, d->dtype, d->in, d->cols, d->out);
  return wprim_reduce_ex(stream, desc);
}

verdict run_reduce_call(session* s, const json* c) {
  wprim_reduce_desc d;
  block arena;
  if (!read_desc(c, &d)) return failed("the case has a name this runner does not know");
  if (!block_open(&arena, s, ARENA) || !block_put(&arena)) return failed("no memory for the arena");
  d.in = address(c, "in", IN_AT, &arena);
  d.out = address(c, "out", OUT_AT, &arena);
  if (json_get(c, "n_on_device") != NULL) d.n_on_device = address(c, "n_on_device", 0, &arena);
  wprim_event* event = NULL;
  wprim_stream* stream = stream_argument(s, c, &arena, &event);
  desc_space space;
  const wprim_reduce_desc* desc = json_is_null(c, "desc") ? NULL : place_desc(c, &d, &space);
  wprim_status got = call(s, json_string(c, "function", ""), stream, desc, &d);
  verdict v = check(s, c, got, &arena, (size_t)json_number(c, "out", OUT_AT));
  wprim_event_destroy(event);
  block_close(&arena);
  return v;
}
