// The machine as kernels see it: the only file with intrinsics, PTX, barriers and atomics. Everything above is plain
// C++ over these functions.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#define WPRIM_DEVICE __device__ __forceinline__
#define WPRIM_DEVICE_CALL \
  __device__ __noinline__  // long and rarely run: kept out of the loops that must fit the cache

// A variable in shared memory, one for each block: WPRIM_SHARED(slots, float[256]). tests/simt gives each block its own too.
#define WPRIM_SHARED(name, ...) __shared__ std::type_identity_t<__VA_ARGS__> name
#define WPRIM_SHARED_ALIGNED(bytes, name, ...) \
  __shared__ alignas(bytes) std::type_identity_t<__VA_ARGS__> name

namespace wprim::machine {

inline constexpr unsigned kWarp = 32;
inline constexpr uint32_t kFullMask = 0xffffffffu;

// Sixteen bytes: what one load moves.
struct alignas(16) Vector {
  uint32_t word[4];
};

// ---- Where a thread is.
WPRIM_DEVICE unsigned thread_index() { return threadIdx.x; }
WPRIM_DEVICE unsigned lane_index() { return threadIdx.x % kWarp; }
WPRIM_DEVICE unsigned warp_index() { return threadIdx.x / kWarp; }
WPRIM_DEVICE uint64_t block_index() { return blockIdx.x; }
WPRIM_DEVICE uint64_t grid_blocks() { return gridDim.x; }

// ---- Warp. `mask` names the lanes that take part; each of them must come, with the same mask. Groups with disjoint masks
// may come at the same time or at different ones.
WPRIM_DEVICE uint32_t shuffle_xor(uint32_t mask, uint32_t value, unsigned lanes) {
  return __shfl_xor_sync(mask, value, static_cast<int>(lanes));
}
WPRIM_DEVICE uint32_t shuffle_from(uint32_t mask, uint32_t value, unsigned lane) {
  return __shfl_sync(mask, value, static_cast<int>(lane));
}
// From `lanes` lanes above or below; a lane that would reach out of its tile of `width` lanes gets its own value.
WPRIM_DEVICE uint32_t shuffle_down(uint32_t mask, uint32_t value, unsigned lanes, unsigned width) {
  return __shfl_down_sync(mask, value, lanes, static_cast<int>(width));
}
WPRIM_DEVICE uint32_t shuffle_up(uint32_t mask, uint32_t value, unsigned lanes, unsigned width) {
  return __shfl_up_sync(mask, value, lanes, static_cast<int>(width));
}

// The lanes of `mask` whose predicate holds; whether one of them, whether all of them do.
WPRIM_DEVICE uint32_t ballot(uint32_t mask, bool predicate) { return __ballot_sync(mask, predicate); }
WPRIM_DEVICE bool any(uint32_t mask, bool predicate) { return __any_sync(mask, predicate) != 0; }
WPRIM_DEVICE bool all(uint32_t mask, bool predicate) { return __all_sync(mask, predicate) != 0; }

// The lanes of `mask` that have my key; whether all of them have it.
WPRIM_DEVICE uint32_t match_any(uint32_t mask, uint32_t key) { return __match_any_sync(mask, key); }
WPRIM_DEVICE uint32_t match_any(uint32_t mask, uint64_t key) {
  return __match_any_sync(mask, static_cast<unsigned long long>(key));
}
WPRIM_DEVICE bool match_all(uint32_t mask, uint32_t key) {
  int equal;
  __match_all_sync(mask, key, &equal);
  return equal != 0;
}
WPRIM_DEVICE bool match_all(uint32_t mask, uint64_t key) {
  int equal;
  __match_all_sync(mask, static_cast<unsigned long long>(key), &equal);
  return equal != 0;
}

// The number of lanes in a mask, and the lowest of them (of at least one).
WPRIM_DEVICE unsigned popcount(uint32_t mask) { return static_cast<unsigned>(__popc(mask)); }
WPRIM_DEVICE unsigned lowest_lane(uint32_t mask) {
  return static_cast<unsigned>(__ffs(static_cast<int>(mask))) - 1;
}

// The lanes below mine and those above it, as masks.
WPRIM_DEVICE uint32_t lanes_below() { return ~(kFullMask << lane_index()); }
WPRIM_DEVICE uint32_t lanes_above() { return kFullMask << lane_index() << 1; }

// Integers of 32 bits, reduced over the lanes of `mask`; each of them gets the result. Sums wrap.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800  // the instruction is there from compute capability 8.0 on
template <class T, class Op>
WPRIM_DEVICE T redux_by_shuffles(uint32_t mask, T value, Op op) {
  if (mask == kFullMask) {
#pragma unroll
    for (unsigned w = 1; w < kWarp; w *= 2) {
      value = op(value, static_cast<T>(shuffle_xor(mask, static_cast<uint32_t>(value), w)));
    }
    return value;
  }
  T result = static_cast<T>(shuffle_from(mask, static_cast<uint32_t>(value), lowest_lane(mask)));
  for (uint32_t rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    result = op(result, static_cast<T>(shuffle_from(mask, static_cast<uint32_t>(value), lowest_lane(rest))));
  }
  return result;
}
WPRIM_DEVICE uint32_t redux_add(uint32_t mask, uint32_t value) {
  return redux_by_shuffles(mask, value, [](uint32_t a, uint32_t b) { return a + b; });
}
WPRIM_DEVICE uint32_t redux_min(uint32_t mask, uint32_t value) {
  return redux_by_shuffles(mask, value, [](uint32_t a, uint32_t b) { return a < b ? a : b; });
}
WPRIM_DEVICE int32_t redux_min(uint32_t mask, int32_t value) {
  return redux_by_shuffles(mask, value, [](int32_t a, int32_t b) { return a < b ? a : b; });
}
WPRIM_DEVICE uint32_t redux_max(uint32_t mask, uint32_t value) {
  return redux_by_shuffles(mask, value, [](uint32_t a, uint32_t b) { return a > b ? a : b; });
}
WPRIM_DEVICE int32_t redux_max(uint32_t mask, int32_t value) {
  return redux_by_shuffles(mask, value, [](int32_t a, int32_t b) { return a > b ? a : b; });
}
WPRIM_DEVICE uint32_t redux_and(uint32_t mask, uint32_t value) {
  return redux_by_shuffles(mask, value, [](uint32_t a, uint32_t b) { return a & b; });
}
WPRIM_DEVICE uint32_t redux_or(uint32_t mask, uint32_t value) {
  return redux_by_shuffles(mask, value, [](uint32_t a, uint32_t b) { return a | b; });
}
WPRIM_DEVICE uint32_t redux_xor(uint32_t mask, uint32_t value) {
  return redux_by_shuffles(mask, value, [](uint32_t a, uint32_t b) { return a ^ b; });
}
#else
WPRIM_DEVICE uint32_t redux_add(uint32_t mask, uint32_t value) { return __reduce_add_sync(mask, value); }
WPRIM_DEVICE uint32_t redux_min(uint32_t mask, uint32_t value) { return __reduce_min_sync(mask, value); }
WPRIM_DEVICE int32_t redux_min(uint32_t mask, int32_t value) { return __reduce_min_sync(mask, value); }
WPRIM_DEVICE uint32_t redux_max(uint32_t mask, uint32_t value) { return __reduce_max_sync(mask, value); }
WPRIM_DEVICE int32_t redux_max(uint32_t mask, int32_t value) { return __reduce_max_sync(mask, value); }
WPRIM_DEVICE uint32_t redux_and(uint32_t mask, uint32_t value) { return __reduce_and_sync(mask, value); }
WPRIM_DEVICE uint32_t redux_or(uint32_t mask, uint32_t value) { return __reduce_or_sync(mask, value); }
WPRIM_DEVICE uint32_t redux_xor(uint32_t mask, uint32_t value) { return __reduce_xor_sync(mask, value); }
#endif

// What the warp's lanes wrote to memory before, all of them see after.
WPRIM_DEVICE void warp_barrier() { __syncwarp(); }

// ---- Block. Every thread of the block comes; shared memory written before is seen after.
WPRIM_DEVICE void block_barrier() { __syncthreads(); }

// ---- Memory.
// Read once, soon not needed again: leaves the caches to others.
WPRIM_DEVICE Vector load_streaming(const void* aligned) {
  const uint4 v = __ldcs(static_cast<const uint4*>(aligned));
  return {{v.x, v.y, v.z, v.w}};
}
// Read again soon.
WPRIM_DEVICE Vector load_kept(const void* aligned) {
  const uint4 v = __ldca(static_cast<const uint4*>(aligned));
  return {{v.x, v.y, v.z, v.w}};
}

// The 32 bits that start `bits` < 32 into the pair (low, high).
WPRIM_DEVICE uint32_t funnel_right(uint32_t low, uint32_t high, unsigned bits) {
  return __funnelshift_r(low, high, bits);
}

// ---- Copies in the background, from global to shared memory. Where the device has none, kernels copy by hand.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline constexpr bool kBackgroundCopies = true;
#else
inline constexpr bool kBackgroundCopies = false;
#endif

// A place in shared memory where the bytes of a copy are counted in. It goes through phases 0, 1, 0, ...: a phase ends
// when as many bytes have arrived as were announced for it.
struct Arrival {
  uint64_t opaque;
};

WPRIM_DEVICE uint32_t shared_address(const void* shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
// One thread does it, then orders it before the others' use with `show_copies` and a barrier.
WPRIM_DEVICE void init_arrival(Arrival* arrival) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(arrival)) : "memory");
}
// What this thread wrote to shared memory comes before copies that are started after it.
WPRIM_DEVICE void show_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
// Announces all bytes of the phase.
WPRIM_DEVICE void announce(Arrival* arrival, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrival)),
               "r"(bytes)
               : "memory");
}
// Both addresses and `bytes` are multiples of 16. Whoever read the shared memory before is through with it.
WPRIM_DEVICE void start_copy(void* shared, const void* global, uint32_t bytes, Arrival* arrival) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(shared)),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(arrival))
      : "memory");
}
// Until the phase of this parity has ended; then its bytes can be read.
WPRIM_DEVICE void wait(Arrival* arrival, uint32_t parity) {
  uint32_t over;
  do {
    asm volatile(
        "{\n"
        ".reg .pred over;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n"
        "selp.u32 %0, 1, 0, over;\n"
        "}"
        : "=r"(over)
        : "r"(shared_address(arrival)), "r"(parity)
        : "memory");
  } while (over == 0);
}
#else
WPRIM_DEVICE void init_arrival(Arrival*) {}
WPRIM_DEVICE void show_copies() {}
WPRIM_DEVICE void announce(Arrival*, uint32_t) {}
WPRIM_DEVICE void start_copy(void*, const void*, uint32_t, Arrival*) {}
WPRIM_DEVICE void wait(Arrival*, uint32_t) {}
#endif

// ---- Arithmetic of one instruction.
WPRIM_DEVICE uint32_t larger(uint32_t a, uint32_t b) { return max(a, b); }
// The larger; NaN if one is NaN.
WPRIM_DEVICE float larger_or_nan(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
  return larger;
#else
  return a != a || a > b ? a : b;
#endif
}
WPRIM_DEVICE double larger_or_nan(double a, double b) { return a != a || a > b ? a : b; }

// Bytes of the pair (low, high), chosen by the digits of `select`: 0-3 from low, 4-7 from high, +8: its sign, eight times.
WPRIM_DEVICE uint32_t select_bytes(uint32_t low, uint32_t high, uint32_t select) {
  uint32_t bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(select));
  return bytes;
}

// An f16, exactly, in one instruction.
WPRIM_DEVICE float half_to_float(uint16_t bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

// Sum of the four bytes of `x`, unsigned or signed, added to `sum`.
WPRIM_DEVICE uint32_t add_bytes(uint32_t x, uint32_t sum) { return __dp4a(x, 0x01010101u, sum); }
WPRIM_DEVICE int32_t add_bytes(int32_t x, int32_t sum) { return __dp4a(x, 0x01010101, sum); }

// A cell is 8 bytes that travel together: a word and the epoch it belongs to. Relaxed is enough, because there is
// nothing beside the cell that would have to be visible with it.
WPRIM_DEVICE void store_cell(uint64_t* cell, uint32_t word, uint32_t epoch) {
  const uint64_t both = static_cast<uint64_t>(epoch) << 32 | word;
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(cell), "l"(both) : "memory");
}
WPRIM_DEVICE uint64_t load_cell(const uint64_t* cell) {
  uint64_t both;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(cell) : "memory");
  return both;
}

WPRIM_DEVICE uint32_t load_relaxed(const uint32_t* word) {
  uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
WPRIM_DEVICE void store_relaxed(uint32_t* word, uint32_t value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

// ---- What the host and the GPU tell each other while a kernel runs. A host's store of 8 bytes is seen whole.
// What the host wrote before the value that is seen here is seen after.
WPRIM_DEVICE uint64_t load_acquire_system(const uint64_t* word) {
  uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
// Sixteen bytes with one read; each half is seen whole.
WPRIM_DEVICE void load_system_pair(const uint64_t* pair, uint64_t& first, uint64_t& second) {
  asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(first), "=l"(second)
               : "l"(pair)
               : "memory");
}
WPRIM_DEVICE void store_system(uint64_t* word, uint64_t value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
// What this thread saw or wrote before comes before what it sees or writes after, for the host too.
WPRIM_DEVICE void fence_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

// Nanoseconds of a clock that goes on; it may tick as seldom as once a microsecond.
WPRIM_DEVICE uint64_t nanoseconds() {
  uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// Counts to `last` and starts again at 0; gives the value before.
WPRIM_DEVICE uint32_t count_to(uint32_t* counter, uint32_t last) { return atomicInc(counter, last); }

}  // namespace wprim::machine
