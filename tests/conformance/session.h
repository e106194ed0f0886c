// What every kind of case needs: a stream to work on, memory that its device reaches, and a verdict to give.
#ifndef CONFORMANCE_SESSION_H
#define CONFORMANCE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"
#include "warpprim.h"

enum { POISON = 0xA5, GUARD = 256 };

struct session;

// One call of a family, not yet made: the desc, or the simple call that says the same. And other memory for the
// same op, in modes that can exchange it.
typedef struct {
  const wprim_reduce_desc* desc;
  bool simple;
  const wprim_binding* bindings;
  uint32_t binding_count;
} request;

// A way to have a request done: at once (eager), later from a plan or a graph, by a resident kernel. Returns when
// it is done, in modes that rebind on both sets of memory.
typedef struct {
  const char* name;
  wprim_stream_kind stream_kind;
  bool rebinds;
  bool has_simple_call;
  wprim_status (*run)(struct session* s, const request* r);
} mode;

const mode* mode_named(const char* name);  // NULL if there is none

typedef struct session {
  wprim_device_kind kind;
  const char* backend;
  const mode* mode;
  bool large;  // run the cases marked large too
  wprim_context* ctx;
  wprim_stream* stream;
} session;

// Opens device 0 of the backend. False, with a text on stderr, if that fails.
bool session_open(session* s, const char* backend, const char* mode_name);
void session_close(session* s);

typedef enum { PASS, FAIL, SKIP } outcome;

typedef struct {
  outcome outcome;
  char why[480];
} verdict;

verdict passed(void);
verdict skipped(const char* why);
__attribute__((format(printf, 1, 2))) verdict failed(const char* format, ...);

// Runs one case of each kind. value.c: kinds that compare values; refusal.c: calls that must fail, object.c:
// likewise.
verdict run_digest(const json* c);
verdict run_recipe(const json* c);
verdict run_reduce(session* s, const json* c);
verdict run_reduce_call(session* s, const json* c);
verdict run_object_call(session* s, const json* c);

// A block of memory that the device reaches, with a copy of what it should hold. For the CPU that is host
// memory, exactly as long as asked for, so that address sanitizer sees a step beyond; for other devices
// memory of wprim_malloc.
typedef struct {
  session* session;
  size_t bytes;
  unsigned char* device;  // aligned to 256; not to be read on the host
  unsigned char* image;   // on the host
} block;

bool block_open(block* b, session* s, size_t bytes);  // the image is all POISON, the device is not written
bool block_put(block* b);                             // image to device
bool block_get(const block* b, unsigned char* to);    // device to `to`
void block_close(block* b);

// Compares `count` elements with the hex texts in c.expect, or all their bytes with c.digest.
verdict compare(const json* c, const void* got, uint64_t count, size_t size);

// Whether `text` has `word` in it with no letter, digit or _ beside.
bool has_word(const char* text, const char* word);
// The first word of c.words that wprim_last_error() lacks, or NULL.
const char* missing_word(const json* c);

// Numbers of ops, types and policies by their names in the case files; -1 if there is none.
int op_named(const char* name);
int nan_named(const char* name);

// The desc a case spells, without pointers. Members that are numbers are taken as they are. False: an unknown
// name.
bool read_desc(const json* c, wprim_reduce_desc* desc);

// A desc as it is passed: maybe shorter or longer than this header's, and what lies behind it.
typedef struct {
  _Alignas(16) unsigned char bytes[1024];
} desc_space;
const wprim_reduce_desc* place_desc(const json* c, const wprim_reduce_desc* desc, desc_space* space);

#endif
