#include "core/reduce.h"

#include "api/boundary.h"
#include "api/handle.h"
#include "api/plan.h"
#include "api/trace.h"

using namespace wprim;

namespace {

Status submit_reduce(wprim_stream* handle, const wprim_reduce_desc* desc, const char* count) {
  Stream* stream;
  WPRIM_TRY(api::get(handle, &stream));
  Reduce reduce;
  WPRIM_TRY(check_reduce(desc, count, &reduce));
  return api::submit(*stream, reduce);
}

}  // namespace

wprim_status wprim_reduce(wprim_stream* stream, wprim_op op, wprim_dtype dtype, const void* in, uint64_t n,
                          void* out) {
  return api::boundary("wprim_reduce", [&] {
    wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
    desc.op = op;
    desc.dtype = dtype;
    desc.in = in;
    desc.cols = n;
    desc.out = out;
    return submit_reduce(stream, &desc, "n");
  });
}

wprim_status wprim_plan_reduce(wprim_context* ctx, const wprim_reduce_desc* desc, wprim_plan** plan) {
  return api::boundary("wprim_plan_reduce", [&]() -> Status {
    WPRIM_TRY(api::check_output("plan", plan));
    Context* context;
    WPRIM_TRY(api::get(ctx, &context));
    Reduce reduce;
    WPRIM_TRY(check_reduce(desc, "cols", &reduce));
    return api::create_plan(*context, reduce, plan);
  });
}

wprim_status wprim_reduce_ex(wprim_stream* stream, const wprim_reduce_desc* desc) {
  return api::boundary("wprim_reduce_ex", [&] { return submit_reduce(stream, desc, "cols"); });
}
