// Descs that can grow: reads a caller's struct of whatever version into one of this version.
#pragma once

#include <cstring>

#include "core/status.h"

namespace wprim {

// Copies *user over `defaults` into *desc. `oldest` is the size of the struct in the first release: what is smaller
// was never a desc. Bytes beyond what this library knows must be zero, for they ask for something it cannot do.
template <class Desc>
Status read_desc(const char* argument, const Desc* user, size_t oldest, const Desc& defaults, Desc* desc) {
  if (!user) return invalid("%s is NULL", argument);
  const size_t size = user->struct_size;
  if (size < oldest) {
    return invalid(
        "%s->struct_size = %zu is smaller than any version of the struct (%zu): start from its _INIT macro",
        argument, size, oldest);
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(user);
  for (size_t i = sizeof(Desc); i < size; ++i) {
    if (bytes[i] != 0) {
      return invalid(
          "%s->struct_size = %zu comes from a newer header, and byte %zu asks for something this library "
          "(%zu bytes) does not know",
          argument, size, i, sizeof(Desc));
    }
  }
  *desc = defaults;
  std::memcpy(desc, user, size < sizeof(Desc) ? size : sizeof(Desc));
  desc->struct_size = sizeof(Desc);
  return {};
}

}  // namespace wprim
