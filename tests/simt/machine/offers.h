// What the machine offers to kernels. Everything is out of line, in files that are compiled without instrumentation, so
// that a call also tells where in a kernel it was made.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

// ---- Where a thread is. Constant, because a fiber is one thread all its life.
[[gnu::const]] unsigned thread_index();
[[gnu::const]] uint64_t block_index();
[[gnu::const]] uint64_t grid_blocks();

// ---- Warp: warp.cpp.
enum class Kind : uint8_t {
  shuffle_xor,
  shuffle_from,
  shuffle_down,
  shuffle_up,
  ballot,
  any,
  all,
  match_any,
  match_any_64,
  match_all,
  match_all_64,
  redux_add,
  redux_min,
  redux_min_signed,
  redux_max,
  redux_max_signed,
  redux_and,
  redux_or,
  redux_xor,
  warp_barrier,
};
uint64_t collective(Kind kind, uint32_t mask, uint64_t value, unsigned lanes, unsigned width);
uint32_t active_lanes();
const char* name_of(Kind kind);

// ---- Block: block.cpp.
void block_barrier(const char* file, unsigned line);

// A variable in shared memory: each block has its own.
class SharedVariable {
 public:
  static constexpr size_t kAlignment = 128;

  template <class T>
  T& of_block() {
    static_assert(alignof(T) <= kAlignment);
    return *static_cast<T*>(place(sizeof(T)));
  }

 private:
  void* place(size_t bytes);

  uint64_t launch_ = 0;  // that `offset_` belongs to
  size_t offset_ = 0;
};

// ---- Memory: access.cpp, relaxed.cpp.
void load_vector(const void* aligned, uint32_t (&word)[4]);
// The same, where some of the bytes may lie before the array that the others belong to: no memory begins between two
// multiples of 16.
void load_vector_across(const void* aligned, uint32_t (&word)[4]);
void store_relaxed(void* place, uint64_t value, unsigned bytes);
uint64_t load_relaxed(const void* place, unsigned bytes);
// The same for who does not wait for news alone: it will do something else in the end.
uint64_t look_at(const void* place, unsigned bytes);
uint32_t count_to(uint32_t* counter, uint32_t last);
void fence();

// How often it was called, by whomever.
uint64_t look_at_clock();

// ---- Copies in the background: copies.cpp.
extern bool background_copies;
void init_arrival(void* arrival);
void show_copies();
void announce(void* arrival, uint32_t bytes);
void start_copy(void* shared, const void* global, uint32_t bytes, void* arrival);
void wait(void* arrival, uint32_t parity);

}  // namespace simt
