#include <algorithm>
#include <cstring>

#include "api/backends.h"
#include "api/boundary.h"
#include "api/handle.h"
#include "core/log.h"

using namespace wprim;

wprim_status wprim_device_count(wprim_device_kind kind, int32_t* count) {
  return api::boundary("wprim_device_count", [&]() -> Status {
    if (!count) return invalid("count is NULL");
    const Backend* backend;
    WPRIM_TRY(api::find_backend(kind, &backend));
    *count = 0;
    return backend ? backend->device_count(count) : Status();
  });
}

wprim_status wprim_context_create(wprim_device_kind kind, int32_t ordinal, wprim_context** ctx) {
  return api::boundary("wprim_context_create", [&]() -> Status {
    WPRIM_TRY(api::check_output("ctx", ctx));
    const Backend* backend;
    WPRIM_TRY(api::find_backend(kind, &backend));
    if (!backend)
      return fail(WPRIM_ERROR_UNSUPPORTED, "kind = WPRIM_CUDA: this library was built without CUDA");
    std::shared_ptr<Context> context;
    WPRIM_TRY(backend->open(ordinal, &context));
    const ContextInfo& info = context->info();
    WPRIM_LOG(WPRIM_LOG_INFO, "context: %s %d, %s, %s, %d %s", backend->name, info.ordinal, info.name.c_str(),
              info.detail.c_str(), info.parallelism, info.kind == WPRIM_CPU ? "threads" : "multiprocessors");
    *ctx = reinterpret_cast<wprim_context*>(api::contexts().insert(std::move(context)));
    return {};
  });
}

namespace {

void copy_text(char (&out)[128], const std::string& text) {
  std::memset(out, 0, sizeof out);
  std::memcpy(out, text.data(), std::min(text.size(), sizeof out - 1));
}

}  // namespace

wprim_status wprim_context_info(wprim_context* ctx, wprim_context_info_desc* info) {
  return api::boundary("wprim_context_info", [&]() -> Status {
    Context* context;
    WPRIM_TRY(api::get(ctx, &context));
    if (!info) return invalid("info is NULL");
    const uint32_t size = info->struct_size;
    if (size < sizeof(wprim_context_info_desc)) {
      return invalid(
          "info->struct_size = %u is smaller than any version of the struct (%zu): start from its _INIT "
          "macro",
          size, sizeof(wprim_context_info_desc));
    }
    const ContextInfo& from = context->info();
    info->kind = from.kind;
    info->ordinal = from.ordinal;
    info->parallelism = from.parallelism;
    info->memory = from.memory;
    copy_text(info->name, from.name);
    copy_text(info->detail, from.detail);
    return {};
  });
}

wprim_status wprim_context_destroy(wprim_context* ctx) {
  return api::boundary("wprim_context_destroy", [&]() -> Status {
    if (!ctx) return {};
    return api::contexts().remove("ctx", api::handle_bits(ctx));
  });
}
