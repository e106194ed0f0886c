/* The layout of the public structs on 64-bit machines, and the numbers of the enums: programs compiled against an older header
 * rely on both. A field is only ever added, at the end; a line here never changes. */
#include <warpprim.h>

#define FIELD(type, field, offset, size)                                            \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved"); \
  _Static_assert(sizeof(((type*)0)->field) == (size), #type "." #field " has another size")

FIELD(wprim_context_info_desc, struct_size, 0, 4);
FIELD(wprim_context_info_desc, kind, 4, 4);
FIELD(wprim_context_info_desc, ordinal, 8, 4);
FIELD(wprim_context_info_desc, parallelism, 12, 4);
FIELD(wprim_context_info_desc, memory, 16, 8);
FIELD(wprim_context_info_desc, name, 24, 128);
FIELD(wprim_context_info_desc, detail, 152, 128);
_Static_assert(sizeof(wprim_context_info_desc) == 280,
               "wprim_context_info_desc has grown: pin its new fields");

FIELD(wprim_stream_desc, struct_size, 0, 4);
FIELD(wprim_stream_desc, priority, 4, 4);
FIELD(wprim_stream_desc, kind, 8, 4);
_Static_assert(sizeof(wprim_stream_desc) == 12, "wprim_stream_desc has grown: pin its new fields");

FIELD(wprim_reduce_desc, struct_size, 0, 4);
FIELD(wprim_reduce_desc, op, 4, 4);
FIELD(wprim_reduce_desc, dtype, 8, 4);
FIELD(wprim_reduce_desc, out_dtype, 12, 4);
FIELD(wprim_reduce_desc, in, 16, 8);
FIELD(wprim_reduce_desc, out, 24, 8);
FIELD(wprim_reduce_desc, rows, 32, 8);
FIELD(wprim_reduce_desc, cols, 40, 8);
FIELD(wprim_reduce_desc, row_stride, 48, 8);
FIELD(wprim_reduce_desc, nan, 56, 4);
FIELD(wprim_reduce_desc, ddof, 60, 4);
FIELD(wprim_reduce_desc, n_on_device, 64, 8);
_Static_assert(sizeof(wprim_reduce_desc) == 72, "wprim_reduce_desc has grown: pin its new fields");

/* Without a struct_size: it never grows. */
FIELD(wprim_binding, node, 0, 8);
FIELD(wprim_binding, slot, 8, 4);
FIELD(wprim_binding, pointer, 16, 8);
_Static_assert(sizeof(wprim_binding) == 24, "wprim_binding has another size");

/* Every enum of C is an int, which is as wide as the one of C++. */
_Static_assert(sizeof(wprim_status) == 4 && sizeof(wprim_log_level) == 4 && sizeof(wprim_device_kind) == 4 &&
                   sizeof(wprim_dtype) == 4 && sizeof(wprim_op) == 4 && sizeof(wprim_nan) == 4 &&
                   sizeof(wprim_stream_kind) == 4 && sizeof(wprim_slot) == 4 && sizeof(wprim_format) == 4,
               "an enum has another width");

#define NUMBERS(first, first_number, last, last_number) \
  _Static_assert(first == (first_number) && last == (last_number), #first " to " #last " were renumbered")

NUMBERS(WPRIM_OK, 0, WPRIM_ERROR_INTERNAL, 9);
NUMBERS(WPRIM_LOG_OFF, 0, WPRIM_LOG_DEBUG, 3);
NUMBERS(WPRIM_CPU, 1, WPRIM_CUDA, 2);
NUMBERS(WPRIM_STREAM_LAUNCHED, 0, WPRIM_STREAM_RESIDENT, 1);
NUMBERS(WPRIM_SLOT_IN, 201, WPRIM_SLOT_USER, 205);
NUMBERS(WPRIM_TEXT, 301, WPRIM_JSON, 302);
NUMBERS(WPRIM_DTYPE_DEFAULT, 0, WPRIM_BOOL, 13);
NUMBERS(WPRIM_SUM, 101, WPRIM_LOGSUMEXP, 120);
NUMBERS(WPRIM_NAN_PROPAGATE, 0, WPRIM_NAN_IGNORE, 1);
