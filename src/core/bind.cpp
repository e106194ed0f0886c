#include "core/bind.h"

#include <cstring>

#include "core/array.h"

namespace wprim {
namespace {

const char* name_of(wprim_slot slot) {
  switch (slot) {
    case WPRIM_SLOT_IN: return "in";
    case WPRIM_SLOT_OUT: return "out";
    case WPRIM_SLOT_COUNT: return "count";
    case WPRIM_SLOT_VALUE: return "value";
    case WPRIM_SLOT_USER: return "user";
  }
  return nullptr;
}

// Each kind of work by its own slots: sets one, or says that there is none.
bool set(Reduce& reduce, wprim_slot slot, const void* pointer) {
  if (slot == WPRIM_SLOT_IN) {
    reduce.in = static_cast<const std::byte*>(pointer);
  } else if (slot == WPRIM_SLOT_OUT) {
    reduce.out = static_cast<std::byte*>(const_cast<void*>(pointer));
  } else if (slot == WPRIM_SLOT_COUNT && reduce.count && pointer) {
    reduce.count = static_cast<const uint64_t*>(pointer);
  } else {
    return false;
  }
  return true;
}

bool set(Copy& copy, wprim_slot slot, const void* pointer) {
  if (slot == WPRIM_SLOT_IN) {
    copy.src = static_cast<const std::byte*>(pointer);
  } else if (slot == WPRIM_SLOT_OUT) {
    copy.dst = static_cast<std::byte*>(const_cast<void*>(pointer));
  } else {
    return false;
  }
  return true;
}

bool set(Fill& fill, wprim_slot slot, const void* pointer) {
  if (slot == WPRIM_SLOT_OUT) {
    fill.dst = static_cast<std::byte*>(const_cast<void*>(pointer));
  } else if (slot == WPRIM_SLOT_VALUE && pointer) {
    std::memcpy(fill.value, pointer, fill.size);
  } else {
    return false;
  }
  return true;
}

bool set(HostCall& call, wprim_slot slot, const void* pointer) {
  if (slot != WPRIM_SLOT_USER) return false;
  call.user = const_cast<void*>(pointer);
  return true;
}

bool set(Release&, wprim_slot, const void*) { return false; }

Status check_memory(const HostCall&) { return {}; }
Status check_memory(const Release&) { return {}; }
Status check_memory(const Reduce& reduce) { return check_memory(reduce, "cols"); }

}  // namespace

Status check_memory(const Copy& copy) {
  const Array to{"dst", "bytes", copy.dst, WPRIM_U8, 1, copy.bytes, copy.bytes},
      from{"src", "bytes", copy.src, WPRIM_U8, 1, copy.bytes, copy.bytes};
  WPRIM_TRY(check_array(to));
  WPRIM_TRY(check_array(from));
  return check_disjoint(to, from);
}

Status check_memory(const Fill& fill) {
  return check_array({"dst", "n", fill.dst, fill.dtype, 1, fill.n, fill.n});
}

Status bind(Work* work, const wprim_binding* bindings, uint32_t count) {
  Work bound = *work;
  for (uint32_t i = 0; i < count; ++i) {
    const wprim_binding& b = bindings[i];
    const char* name = name_of(b.slot);
    if (!name) return invalid("slot = %d is no wprim_slot", static_cast<int>(b.slot));
    if (std::visit([&](auto& w) { return set(w, b.slot, b.pointer); }, bound)) continue;
    const bool optional = b.slot == WPRIM_SLOT_COUNT || b.slot == WPRIM_SLOT_VALUE;
    if (optional && !b.pointer) return invalid("pointer is NULL, and slot = %s needs one", name);
    return invalid("slot = %s: the op was made without one", name);
  }
  WPRIM_TRY(std::visit([](const auto& w) { return check_memory(w); }, bound));
  *work = bound;
  return {};
}

}  // namespace wprim
