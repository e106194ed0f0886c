// The CPU as a device.
#pragma once

#include "core/backend.h"

namespace wprim::cpu {

extern const Backend backend;

}  // namespace wprim::cpu
