// Handles. What the caller holds is not an address but (kind, generation, slot): looking one up reads only memory that
// is never given back, so a destroyed handle, one of another kind or garbage is told, not followed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/backend.h"
#include "core/status.h"

namespace wprim::api {

template <class Object>
class HandleTable {
 public:
  // `kind` is 1..15. It fills the top bits, which no address of a program has.
  constexpr HandleTable(uint64_t kind, const char* noun) : kind_(kind), noun_(noun) {}

  // Takes the object in. Throws bad_alloc, with nothing changed.
  uint64_t insert(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex_);
    const uint32_t index = take_slot();
    Slot& slot = slot_at(index);
    slot.object = std::move(object);
    const uint64_t handle = kind_ << 60 | slot.generation << kIndexBits | index;
    slot.handle.store(handle, std::memory_order_release);
    return handle;
  }

  // The object, or nullptr. Two loads and a compare; needs no lock, because destroying an object while another thread
  // uses it is the caller's race, and every other stale handle fails the compare.
  Object* find(uint64_t handle) const {
    const Slot* slot = find_slot(handle);
    return slot ? slot->object.get() : nullptr;
  }

  Status get(const char* argument, uint64_t handle, Object** object) const {
    *object = find(handle);
    if (*object) return {};
    return fail(WPRIM_ERROR_INVALID_HANDLE, "%s = %p is no %s%s", argument, reinterpret_cast<void*>(handle),
                noun_, handle == 0 ? "" : " (destroyed, or an object of another kind?)");
  }

  // Gives the handle up. The object itself may live on.
  Status remove(const char* argument, uint64_t handle) {
    std::shared_ptr<Object> object;  // destroyed after the lock is gone
    std::lock_guard lock(mutex_);
    Slot* slot = const_cast<Slot*>(find_slot(handle));
    if (!slot) {
      Object* none;
      return get(argument, handle, &none);
    }
    slot->handle.store(0, std::memory_order_release);
    slot->generation = (slot->generation + 1) & kGenerationMask;
    object = std::move(slot->object);
    free_.push_back(static_cast<uint32_t>(handle & kIndexMask));  // cannot throw: take_slot reserved the room
    return {};
  }

 private:
  static constexpr int kIndexBits = 24, kBlockBits = 10;
  static constexpr uint64_t kIndexMask = (1ull << kIndexBits) - 1;
  static constexpr uint64_t kGenerationMask = (1ull << (60 - kIndexBits)) - 1;

  struct Slot {
    std::atomic<uint64_t> handle{0};  // 0: free
    uint64_t generation = 1;
    std::shared_ptr<Object> object;
  };
  using Block = std::array<Slot, 1 << kBlockBits>;

  Slot& slot_at(uint32_t index) const {
    return (*blocks_[index >> kBlockBits].load(std::memory_order_acquire))[index & ((1 << kBlockBits) - 1)];
  }

  const Slot* find_slot(uint64_t handle) const {
    const uint64_t index = handle & kIndexMask;
    if (handle == 0 || !blocks_[index >> kBlockBits].load(std::memory_order_acquire)) return nullptr;
    const Slot& slot = slot_at(static_cast<uint32_t>(index));
    return slot.handle.load(std::memory_order_acquire) == handle ? &slot : nullptr;
  }

  uint32_t take_slot() {
    if (free_.empty()) {
      const uint32_t block = block_count_;
      if (block == blocks_.size()) throw std::bad_alloc();
      free_.reserve((block + 1) << kBlockBits);
      blocks_[block].store(new Block, std::memory_order_release);
      ++block_count_;
      for (uint32_t i = 1u << kBlockBits; i-- > 0;) free_.push_back(block << kBlockBits | i);
    }
    const uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }

  const uint64_t kind_;
  const char* const noun_;
  std::mutex mutex_;
  std::vector<uint32_t> free_;
  uint32_t block_count_ = 0;
  std::array<std::atomic<Block*>, 1 << (kIndexBits - kBlockBits)> blocks_{};  // blocks are never given back
};

// The tables live until the process ends: work in flight at exit may still hold on to objects.
HandleTable<Context>& contexts();
HandleTable<Stream>& streams();
HandleTable<Event>& events();
HandleTable<Plan>& plans();
HandleTable<Graph>& graphs();

template <class Handle>
uint64_t handle_bits(Handle* handle) {
  return reinterpret_cast<uint64_t>(handle);
}

inline Status get(wprim_context* handle, Context** context) {
  return contexts().get("ctx", handle_bits(handle), context);
}
inline Status get(wprim_stream* handle, Stream** stream) {
  return streams().get("stream", handle_bits(handle), stream);
}
inline Status get(wprim_event* handle, Event** event, const char* argument = "event") {
  return events().get(argument, handle_bits(handle), event);
}
inline Status get(wprim_plan* handle, Plan** plan) { return plans().get("plan", handle_bits(handle), plan); }
inline Status get(wprim_graph* handle, Graph** graph) {
  return graphs().get("graph", handle_bits(handle), graph);
}

}  // namespace wprim::api
