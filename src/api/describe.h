// Texts out of the library, into a caller's room.
#pragma once

#include <string>

#include "core/status.h"

namespace wprim::api {

// Whether text of this format can be given.
Status check_format(wprim_format format, const char* text, uint64_t room, const uint64_t* length);

void write_text(const std::string& from, char* text, uint64_t room, uint64_t* length);

}  // namespace wprim::api
