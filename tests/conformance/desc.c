// From a case to the wprim_reduce_desc it spells.
#include <string.h>

#include "recipe.h"
#include "session.h"

static const char* const ops[] = {"sum", "prod", "min", "max", "argmin", "argmax",        "minmax",
                                  "and", "or",   "xor", "any", "all",    "count_nonzero", "mean",
                                  "var", "std",  "l1",  "l2",  "amax",   "logsumexp"};

int op_named(const char* name) {
  for (int i = 0; i < (int)(sizeof ops / sizeof ops[0]); ++i) {
    if (strcmp(ops[i], name) == 0) return WPRIM_SUM + i;
  }
  return -1;
}

int nan_named(const char* name) {
  if (strcmp(name, "propagate") == 0) return WPRIM_NAN_PROPAGATE;
  return strcmp(name, "ignore") == 0 ? WPRIM_NAN_IGNORE : -1;
}

static int dtype_named(const char* name) {
  const element_type* t = element_type_named(name);
  if (t != NULL) return t->number;
  return strcmp(name, "default") == 0 ? WPRIM_DTYPE_DEFAULT : -1;
}

// The enum value of a member: by name, or as a number that the library may not know.
static bool read_enum(const json* c, const char* key, const char* otherwise, int (*named)(const char*),
                      int32_t* value) {
  const json* node = json_get(c, key);
  if (node != NULL && node->type == JSON_INT) {
    *value = (int32_t)(uint32_t)node->number;
    return true;
  }
  *value = named(json_string(c, key, otherwise));
  return *value >= 0;
}

bool read_desc(const json* c, wprim_reduce_desc* desc) {
  int32_t op, dtype, out_dtype, nan;
  bool good = read_enum(c, "op", "", op_named, &op) && read_enum(c, "dtype", "", dtype_named, &dtype) &&
              read_enum(c, "out_dtype", "default", dtype_named, &out_dtype) &&
              read_enum(c, "nan", "propagate", nan_named, &nan);
  if (!good) return false;
  wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
  d.op = (wprim_op)op;
  d.dtype = (wprim_dtype)dtype;
  d.out_dtype = (wprim_dtype)out_dtype;
  d.nan = (wprim_nan)nan;
  d.rows = json_number(c, "rows", 1);
  d.cols = json_number(c, "cols", 0);
  d.row_stride = json_number(c, "row_stride", 0);
  d.ddof = (uint32_t)json_number(c, "ddof", 0);
  *desc = d;
  return true;
}

const wprim_reduce_desc* place_desc(const json* c, const wprim_reduce_desc* desc, desc_space* space) {
  uint64_t extra = json_number(c, "extra", 0);
  uint32_t size = (uint32_t)json_number(c, "struct_size", sizeof *desc + extra);
  memset(space, 0, sizeof *space);
  memcpy(space->bytes, desc, sizeof *desc);
  memcpy(space->bytes, &size, sizeof size);
  if (size < sizeof *space)
    memset(space->bytes + size, POISON, sizeof *space - size);  // what must not be looked at
  if (size == 0) memcpy(space->bytes, &size, sizeof size);      // but for the size itself
  if (extra > 0) space->bytes[size - 1] = (unsigned char)json_number(c, "extra_value", 0);
  return (const wprim_reduce_desc*)(const void*)space->bytes;
}
