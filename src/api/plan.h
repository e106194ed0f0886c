// A plan out of checked work, for the families.
#pragma once

#include "api/handle.h"

namespace wprim::api {

inline Status create_plan(Context& context, const Work& work, wprim_plan** plan) {
  std::shared_ptr<Plan> created;
  WPRIM_TRY(context.create_plan(work, &created));
  *plan = reinterpret_cast<wprim_plan*>(plans().insert(std::move(created)));
  return {};
}

}  // namespace wprim::api
