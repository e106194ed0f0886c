// Exchanges the pointers of work that was checked before, and checks it again.
#pragma once

#include "core/status.h"
#include "core/work.h"

namespace wprim {

// On failure *work is as it was.
Status bind(Work* work, const wprim_binding* bindings, uint32_t count);

// Whether an op that passed its checks still would.
Status check_memory(const Copy& copy);
Status check_memory(const Fill& fill);

}  // namespace wprim
