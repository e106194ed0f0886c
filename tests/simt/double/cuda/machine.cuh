// The double of src/cuda/machine.cuh: the same functions, for kernels that are compiled as plain C++ and run as fibers. It
// is found first on the include path of tests/simt. Each function hands over to the machine beside this folder, with the
// operands and with where it was called from.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/convert.h"
#include "machine/offers.h"

// Copies that gcc makes by calling the library are to be seen too. (clang calls functions of its own for them.)
#ifndef __clang__
extern "C" void* memcpy(void* to, const void* from, size_t bytes) noexcept __asm__("simt_memcpy");
extern "C" void* memset(void* to, int value, size_t bytes) noexcept __asm__("simt_memset");
#endif

#define __global__
#define __device__
#define __launch_bounds__(...)
#define __grid_constant__
// Always inlined, so that a place in the machine code tells the whole way to it.
#define WPRIM_DEVICE inline __attribute__((always_inline))
#define WPRIM_DEVICE_CALL inline __attribute__((noinline))
#define WPRIM_SHARED(name, ...)                  \
  static ::simt::SharedVariable name##_variable; \
  auto& name = name##_variable.of_block<__VA_ARGS__>()
#define WPRIM_SHARED_ALIGNED(bytes, name, ...)                  \
  static_assert((bytes) <= ::simt::SharedVariable::kAlignment); \
  WPRIM_SHARED(name, __VA_ARGS__)

namespace wprim::machine {

inline constexpr unsigned kWarp = 32;
inline constexpr uint32_t kFullMask = 0xffffffffu;

struct alignas(16) Vector {
  uint32_t word[4];
};

// ---- Where a thread is.
WPRIM_DEVICE unsigned thread_index() { return simt::thread_index(); }
WPRIM_DEVICE unsigned lane_index() { return simt::thread_index() % kWarp; }
WPRIM_DEVICE unsigned warp_index() { return simt::thread_index() / kWarp; }
WPRIM_DEVICE uint64_t block_index() { return simt::block_index(); }
WPRIM_DEVICE uint64_t grid_blocks() { return simt::grid_blocks(); }

// ---- Warp.
WPRIM_DEVICE uint32_t collect(simt::Kind kind, uint32_t mask, uint64_t value, unsigned lanes = 0,
                              unsigned width = kWarp) {
  return static_cast<uint32_t>(simt::collective(kind, mask, value, lanes, width));
}
WPRIM_DEVICE uint32_t shuffle_xor(uint32_t mask, uint32_t value, unsigned lanes) {
  return collect(simt::Kind::shuffle_xor, mask, value, lanes);
}
WPRIM_DEVICE uint32_t shuffle_from(uint32_t mask, uint32_t value, unsigned lane) {
  return collect(simt::Kind::shuffle_from, mask, value, lane);
}
WPRIM_DEVICE uint32_t shuffle_down(uint32_t mask, uint32_t value, unsigned lanes, unsigned width) {
  return collect(simt::Kind::shuffle_down, mask, value, lanes, width);
}
WPRIM_DEVICE uint32_t shuffle_up(uint32_t mask, uint32_t value, unsigned lanes, unsigned width) {
  return collect(simt::Kind::shuffle_up, mask, value, lanes, width);
}

WPRIM_DEVICE uint32_t ballot(uint32_t mask, bool predicate) {
  return collect(simt::Kind::ballot, mask, predicate);
}
WPRIM_DEVICE bool any(uint32_t mask, bool predicate) {
  return collect(simt::Kind::any, mask, predicate) != 0;
}
WPRIM_DEVICE bool all(uint32_t mask, bool predicate) {
  return collect(simt::Kind::all, mask, predicate) != 0;
}

WPRIM_DEVICE uint32_t match_any(uint32_t mask, uint32_t key) {
  return collect(simt::Kind::match_any, mask, key);
}
WPRIM_DEVICE uint32_t match_any(uint32_t mask, uint64_t key) {
  return collect(simt::Kind::match_any_64, mask, key);
}
WPRIM_DEVICE bool match_all(uint32_t mask, uint32_t key) {
  return collect(simt::Kind::match_all, mask, key) != 0;
}
WPRIM_DEVICE bool match_all(uint32_t mask, uint64_t key) {
  return collect(simt::Kind::match_all_64, mask, key) != 0;
}

WPRIM_DEVICE unsigned popcount(uint32_t mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }
WPRIM_DEVICE unsigned lowest_lane(uint32_t mask) {
  return static_cast<unsigned>(__builtin_ffs(static_cast<int>(mask))) - 1;
}
WPRIM_DEVICE uint32_t lanes_below() { return ~(kFullMask << lane_index()); }
WPRIM_DEVICE uint32_t lanes_above() { return kFullMask << lane_index() << 1; }

WPRIM_DEVICE uint32_t redux_add(uint32_t mask, uint32_t value) {
  return collect(simt::Kind::redux_add, mask, value);
}
WPRIM_DEVICE uint32_t redux_min(uint32_t mask, uint32_t value) {
  return collect(simt::Kind::redux_min, mask, value);
}
WPRIM_DEVICE int32_t redux_min(uint32_t mask, int32_t value) {
  return static_cast<int32_t>(collect(simt::Kind::redux_min_signed, mask, static_cast<uint32_t>(value)));
}
WPRIM_DEVICE uint32_t redux_max(uint32_t mask, uint32_t value) {
  return collect(simt::Kind::redux_max, mask, value);
}
WPRIM_DEVICE int32_t redux_max(uint32_t mask, int32_t value) {
  return static_cast<int32_t>(collect(simt::Kind::redux_max_signed, mask, static_cast<uint32_t>(value)));
}
WPRIM_DEVICE uint32_t redux_and(uint32_t mask, uint32_t value) {
  return collect(simt::Kind::redux_and, mask, value);
}
WPRIM_DEVICE uint32_t redux_or(uint32_t mask, uint32_t value) {
  return collect(simt::Kind::redux_or, mask, value);
}
WPRIM_DEVICE uint32_t redux_xor(uint32_t mask, uint32_t value) {
  return collect(simt::Kind::redux_xor, mask, value);
}

WPRIM_DEVICE void warp_barrier() { collect(simt::Kind::warp_barrier, kFullMask, 0); }

// ---- Block.
WPRIM_DEVICE void block_barrier(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  simt::block_barrier(file, line);
}

// ---- Memory.
WPRIM_DEVICE Vector load_streaming(const void* aligned) {
  Vector v;
  simt::load_vector(aligned, v.word);
  return v;
}
WPRIM_DEVICE Vector load_kept(const void* aligned) {
  Vector v;
  simt::load_vector_across(aligned, v.word);
  return v;
}

WPRIM_DEVICE uint32_t funnel_right(uint32_t low, uint32_t high, unsigned bits) {
  return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> bits);
}

// ---- Copies in the background. Not a constant here, so that one build has both ways.
inline const bool& kBackgroundCopies = simt::background_copies;

struct Arrival {
  uint64_t opaque;
};

// Without them there are no arrivals either.
WPRIM_DEVICE void init_arrival(Arrival* arrival) {
  if (kBackgroundCopies) simt::init_arrival(arrival);
}
WPRIM_DEVICE void show_copies() {
  if (kBackgroundCopies) simt::show_copies();
}
WPRIM_DEVICE void announce(Arrival* arrival, uint32_t bytes) {
  if (kBackgroundCopies) simt::announce(arrival, bytes);
}
WPRIM_DEVICE void start_copy(void* shared, const void* global, uint32_t bytes, Arrival* arrival) {
  if (kBackgroundCopies) simt::start_copy(shared, global, bytes, arrival);
}
WPRIM_DEVICE void wait(Arrival* arrival, uint32_t parity) {
  if (kBackgroundCopies) simt::wait(arrival, parity);
}

// ---- Arithmetic of one instruction.
WPRIM_DEVICE uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
WPRIM_DEVICE float larger_or_nan(float a, float b) {
  if (a != a || b != b) return __builtin_nanf("0x3fffff");
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
WPRIM_DEVICE double larger_or_nan(double a, double b) { return a != a || a > b ? a : b; }

WPRIM_DEVICE uint32_t select_bytes(uint32_t low, uint32_t high, uint32_t select) {
  const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  uint32_t bytes = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned digit = select >> 4 * i & 15;
    const uint32_t byte = both >> 8 * (digit & 7) & 0xff;
    bytes |= (digit < 8 ? byte : byte >= 128 ? 0xff : 0) << 8 * i;
  }
  return bytes;
}

WPRIM_DEVICE float half_to_float(uint16_t bits) { return to_f32(f16{bits}); }

WPRIM_DEVICE uint32_t add_bytes(uint32_t x, uint32_t sum) {
  for (unsigned i = 0; i < 4; ++i) sum += x >> 8 * i & 0xff;
  return sum;
}
WPRIM_DEVICE int32_t add_bytes(int32_t x, int32_t sum) {
  for (unsigned i = 0; i < 4; ++i) sum += static_cast<int8_t>(x >> 8 * i);
  return sum;
}

// ---- Words that travel by themselves.
WPRIM_DEVICE void store_cell(uint64_t* cell, uint32_t word, uint32_t epoch) {
  simt::store_relaxed(cell, static_cast<uint64_t>(epoch) << 32 | word, 8);
}
WPRIM_DEVICE uint64_t load_cell(const uint64_t* cell) { return simt::load_relaxed(cell, 8); }
WPRIM_DEVICE uint32_t load_relaxed(const uint32_t* word) {
  return static_cast<uint32_t>(simt::load_relaxed(word, 4));
}
WPRIM_DEVICE void store_relaxed(uint32_t* word, uint32_t value) { simt::store_relaxed(word, value, 4); }
WPRIM_DEVICE uint32_t count_to(uint32_t* counter, uint32_t last) { return simt::count_to(counter, last); }

// ---- What the host and the GPU tell each other.
WPRIM_DEVICE uint64_t load_acquire_system(const uint64_t* word) {
  const uint64_t value = simt::look_at(word, 8);
  simt::fence();
  return value;
}
WPRIM_DEVICE void load_system_pair(const uint64_t* pair, uint64_t& first, uint64_t& second) {
  first = simt::load_relaxed(pair, 8);
  second = simt::load_relaxed(pair + 1, 8);
}
WPRIM_DEVICE void store_system(uint64_t* word, uint64_t value) { simt::store_relaxed(word, value, 8); }
WPRIM_DEVICE void fence_system() { simt::fence(); }
// A clock that goes on by a step whenever somebody looks.
WPRIM_DEVICE uint64_t nanoseconds() { return simt::look_at_clock(); }

// ---- What src/cuda/machine.cuh does not have, because no kernel uses it; tests/simt/zoo.cuh does.
// What this thread wrote before is seen by whoever reads what it stores after, and has a fence after the reading.
WPRIM_DEVICE void fence() { simt::fence(); }
// The lanes that happen to be here: never to be used as a mask.
WPRIM_DEVICE uint32_t active_lanes() { return simt::active_lanes(); }

}  // namespace wprim::machine
