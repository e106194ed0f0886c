#include <cinttypes>
#include <cstring>

#include "api/boundary.h"
#include "api/handle.h"
#include "api/trace.h"
#include "core/array.h"

using namespace wprim;

wprim_status wprim_malloc(wprim_stream* stream, uint64_t bytes, void** ptr) {
  return api::boundary("wprim_malloc", [&]() -> Status {
    WPRIM_TRY(api::check_output("ptr", ptr));
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    return bytes == 0 ? Status() : s->context().allocate(*s, bytes, ptr);
  });
}

wprim_status wprim_free(wprim_stream* stream, void* ptr) {
  return api::boundary("wprim_free", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    return ptr ? s->context().release(*s, ptr) : Status();
  });
}

wprim_status wprim_malloc_host(wprim_context* ctx, uint64_t bytes, void** ptr) {
  return api::boundary("wprim_malloc_host", [&]() -> Status {
    WPRIM_TRY(api::check_output("ptr", ptr));
    Context* context;
    WPRIM_TRY(api::get(ctx, &context));
    return bytes == 0 ? Status() : context->allocate_host(bytes, ptr);
  });
}

wprim_status wprim_free_host(wprim_context* ctx, void* ptr) {
  return api::boundary("wprim_free_host", [&]() -> Status {
    Context* context;
    WPRIM_TRY(api::get(ctx, &context));
    return ptr ? context->release_host(ptr) : Status();
  });
}

wprim_status wprim_copy(wprim_stream* stream, void* dst, const void* src, uint64_t bytes) {
  return api::boundary("wprim_copy", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    const Array to{"dst", "bytes", dst, WPRIM_U8, 1, bytes, bytes},
        from{"src", "bytes", src, WPRIM_U8, 1, bytes, bytes};
    WPRIM_TRY(check_array(to));
    WPRIM_TRY(check_array(from));
    WPRIM_TRY(check_disjoint(to, from));
    if (bytes == 0) return {};
    return api::submit(*s, Copy{static_cast<std::byte*>(dst), static_cast<const std::byte*>(src), bytes});
  });
}

wprim_status wprim_fill(wprim_stream* stream, wprim_dtype dtype, void* dst, uint64_t n, const void* value) {
  return api::boundary("wprim_fill", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    WPRIM_TRY(check_dtype("dtype", dtype));
    if (!value) return invalid("value is NULL");
    WPRIM_TRY(check_array({"dst", "n", dst, dtype, 1, n, n}));
    if (n == 0) return {};
    Fill fill{static_cast<std::byte*>(dst), n, static_cast<uint32_t>(size_of(dtype)), {}};
    std::memcpy(fill.value, value, fill.size);
    return api::submit(*s, fill);
  });
}
