// Reads one line of a case file: the part of JSON that these files use. Numbers are integers that fit 64
// bits.
#ifndef CONFORMANCE_JSON_H
#define CONFORMANCE_JSON_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { JSON_NULL, JSON_BOOL, JSON_INT, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_type;

typedef struct json {
  json_type type;
  const char* key;     // its name, if it is a member of an object
  const char* string;  // JSON_STRING
  uint64_t number;     // JSON_INT: two's complement if negative; JSON_BOOL: 0 or 1
  bool negative;
  struct json* first;  // JSON_ARRAY, JSON_OBJECT: the first child
  struct json* next;   // the next child of the same parent
} json;

enum { JSON_MAX_NODES = 256 };

typedef struct {
  json nodes[JSON_MAX_NODES];
  int used;
  char* at;
} json_line;

// Parses `text`, which is changed and must outlive the result. NULL if it is not what this reader knows.
const json* json_parse(json_line* line, char* text);

// The member of that name, or NULL. `object` may be NULL.
const json* json_get(const json* object, const char* key);

// The member of that name, or what stands for leaving it out.
uint64_t json_number(const json* object, const char* key, uint64_t otherwise);
const char* json_string(const json* object, const char* key, const char* otherwise);
bool json_is_null(const json* object, const char* key);
int json_count(const json* array);

#endif
