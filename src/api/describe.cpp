#include "api/describe.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace wprim::api {

Status check_format(wprim_format format, const char* text, uint64_t room, const uint64_t* length) {
  if (format != WPRIM_TEXT && format != WPRIM_JSON) {
    return invalid("format = %d is neither WPRIM_TEXT nor WPRIM_JSON", static_cast<int>(format));
  }
  if (!length) return invalid("length is NULL");
  if (!text && room > 0) return invalid("text is NULL, but room = %" PRIu64, room);
  return {};
}

void write_text(const std::string& from, char* text, uint64_t room, uint64_t* length) {
  *length = from.size();
  if (room == 0) return;
  const size_t written = std::min<size_t>(from.size(), room - 1);
  std::memcpy(text, from.data(), written);
  text[written] = '\0';
}

}  // namespace wprim::api
