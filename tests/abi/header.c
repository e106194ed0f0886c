/* The header comes first and twice: it needs nothing before it, and may be included again. Every macro is used as meant. */
#include <warpprim.h>
#include <warpprim.h>

#if WPRIM_VERSION != 10000 * WPRIM_VERSION_MAJOR + 100 * WPRIM_VERSION_MINOR + WPRIM_VERSION_PATCH
#error "WPRIM_VERSION is to be usable by the preprocessor"
#endif

size_t use_initialisers(void);

size_t use_initialisers(void) {
  const wprim_context_info_desc info = WPRIM_CONTEXT_INFO_DESC_INIT;
  const wprim_stream_desc stream = WPRIM_STREAM_DESC_INIT;
  wprim_reduce_desc reduce = WPRIM_REDUCE_DESC_INIT;
  reduce.rows = 2;
  return info.struct_size + stream.struct_size + reduce.struct_size;
}
