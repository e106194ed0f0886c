#define _POSIX_C_SOURCE 200809L
#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recipe.h"

static wprim_status call(session* s, const request* r) {
  const wprim_reduce_desc* d = r->desc;
  return r->simple ? wprim_reduce(s->stream, d->op, d->dtype, d->in, d->cols, d->out)
                   : wprim_reduce_ex(s->stream, d);
}

static wprim_status run_call(session* s, const request* r) {
  wprim_status status = call(s, r);
  return status == WPRIM_OK ? wprim_stream_synchronize(s->stream) : status;
}

// Both launches are under way before the host waits: exchanging the memory must not touch the first.
static wprim_status run_plan(session* s, const request* r) {
  wprim_plan* plan = NULL;
  wprim_status status = wprim_plan_reduce(s->ctx, r->desc, &plan);
  if (status == WPRIM_OK) status = wprim_plan_launch(plan, s->stream);
  if (status == WPRIM_OK) status = wprim_plan_rebind_many(plan, r->bindings, r->binding_count);
  if (status == WPRIM_OK) status = wprim_plan_launch(plan, s->stream);
  wprim_plan_destroy(plan);
  return status == WPRIM_OK ? wprim_stream_synchronize(s->stream) : status;
}

static wprim_status run_graph(session* s, const request* r) {
  wprim_graph* graph = NULL;
  wprim_status status = wprim_graph_begin(s->stream);
  if (status != WPRIM_OK) return status;
  status = call(s, r);
  if (status != WPRIM_OK) {
    if (wprim_graph_end(s->stream, &graph) == WPRIM_OK) wprim_graph_destroy(graph);
    return status;
  }
  status = wprim_graph_end(s->stream, &graph);
  if (status == WPRIM_OK) status = wprim_graph_launch(graph, s->stream);
  if (status == WPRIM_OK) status = wprim_graph_rebind_many(graph, r->bindings, r->binding_count);
  if (status == WPRIM_OK) status = wprim_graph_launch(graph, s->stream);
  wprim_graph_destroy(graph);
  return status == WPRIM_OK ? wprim_stream_synchronize(s->stream) : status;
}

static const mode modes[] = {
    {"eager", WPRIM_STREAM_LAUNCHED, false, true, run_call},
    {"plan", WPRIM_STREAM_LAUNCHED, true, false, run_plan},
    {"graph", WPRIM_STREAM_LAUNCHED, true, true, run_graph},
    {"resident", WPRIM_STREAM_RESIDENT, false, true, run_call},
};

const mode* mode_named(const char* name) {
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
    if (strcmp(modes[i].name, name) == 0) return &modes[i];
  }
  return NULL;
}

bool session_open(session* s, const char* backend, const char* mode_name) {
  memset(s, 0, sizeof *s);
  s->backend = backend;
  s->kind = strcmp(backend, "cuda") == 0 ? WPRIM_CUDA : WPRIM_CPU;
  s->mode = mode_named(mode_name);
  if (s->mode == NULL || (s->kind == WPRIM_CPU && strcmp(backend, "cpu") != 0)) {
    fprintf(stderr, "unknown backend or mode: %s, %s\n", backend, mode_name);
    return false;
  }
  wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
  desc.kind = s->mode->stream_kind;
  if (wprim_context_create(s->kind, 0, &s->ctx) != WPRIM_OK ||
      wprim_stream_create(s->ctx, &desc, &s->stream) != WPRIM_OK) {
    fprintf(stderr, "cannot open the device: %s\n", wprim_last_error());
    session_close(s);
    return false;
  }
  return true;
}

void session_close(session* s) {
  wprim_stream_destroy(s->stream);
  wprim_context_destroy(s->ctx);
}

verdict passed(void) { return (verdict){.outcome = PASS}; }

verdict skipped(const char* why) {
  verdict v = {.outcome = SKIP};
  snprintf(v.why, sizeof v.why, "%s", why);
  return v;
}

verdict failed(const char* format, ...) {
  verdict v = {.outcome = FAIL};
  va_list args;
  va_start(args, format);
  vsnprintf(v.why, sizeof v.why, format, args);
  va_end(args);
  for (char* c = v.why; *c != '\0'; ++c) {
    if (*c == '\n') *c = ' ';  // a result is one line
  }
  return v;
}

bool block_open(block* b, session* s, size_t bytes) {
  *b = (block){.session = s, .bytes = bytes};
  size_t at_least_one = bytes == 0 ? 1 : bytes;
  b->image = malloc(at_least_one);
  void* device = NULL;
  bool good =
      b->image != NULL && (s->kind == WPRIM_CPU ? posix_memalign(&device, 256, at_least_one) == 0
                                                : wprim_malloc(s->stream, at_least_one, &device) == WPRIM_OK);
  b->device = device;
  if (good) memset(b->image, POISON, at_least_one);
  return good;
}

// Copies between the image and the device, and waits.
static bool transfer(const block* b, void* to, const void* from) {
  if (b->session->kind == WPRIM_CPU) {
    memcpy(to, from, b->bytes);
    return true;
  }
  return wprim_copy(b->session->stream, to, from, b->bytes) == WPRIM_OK &&
         wprim_stream_synchronize(b->session->stream) == WPRIM_OK;
}

bool block_put(block* b) { return transfer(b, b->device, b->image); }

bool block_get(const block* b, unsigned char* to) { return transfer(b, to, b->device); }

void block_close(block* b) {
  if (b->session->kind == WPRIM_CPU) {
    free(b->device);
  } else {
    wprim_free(b->session->stream, b->device);
  }
  free(b->image);
}

static uint64_t load(const unsigned char* from, size_t size) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; ++i) bits |= (uint64_t)from[i] << (8 * i);
  return bits;
}

verdict compare(const json* c, const void* got, uint64_t count, size_t size) {
  const json* expect = json_get(c, "expect");
  if (expect == NULL) {
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)fnv1a(got, (size_t)count * size));
    const char* want = json_string(c, "digest", "no expectation");
    return strcmp(text, want) == 0 ? passed() : failed("digest: got %s want %s", text, want);
  }
  if ((uint64_t)json_count(expect) != count)
    return failed("the case has %d values, not %d", json_count(expect), (int)count);
  const json* want = expect->first;
  for (uint64_t i = 0; i < count; ++i, want = want->next) {
    char text[17];
    snprintf(text, sizeof text, "%0*llx", (int)(2 * size),
             (unsigned long long)load((const unsigned char*)got + i * size, size));
    if (want->type != JSON_STRING || strcmp(text, want->string) != 0) {
      return failed("[%d]: got %s want %s", (int)i, text,
                    want->type == JSON_STRING ? want->string : "a string");
    }
  }
  return passed();
}

static bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_word(const char* text, const char* word) {
  size_t n = strlen(word);
  for (const char* at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
    if ((at == text || !in_word(at[-1])) && !in_word(at[n])) return true;
  }
  return false;
}

const char* missing_word(const json* c) {
  const json* words = json_get(c, "words");
  for (const json* w = words != NULL ? words->first : NULL; w != NULL; w = w->next) {
    if (!has_word(wprim_last_error(), w->string)) return w->string;
  }
  return NULL;
}
