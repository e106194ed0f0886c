// The header comes first and twice: it needs nothing before it, and may be included again. Every macro is used as meant.
#include <warpprim.h>
#include <warpprim.h>

#include <type_traits>

static_assert(WPRIM_VERSION == 10000 * WPRIM_VERSION_MAJOR + 100 * WPRIM_VERSION_MINOR + WPRIM_VERSION_PATCH,
              "");

// In C++ an enum has its width by declaration, so that any value may be passed.
static_assert(std::is_same<std::underlying_type<wprim_status>::type, int32_t>::value, "");
static_assert(std::is_same<std::underlying_type<wprim_op>::type, int32_t>::value, "");
static_assert(std::is_same<std::underlying_type<wprim_dtype>::type, int32_t>::value, "");

size_t use_initialisers();

size_t use_initialisers() {
  const wprim_context_info_desc info = WPRIM_CONTEXT_INFO_DESC_INIT;
  const wprim_stream_desc stream = WPRIM_STREAM_DESC_INIT;
  wprim_reduce_desc reduce = WPRIM_REDUCE_DESC_INIT;
  reduce.rows = 2;
  return info.struct_size + stream.struct_size + reduce.struct_size;
}
