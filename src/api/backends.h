// The backends of this build.
#pragma once

#include "core/backend.h"

namespace wprim::api {

// INVALID_ARGUMENT for a kind that is none. A kind that this build lacks gives nullptr.
Status find_backend(wprim_device_kind kind, const Backend** backend);

}  // namespace wprim::api
