#include "api/plan.h"

#include "api/boundary.h"
#include "api/describe.h"
#include "api/trace.h"
#include "core/bind.h"

using namespace wprim;

namespace {

Status rebind(wprim_plan* handle, const wprim_binding* bindings, uint32_t count) {
  Plan* plan;
  WPRIM_TRY(api::get(handle, &plan));
  if (!bindings && count > 0) return invalid("bindings is NULL, but count = %u", count);
  for (uint32_t i = 0; i < count; ++i) {
    if (bindings[i].node != 0) return invalid("bindings[%u].node is not 0: a plan has one node", i);
  }
  Work work = plan->work();
  WPRIM_TRY(bind(&work, bindings, count));
  return plan->rebind(work);
}

}  // namespace

wprim_status wprim_plan_launch(wprim_plan* plan, wprim_stream* stream) {
  return api::boundary("wprim_plan_launch", [&]() -> Status {
    Plan* p;
    Stream* s;
    WPRIM_TRY(api::get(plan, &p));
    WPRIM_TRY(api::get(stream, &s));
    if (&p->context() != &s->context()) {
      return fail(WPRIM_ERROR_INVALID_HANDLE, "stream belongs to another context than plan");
    }
    return api::launch(*s, *p);
  });
}

wprim_status wprim_plan_rebind(wprim_plan* plan, wprim_slot slot, const void* pointer) {
  return api::boundary("wprim_plan_rebind", [&] {
    const wprim_binding binding{0, slot, pointer};
    return rebind(plan, &binding, 1);
  });
}

wprim_status wprim_plan_rebind_many(wprim_plan* plan, const wprim_binding* bindings, uint32_t count) {
  return api::boundary("wprim_plan_rebind_many", [&] { return rebind(plan, bindings, count); });
}

wprim_status wprim_plan_describe(wprim_plan* plan, wprim_format format, char* text, uint64_t room,
                                 uint64_t* length) {
  return api::boundary("wprim_plan_describe", [&]() -> Status {
    Plan* p;
    WPRIM_TRY(api::get(plan, &p));
    WPRIM_TRY(api::check_format(format, text, room, length));
    Description description;
    describe(p->work(), &description);
    p->describe(&description);
    api::write_text(format == WPRIM_JSON ? description.json() : description.text(), text, room, length);
    return {};
  });
}

wprim_status wprim_plan_destroy(wprim_plan* plan) {
  return api::boundary("wprim_plan_destroy", [&]() -> Status {
    return plan ? api::plans().remove("plan", api::handle_bits(plan)) : Status();
  });
}
