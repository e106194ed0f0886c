// The device side of the tests of the canonical folds, by a warp and by a block.
#pragma once

#include "core/host_device.h"
#include "core/states.h"
#include "cuda/block/fold.cuh"

namespace gpu_test {

namespace block = wprim::block;
namespace machine = wprim::machine;
namespace warp = wprim::warp;

// Algebras as the folds know them. The first neither commutes nor associates, so its result tells the whole order.
struct Salt {
  uint32_t salt;
};
struct Shape {
  using State = uint32_t;
  static WPRIM_HD State combine(const Salt& salt, State a, State b) {
    return (a * 0x9e3779b1u ^ b) * 0x85ebca6bu + salt.salt;
  }
};
struct AddDoubles {
  using State = double;
  static WPRIM_HD State combine(const Salt&, State a, State b) { return a + b; }
};
struct MergeMoments {
  using State = wprim::Moments<float>;
  static WPRIM_HD State combine(const Salt&, const State& a, const State& b) { return wprim::merge(a, b); }
};

// A warp folds its 32 states; lane 0 writes.
template <class Algebra>
struct FoldWarp {
  using State = typename Algebra::State;
  static WPRIM_DEVICE void run(Salt salt, unsigned warps, const State* in, State* out) {
    const uint64_t index = machine::block_index() * warps + machine::warp_index();
    const State fold = warp::fold_warp<Algebra>(salt, in[index * machine::kWarp + machine::lane_index()]);
    if (machine::lane_index() == 0) out[index] = fold;
  }
};

// Each tile of a warp folds kRows rows; in and out have a row after the other.
template <class Algebra, int kRows>
struct FoldTiles {
  using State = typename Algebra::State;
  static WPRIM_DEVICE void run(Salt salt, unsigned width, const State* in, State* out) {
    State state[kRows];
    for (int u = 0; u < kRows; ++u) state[u] = in[u * machine::kWarp + machine::lane_index()];
    for (int u = 0; u < kRows; ++u) state[u] = warp::fold_tile<Algebra>(salt, state[u], width);
    if (machine::lane_index() % width != 0) return;
    for (int u = 0; u < kRows; ++u) out[(u * machine::kWarp + machine::lane_index()) / width] = state[u];
  }
};

// A block of 256 threads folds 256 states in shared memory, by a warp that is another in each block.
template <class Algebra>
struct FoldShared {
  using State = typename Algebra::State;
  static WPRIM_DEVICE void run(Salt salt, const State* in, State* out) {
    WPRIM_SHARED(shared, State[wprim::order::kSlots]);
    const unsigned thread = machine::thread_index();
    shared[thread] = in[machine::block_index() * wprim::order::kSlots + thread];
    machine::block_barrier();  // all states are in shared memory before a warp reads them
    if (machine::warp_index() != machine::block_index() % 8) return;
    const State fold = block::fold_shared<Algebra>(salt, shared);
    if (machine::lane_index() == 0) out[machine::block_index()] = fold;
  }
};

// The same from registers, twice through the same shared memory.
template <class Algebra>
struct FoldSlots {
  using State = typename Algebra::State;
  static WPRIM_DEVICE void run(Salt salt, const State* in, State* out) {
    WPRIM_SHARED(shared, State[wprim::order::kSlots]);
    const State mine = in[machine::block_index() * wprim::order::kSlots + machine::thread_index()];
    const State first = block::fold_slots<Algebra>(salt, mine, shared);
    machine::block_barrier();  // nobody reads the shared memory any more
    const State second = block::fold_slots<Algebra>(salt, mine, shared);
    if (machine::thread_index() != 0) return;
    out[2 * machine::block_index()] = first;
    out[2 * machine::block_index() + 1] = second;
  }
};

}  // namespace gpu_test
