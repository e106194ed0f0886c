// Calls on contexts, streams, events and memory, with arguments as a case spells them.
#include <string.h>

#include "session.h"

enum { ARENA = 256, MOST_ARGS = 5, DESC = 512, MOST_BINDINGS = 4, MOST_MADE = 16, OUT_AT = 192 };

// What was made for a case, to be destroyed after it.
typedef struct {
  void* object;
  wprim_status (*destroy)(void* object);
} made;

typedef struct {
  session* session;
  block arena;
  _Alignas(16) unsigned char out[64];     // what "out" stands for: host memory
  _Alignas(16) unsigned char desc[DESC];  // what {"struct_size": ...} stands for
  wprim_reduce_desc reduce_desc;
  wprim_binding bindings[MOST_BINDINGS];
  made made[MOST_MADE];
  int made_count;
} stage;

static wprim_status callback(void* user) {
  (void)user;
  return WPRIM_OK;
}

static uint64_t handle(const void* object) { return (uint64_t)(uintptr_t)object; }

static wprim_status destroy_context(void* object) { return wprim_context_destroy(object); }
static wprim_status destroy_stream(void* object) { return wprim_stream_destroy(object); }
static wprim_status destroy_event(void* object) { return wprim_event_destroy(object); }
static wprim_status destroy_plan(void* object) { return wprim_plan_destroy(object); }
static wprim_status destroy_graph(void* object) { return wprim_graph_destroy(object); }

static void* keep(stage* g, void* object, wprim_status (*destroy)(void*)) {
  g->made[g->made_count++] = (made){object, destroy};
  return object;
}

static wprim_context* make_context(stage* g) {
  wprim_context* ctx = NULL;
  wprim_context_create(g->session->kind, 0, &ctx);
  return keep(g, ctx, destroy_context);
}

static wprim_stream* make_stream(stage* g, wprim_context* ctx, wprim_stream_kind kind) {
  wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
  desc.kind = kind;
  wprim_stream* stream = NULL;
  wprim_stream_create(ctx, &desc, &stream);
  return keep(g, stream, destroy_stream);
}

static wprim_stream* make_recording(stage* g) {
  wprim_stream* stream = make_stream(g, g->session->ctx, WPRIM_STREAM_LAUNCHED);
  wprim_graph_begin(stream);
  return stream;
}

static wprim_event* make_event(stage* g, wprim_stream* recorded_on) {
  wprim_event* e = NULL;
  wprim_event_create(g->session->ctx, &e);
  if (recorded_on != NULL) wprim_event_record(e, recorded_on);
  return keep(g, e, destroy_event);
}

static wprim_plan* make_plan(stage* g) {
  wprim_plan* plan = NULL;
  wprim_plan_reduce(g->session->ctx, &g->reduce_desc, &plan);
  return keep(g, plan, destroy_plan);
}

// Four nodes: a copy, a fill, a reduce, a host callback.
static wprim_graph* make_graph(stage* g) {
  wprim_stream* stream = make_recording(g);
  unsigned char* arena = g->arena.device;
  const float value = 0;
  wprim_copy(stream, arena + 64, arena, 16);
  wprim_fill(stream, WPRIM_F32, arena + 128, 4, &value);
  wprim_reduce_ex(stream, &g->reduce_desc);
  wprim_stream_call(stream, callback, NULL);
  wprim_graph* graph = NULL;
  wprim_graph_end(stream, &graph);
  return keep(g, graph, destroy_graph);
}

static void* make(stage* g, const char* name) {
  session* s = g->session;
  if (strcmp(name, "ctx") == 0) return s->ctx;
  if (strcmp(name, "stream") == 0) return s->stream;
  if (strcmp(name, "out") == 0) return g->out;
  if (strcmp(name, "reduce_desc") == 0) return &g->reduce_desc;
  if (strcmp(name, "other_ctx") == 0) return make_context(g);
  if (strcmp(name, "launched") == 0) return make_stream(g, s->ctx, WPRIM_STREAM_LAUNCHED);
  if (strcmp(name, "resident") == 0) return make_stream(g, s->ctx, WPRIM_STREAM_RESIDENT);
  if (strcmp(name, "other_stream") == 0) return make_stream(g, make_context(g), WPRIM_STREAM_LAUNCHED);
  if (strcmp(name, "recording") == 0) return make_recording(g);
  if (strcmp(name, "event") == 0) return make_event(g, NULL);
  if (strcmp(name, "graph_event") == 0) return make_event(g, make_recording(g));
  if (strcmp(name, "plan") == 0) return make_plan(g);
  if (strcmp(name, "graph") == 0) return make_graph(g);
  if (strcmp(name, "recorded") != 0) return NULL;
  wprim_event* e = make_event(g, s->stream);
  wprim_stream_synchronize(s->stream);
  return e;
}

static uint64_t named_argument(stage* g, const char* name) {
  static const char* const gone[][2] = {{"destroyed_ctx", "other_ctx"},
                                        {"destroyed_stream", "launched"},
                                        {"destroyed_event", "event"},
                                        {"destroyed_plan", "plan"},
                                        {"destroyed_graph", "graph"}};
  if (strcmp(name, "callback") == 0) return (uint64_t)(uintptr_t)callback;
  for (size_t i = 0; i < sizeof gone / sizeof gone[0]; ++i) {
    if (strcmp(name, gone[i][0]) != 0) continue;
    void* object = make(g, gone[i][1]);
    g->made[--g->made_count].destroy(object);
    return handle(object);
  }
  return handle(make(g, name));
}

static uint64_t argument(stage* g, const json* a);

// Each is [node, slot, pointer].
static uint64_t bindings(stage* g, const json* list) {
  int n = 0;
  for (const json* b = list->first; b != NULL && n < MOST_BINDINGS; b = b->next) {
    const json *node = b->first, *slot = node->next;
    g->bindings[n++] = (wprim_binding){node->number, (wprim_slot)slot->number,
                                       (const void*)(uintptr_t)argument(g, slot->next)};
  }
  return handle(g->bindings);
}

static uint64_t argument(stage* g, const json* a) {
  if (a->type == JSON_STRING) return named_argument(g, a->string);
  if (a->type == JSON_INT) return a->number;
  if (json_get(a, "bindings") != NULL) return bindings(g, json_get(a, "bindings"));
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
  CALL(wprim_plan_reduce, P(0), P(1), P(2));
  CALL(wprim_plan_launch, P(0), P(1));
  CALL(wprim_plan_rebind, P(0), (wprim_slot)a[1], P(2));
  CALL(wprim_plan_rebind_many, P(0), P(1), (uint32_t)a[2]);
  CALL(wprim_plan_describe, P(0), (wprim_format)a[1], P(2), a[3], P(4));
  CALL(wprim_plan_destroy, P(0));
  CALL(wprim_graph_begin, P(0));
  CALL(wprim_graph_end, P(0), P(1));
  CALL(wprim_graph_launch, P(0), P(1));
  CALL(wprim_graph_rebind, P(0), a[1], (wprim_slot)a[2], P(3));
  CALL(wprim_graph_rebind_many, P(0), P(1), (uint32_t)a[2]);
  CALL(wprim_graph_describe, P(0), (wprim_format)a[1], P(2), a[3], P(4));
  CALL(wprim_graph_destroy, P(0));
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
  wprim_stream* stream = g->session->stream;  // a call that was allowed may have enqueued something
  if ((got == WPRIM_OK ? wprim_stream_synchronize(stream) : wprim_stream_query(stream)) != WPRIM_OK)
    return failed("the stream is not idle and well: %s", wprim_last_error());
  return passed();
}

verdict run_object_call(session* s, const json* c) {
  const json* args = json_get(c, "args");
  const char* function = json_string(c, "function", "");
  stage g = {.session = s};
  memset(g.out, POISON, sizeof g.out);
  if (json_count(args) > MOST_ARGS || !block_open(&g.arena, s, ARENA) || !block_put(&g.arena))
    return failed("cannot set up");
  g.reduce_desc = (wprim_reduce_desc)WPRIM_REDUCE_DESC_INIT;
  g.reduce_desc.in = g.arena.device;
  g.reduce_desc.cols = 4;
  g.reduce_desc.out = g.arena.device + OUT_AT;
  uint64_t a[MOST_ARGS] = {0};
  int n = 0;
  for (const json* arg = args->first; arg != NULL; arg = arg->next) a[n++] = argument(&g, arg);
  wprim_status got = WPRIM_OK;
  verdict v =
      dispatch(function, a, &got) ? check(&g, c, got) : failed("this runner does not know %s", function);
  if (v.outcome == PASS && got == WPRIM_OK && strcmp(function, "wprim_stream_create") == 0) {
    wprim_stream* created;
    memcpy(&created, g.out, sizeof created);
    wprim_stream_destroy(created);
  }
  while (g.made_count > 0) {
    const made* last = &g.made[--g.made_count];
    last->destroy(last->object);
  }
  block_close(&g.arena);
  return v;
}
