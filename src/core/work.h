// Everything that can be put on a stream, as plain data. The same value is executed by an eager stream, kept by a
// plan, recorded by a graph and posted to a mailbox. A new family is one more alternative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "core/reduce.h"

namespace wprim {

struct Copy {
  std::byte* dst;
  const std::byte* src;
  uint64_t bytes;
};

struct Fill {
  std::byte* dst;
  uint64_t n;
  wprim_dtype dtype;
  uint32_t size;  // of an element
  std::byte value[8];
};

struct HostCall {
  wprim_host_fn fn;
  void* user;
};

// Gives memory of wprim_malloc back.
struct Release {
  void* ptr;
};

using Work = std::variant<Reduce, Copy, Fill, HostCall, Release>;

}  // namespace wprim
