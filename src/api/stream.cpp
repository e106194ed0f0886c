#include "api/boundary.h"
#include "api/handle.h"
#include "api/trace.h"
#include "core/desc.h"

using namespace wprim;

namespace {

wprim_stream* to_handle(std::shared_ptr<Stream> stream) {
  return reinterpret_cast<wprim_stream*>(api::streams().insert(std::move(stream)));
}

}  // namespace

wprim_status wprim_stream_create(wprim_context* ctx, const wprim_stream_desc* desc, wprim_stream** stream) {
  return api::boundary("wprim_stream_create", [&]() -> Status {
    WPRIM_TRY(api::check_output("stream", stream));
    Context* context;
    WPRIM_TRY(api::get(ctx, &context));
    const wprim_stream_desc preset = WPRIM_STREAM_DESC_INIT;
    wprim_stream_desc full = preset;
    if (desc) WPRIM_TRY(read_desc("desc", desc, offsetof(wprim_stream_desc, kind), preset, &full));
    if (full.kind != WPRIM_STREAM_LAUNCHED && full.kind != WPRIM_STREAM_RESIDENT) {
      return invalid("desc->kind = %d is no wprim_stream_kind", static_cast<int>(full.kind));
    }
    std::shared_ptr<Stream> created;
    WPRIM_TRY(context->create_stream(full, &created));
    *stream = to_handle(std::move(created));
    return {};
  });
}

wprim_status wprim_stream_wrap(wprim_context* ctx, void* native, wprim_stream** stream) {
  return api::boundary("wprim_stream_wrap", [&]() -> Status {
    WPRIM_TRY(api::check_output("stream", stream));
    Context* context;
    WPRIM_TRY(api::get(ctx, &context));
    std::shared_ptr<Stream> created;
    WPRIM_TRY(context->wrap_stream(native, &created));
    *stream = to_handle(std::move(created));
    return {};
  });
}

wprim_status wprim_stream_synchronize(wprim_stream* stream) {
  return api::boundary("wprim_stream_synchronize", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    return s->synchronize();
  });
}

wprim_status wprim_stream_query(wprim_stream* stream) {
  return api::boundary("wprim_stream_query", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    return s->query();
  });
}

wprim_status wprim_stream_wait(wprim_stream* stream, wprim_event* event) {
  return api::boundary("wprim_stream_wait", [&]() -> Status {
    Stream* s;
    Event* e;
    WPRIM_TRY(api::get(stream, &s));
    WPRIM_TRY(api::get(event, &e));
    if (s->context().info().kind != e->context().info().kind) {
      return fail(WPRIM_ERROR_INVALID_HANDLE, "event belongs to another kind of device than stream");
    }
    return s->wait(*e);
  });
}

wprim_status wprim_stream_call(wprim_stream* stream, wprim_host_fn fn, void* user) {
  return api::boundary("wprim_stream_call", [&]() -> Status {
    Stream* s;
    WPRIM_TRY(api::get(stream, &s));
    if (!fn) return invalid("fn is NULL");
    return api::submit(*s, HostCall{fn, user});
  });
}

wprim_status wprim_stream_destroy(wprim_stream* stream) {
  return api::boundary("wprim_stream_destroy", [&]() -> Status {
    if (!stream) return {};
    return api::streams().remove("stream", api::handle_bits(stream));
  });
}
