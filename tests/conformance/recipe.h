// Test inputs from a recipe of integers; README.md says it in words, recipe.py in Python.
#ifndef CONFORMANCE_RECIPE_H
#define CONFORMANCE_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the recipe has to know of an element type.
typedef struct {
  const char* name;
  int number;  // wprim_dtype
  int size;    // bytes
  char kind;   // f: float, i: signed, u: unsigned, b: bool
  int mantissa, bias, big;
} element_type;

const element_type* element_type_named(const char* name);  // NULL if there is none

typedef struct {
  const element_type* type;
  const char* pattern;
  uint64_t seed;
  uint64_t arg;           // args[0], for the patterns that take one
  uint64_t cols, stride;  // stride > cols: the gaps between rows hold raw bits
} recipe;

// Writes elements 0 to count - 1, packed, in the machine's byte order. False if the pattern is unknown.
bool recipe_fill(const recipe* r, uint64_t count, void* to);

// 64-bit FNV-1a.
uint64_t fnv1a(const void* data, size_t bytes);

#endif
