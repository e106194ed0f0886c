// Runs conformance cases through the C API, and says for each: case, backend, mode, result.
//
//   runner [--backend cpu] [--mode eager|plan|graph|resident] [--large] [--filter TEXT] [--out FILE] CASES.jsonl...
//
// The lines go to stdout or FILE, and a summary to stdout. Failures go to stderr too if there is a FILE.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

typedef struct {
  const char* backend;
  const char* mode;
  const char* filter;
  bool large;
  FILE* out;
  int passed, failed, skipped;
} options;

// Cases that name backends are for those alone.
static bool is_for(const json* c, const char* backend) {
  const json* list = json_get(c, "backends");
  if (list == NULL) return true;
  for (const json* b = list->first; b != NULL; b = b->next) {
    if (strcmp(b->string, backend) == 0) return true;
  }
  return false;
}

static verdict run_case(session* s, const json* c) {
  const char* kind = json_string(c, "kind", "");
  if (!is_for(c, s->backend)) return skipped("for another backend");
  if (strcmp(kind, "digest") == 0) return run_digest(c);
  if (strcmp(kind, "recipe") == 0) return run_recipe(c);
  if (strcmp(kind, "reduce") == 0) return run_reduce(s, c);
  if (strcmp(kind, "reduce_call") == 0) return run_reduce_call(s, c);
  if (strcmp(kind, "object_call") == 0) return run_object_call(s, c);
  return failed("this runner does not know the kind \"%s\"", kind);
}

static void report(options* o, const char* name, const verdict* v) {
  const char* words[] = {"pass", "fail: ", "skip: "};
  int* counts[] = {&o->passed, &o->failed, &o->skipped};
  ++*counts[v->outcome];
  fprintf(o->out, "%s %s %s %s%s\n", name, o->backend, o->mode, words[v->outcome], v->why);
  if (v->outcome == FAIL && o->out != stdout)
    fprintf(stderr, "%s %s %s fail: %s\n", name, o->backend, o->mode, v->why);
}

static bool run_file(options* o, session* s, const char* path) {
  FILE* file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    return false;
  }
  char* text = NULL;
  size_t room = 0;
  json_line line;
  bool good = true;
  while (good && getline(&text, &room, file) > 0) {
    const json* c = json_parse(&line, text);
    const char* name = json_string(c, "name", NULL);
    if (name == NULL) {
      fprintf(stderr, "%s: a line is not a case\n", path);
      good = false;
    } else if (o->filter == NULL || strstr(name, o->filter) != NULL) {
      verdict v = run_case(s, c);
      report(o, name, &v);
    }
  }
  free(text);
  fclose(file);
  return good;
}

// Reads the options; the index of the first file, or 0 if they make no sense.
static int read_options(options* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (strncmp(argv[i], "--", 2) != 0) return i;
    if (strcmp(argv[i], "--large") == 0) {
      o->large = true;
      continue;
    }
    ++i;
    if (strcmp(argv[i - 1], "--backend") == 0) {
      o->backend = value;
    } else if (strcmp(argv[i - 1], "--mode") == 0) {
      o->mode = value;
    } else if (strcmp(argv[i - 1], "--filter") == 0) {
      o->filter = value;
    } else if (strcmp(argv[i - 1], "--out") == 0) {
      o->out = fopen(value, "w");
      if (o->out == NULL) perror(value);
    } else {
      return 0;
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  options o = {.backend = "cpu", .mode = "eager", .out = stdout};
  int first = read_options(&o, argc, argv);
  if (first == 0 || o.out == NULL) {
    fprintf(stderr,
            "usage: %s [--backend cpu|cuda] [--mode eager|plan|graph|resident] [--large] [--filter TEXT] "
            "[--out FILE] CASES...\n",
            argv[0]);
    return 2;
  }
  session s;
  if (!session_open(&s, o.backend, o.mode)) return 2;
  s.large = o.large;
  bool good = true;
  for (int i = first; i < argc; ++i) good = run_file(&o, &s, argv[i]) && good;
  session_close(&s);
  if (o.out != stdout && fclose(o.out) != 0) {
    perror("the file of results");
    good = false;
  }
  printf("%d passed, %d failed, %d skipped\n", o.passed, o.failed, o.skipped);
  return good && o.failed == 0 && o.passed > 0 ? 0 : 1;
}
