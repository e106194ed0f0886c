#include <cinttypes>
#include <cstring>

#include "api/boundary.h"
#include "api/handle.h"
#include "api/trace.h"
#include "core/array.h"
#include "core/bind.h"

using namespace wprim;

wprim_status wprim_malloc(wprim_stream* stream, uint64_t bytes, void** ptr) {
  return api::boundary("wprim_malloc", [&]() -> Status {
    WPRIM_TRY(api::check_output("ptr", ptr));
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    WPRIM_TRY(s->check_not_recording("an allocation"));
    return bytes == 0 ? Status() : s->context().allocate(*s, bytes, ptr);
  });
}

wprim_status wprim_free(wprim_stream* stream, void* ptr) {
  return api::boundary("wprim_free", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    WPRIM_TRY(s->check_not_recording("freeing"));
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
    const Copy copy{static_cast<std::byte*>(dst), static_cast<const std::byte*>(src), bytes};
    WPRIM_TRY(check_memory(copy));
    return api::submit(*s, copy);
  });
}

wprim_status wprim_fill(wprim_stream* stream, wprim_dtype dtype, void* dst, uint64_t n, const void* value) {
  return api::boundary("wprim_fill", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    WPRIM_TRY(check_dtype("dtype", dtype));
    if (!value) return invalid("value is NULL");
    Fill fill{static_cast<std::byte*>(dst), n, dtype, static_cast<uint32_t>(size_of(dtype)), {}};
    WPRIM_TRY(check_memory(fill));
    std::memcpy(fill.value, value, fill.size);
    return api::submit(*s, fill);
  });
}
