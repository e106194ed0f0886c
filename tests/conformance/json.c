#include "json.h"

#include <stddef.h>
#include <string.h>

static json* parse_value(json_line* line);

static void skip_space(json_line* line) {
  while (*line->at == ' ' || *line->at == '\t' || *line->at == '\n' || *line->at == '\r') ++line->at;
}

// Steps over `word` if it comes next.
static bool accept(json_line* line, const char* word) {
  skip_space(line);
  size_t n = strlen(word);
  if (strncmp(line->at, word, n) != 0) return false;
  line->at += n;
  return true;
}

// The text between quotes, unescaped where it lies.
static const char* parse_string(json_line* line) {
  if (!accept(line, "\"")) return NULL;
  char* start = line->at;
  char* to = start;
  for (char* from = start; *from != '\0'; ++from) {
    if (*from == '"') {
      *to = '\0';
      line->at = from + 1;
      return start;
    }
    if (*from == '\\') {
      ++from;
      if (*from != '"' && *from != '\\' && *from != '/') return NULL;
    }
    *to++ = *from;
  }
  return NULL;
}

static bool parse_number(json_line* line, json* node) {
  node->negative = accept(line, "-");
  if (*line->at < '0' || *line->at > '9') return false;
  uint64_t n = 0;
  for (; *line->at >= '0' && *line->at <= '9'; ++line->at) {
    uint64_t digit = (uint64_t)(*line->at - '0');
    if (n > (UINT64_MAX - digit) / 10) return false;
    n = n * 10 + digit;
  }
  node->number = node->negative ? 0 - n : n;
  return *line->at != '.' && *line->at != 'e' && *line->at != 'E';
}

static bool parse_children(json_line* line, json* parent, const char* close) {
  json** link = &parent->first;
  if (accept(line, close)) return true;
  do {
    const char* key = NULL;
    if (parent->type == JSON_OBJECT && ((key = parse_string(line)) == NULL || !accept(line, ":")))
      return false;
    json* child = parse_value(line);
    if (child == NULL) return false;
    child->key = key;
    *link = child;
    link = &child->next;
  } while (accept(line, ","));
  return accept(line, close);
}

static json* parse_value(json_line* line) {
  if (line->used == JSON_MAX_NODES) return NULL;
  json* node = &line->nodes[line->used++];
  memset(node, 0, sizeof *node);
  bool good = true;
  if (accept(line, "null")) {
    node->type = JSON_NULL;
  } else if (accept(line, "true")) {
    node->type = JSON_BOOL;
    node->number = 1;
  } else if (accept(line, "false")) {
    node->type = JSON_BOOL;
  } else if (accept(line, "[")) {
    node->type = JSON_ARRAY;
    good = parse_children(line, node, "]");
  } else if (accept(line, "{")) {
    node->type = JSON_OBJECT;
    good = parse_children(line, node, "}");
  } else if (*line->at == '"') {
    node->type = JSON_STRING;
    node->string = parse_string(line);
    good = node->string != NULL;
  } else {
    node->type = JSON_INT;
    good = parse_number(line, node);
  }
  return good ? node : NULL;
}

const json* json_parse(json_line* line, char* text) {
  line->used = 0;
  line->at = text;
  const json* value = parse_value(line);
  skip_space(line);
  return *line->at == '\0' ? value : NULL;
}

const json* json_get(const json* object, const char* key) {
  if (object == NULL || object->type != JSON_OBJECT) return NULL;
  for (const json* child = object->first; child != NULL; child = child->next) {
    if (strcmp(child->key, key) == 0) return child;
  }
  return NULL;
}

uint64_t json_number(const json* object, const char* key, uint64_t otherwise) {
  const json* node = json_get(object, key);
  return node != NULL && (node->type == JSON_INT || node->type == JSON_BOOL) ? node->number : otherwise;
}

const char* json_string(const json* object, const char* key, const char* otherwise) {
  const json* node = json_get(object, key);
  return node != NULL && node->type == JSON_STRING ? node->string : otherwise;
}

bool json_is_null(const json* object, const char* key) {
  const json* node = json_get(object, key);
  return node != NULL && node->type == JSON_NULL;
}

int json_count(const json* array) {
  int n = 0;
  if (array != NULL) {
    for (const json* child = array->first; child != NULL; child = child->next) ++n;
  }
  return n;
}
