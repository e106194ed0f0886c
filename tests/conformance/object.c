// Calls on contexts, streams, events and memory, with arguments as a case spells them.
#include <string.h>

#include "session.h"

enum { ARENA = 256, MOST_ARGS = 5, DESC = 512 };

typedef struct {
  session* session;
  block arena;
  _Alignas(16) unsigned char out[64];     // what "out" stands for: host memory
  _Alignas(16) unsigned char desc[DESC];  // what {"struct_size": ...} stands for
  wprim_event* events[MOST_ARGS];
  int event_count;
} stage;

static wprim_status callback(void* user) {
  (void)user;
  return WPRIM_OK;
}

static wprim_event* make_event(stage* g) {
  wprim_event** e = &g->events[g->event_count++];
  wprim_event_create(g->session->ctx, e);
  return *e;
}

static uint64_t handle(const void* object) { return (uint64_t)(uintptr_t)object; }

static uint64_t named_argument(stage* g, const char* name) {
  session* s = g->session;
  if (strcmp(name, "ctx") == 0) return handle(s->ctx);
  if (strcmp(name, "stream") == 0) return handle(s->stream);
  if (strcmp(name, "out") == 0) return handle(g->out);
  if (strcmp(name, "callback") == 0) return (uint64_t)(uintptr_t)callback;
  if (strcmp(name, "event") == 0) return handle(make_event(g));
  if (strcmp(name, "recorded") == 0) {
    wprim_event* e = make_event(g);
    wprim_event_record(e, s->stream);
    wprim_stream_synchronize(s->stream);
    return handle(e);
  }
  if (strcmp(name, "destroyed_ctx") == 0) {
    wprim_context* gone = NULL;
    wprim_context_create(s->kind, 0, &gone);
    wprim_context_destroy(gone);
    return handle(gone);
  }
  if (strcmp(name, "destroyed_stream") == 0) {
    wprim_stream* gone = NULL;
    wprim_stream_create(s->ctx, NULL, &gone);
    wprim_stream_destroy(gone);
    return handle(gone);
  }
  wprim_event* gone = NULL;  // "destroyed_event"
  wprim_event_create(s->ctx, &gone);
  wprim_event_destroy(gone);
  return handle(gone);
}

static uint64_t argument(stage* g, const json* a) {
  if (a->type == JSON_STRING) return named_argument(g, a->string);
  if (a->type == JSON_INT) return a->number;
  if (json_get(a, "arena") != NULL) return handle(g->arena.device + json_number(a, "arena", 0));
  if (json_get(a, "struct_size") != NULL) {
    uint32_t size = (uint32_t)json_number(a, "struct_size", 0);
    memset(g->desc, 0, sizeof g->desc);
    memcpy(g->desc, &size, sizeof size);
    if (json_get(a, "last") != NULL && size <= DESC)
      g->desc[size - 1] = (unsigned char)json_number(a, "last", 0);
    return handle(g->desc);
  }
  return 0;  // null
}

// Makes the call; the arguments are in the order of the C signature. False: a function this runner does not
// know.
static bool dispatch(const char* f, const uint64_t* a, wprim_status* status) {
#define P(i) ((void*)(uintptr_t)a[i])
#define CALL(name, ...) \
  if (strcmp(f, #name) == 0) return *status = name(__VA_ARGS__), true
  CALL(wprim_device_count, (wprim_device_kind)a[0], P(1));
  CALL(wprim_context_create, (wprim_device_kind)a[0], (int32_t)a[1], P(2));
  CALL(wprim_context_info, P(0), P(1));
  CALL(wprim_context_destroy, P(0));
  CALL(wprim_stream_create, P(0), P(1), P(2));
  CALL(wprim_stream_wrap, P(0), P(1), P(2));
  CALL(wprim_stream_synchronize, P(0));
  CALL(wprim_stream_query, P(0));
  CALL(wprim_stream_wait, P(0), P(1));
  CALL(wprim_stream_call, P(0), (wprim_host_fn)(uintptr_t)a[1], P(2));
  CALL(wprim_stream_destroy, P(0));
  CALL(wprim_event_create, P(0), P(1));
  CALL(wprim_event_record, P(0), P(1));
  CALL(wprim_event_synchronize, P(0));
  CALL(wprim_event_query, P(0));
  CALL(wprim_event_elapsed, P(0), P(1), P(2));
  CALL(wprim_event_destroy, P(0));
  CALL(wprim_malloc, P(0), a[1], P(2));
  CALL(wprim_free, P(0), P(1));
  CALL(wprim_malloc_host, P(0), a[1], P(2));
  CALL(wprim_free_host, P(0), P(1));
  CALL(wprim_copy, P(0), P(1), P(2), a[3]);
  CALL(wprim_fill, P(0), (wprim_dtype)a[1], P(2), a[3], P(4));
  CALL(wprim_set_log, (wprim_log_level)a[0], (wprim_log_fn)(uintptr_t)a[1], P(2));
#undef CALL
#undef P
  return false;
}

static bool all_are(const unsigned char* bytes, size_t n, unsigned char value) {
  for (size_t i = 0; i < n; ++i) {
    if (bytes[i] != value) return false;
  }
  return true;
}

static verdict check(stage* g, const json* c, wprim_status got) {
  const char* want = json_string(c, "status", "");
  if (strcmp(wprim_status_name(got), want) != 0) {
    return failed("got %s want %s; last error: %s", wprim_status_name(got), want, wprim_last_error());
  }
  const char* missing = missing_word(c);
  if (missing != NULL) return failed("\"%s\" is not in the text: %s", missing, wprim_last_error());
  const char* out = json_string(c, "out", "");
  if (strcmp(out, "null") == 0 && !all_are(g->out, sizeof(void*), 0))
    return failed("the object was not set to NULL");
  if (strcmp(out, "kept") == 0 && !all_are(g->out, sizeof g->out, POISON))
    return failed("the output was written");
  unsigned char now[ARENA];
  if (!block_get(&g->arena, now) || !all_are(now, ARENA, POISON)) return failed("memory was written");
  if (wprim_stream_query(g->session->stream) != WPRIM_OK)
    return failed("the stream is not idle: %s", wprim_last_error());
  return passed();
}

verdict run_object_call(session* s, const json* c) {
  const json* args = json_get(c, "args");
  const char* function = json_string(c, "function", "");
  stage g = {.session = s};
  memset(g.out, POISON, sizeof g.out);
  if (json_count(args) > MOST_ARGS || !block_open(&g.arena, s, ARENA) || !block_put(&g.arena))
    return failed("cannot set up");
  uint64_t a[MOST_ARGS] = {0};
  int n = 0;
  for (const json* arg = args->first; arg != NULL; arg = arg->next) a[n++] = argument(&g, arg);
  wprim_status got = WPRIM_OK;
  verdict v =
      dispatch(function, a, &got) ? check(&g, c, got) : failed("this runner does not know %s", function);
  if (v.outcome == PASS && got == WPRIM_OK && strcmp(function, "wprim_stream_create") == 0) {
    wprim_stream* made;
    memcpy(&made, g.out, sizeof made);
    wprim_stream_destroy(made);
  }
  for (int i = 0; i < g.event_count; ++i) wprim_event_destroy(g.events[i]);
  block_close(&g.arena);
  return v;
}
