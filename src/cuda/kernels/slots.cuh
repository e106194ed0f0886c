// A thread's slot of a piece, where a block takes a piece: loaded from memory or from a stage, then folded.
#pragma once

#include "core/order.h"
#include "cuda/kernels/source.cuh"
#include "cuda/kernels/stage.cuh"

namespace wprim::cuda {

// kEasy: the piece is whole vectors at 16-byte addresses.
template <class Algebra, bool kEasy>
struct ThreadSlot {
  static constexpr uint32_t v = Source<Algebra::kBytes>::kComponents;
  static constexpr uint32_t kChunk = order::chunk_elements(Algebra::kBytes);
  machine::Vector in[order::kRounds];
  uint32_t n;  // elements of the piece

  static WPRIM_DEVICE uint32_t vector_index(uint32_t round) {
    return round * order::kSlots + machine::thread_index();
  }

  // From memory, all rounds in flight at once. At most one vector of a slot is awkward, so only one is loaded element by
  // element.
  WPRIM_DEVICE ThreadSlot(const Source<Algebra::kBytes>& source, uint32_t elements) : n(elements) {
    if (kEasy || (source.aligned() && n % v == 0)) {
#pragma unroll
      for (uint32_t r = 0; r < order::kRounds; ++r) {
        if (vector_index(r) * v < n) in[r] = source.aligned_full(vector_index(r));
      }
      return;
    }
    uint32_t awkward = order::kRounds;
#pragma unroll
    for (uint32_t r = 0; r < order::kRounds; ++r) {
      const uint32_t first = vector_index(r) * v;
      if (first >= n) continue;
      if (source.is_easy(vector_index(r), n - first)) {
        in[r] = source.easy(vector_index(r));
      } else {
        awkward = r;
      }
    }
    if (awkward == order::kRounds) return;
    const uint32_t first = vector_index(awkward) * v;
    const machine::Vector last = source.awkward(vector_index(awkward), n - first < v ? n - first : v);
#pragma unroll
    for (uint32_t r = 0; r < order::kRounds; ++r) {
      if (r == awkward) in[r] = last;
    }
  }

  // From a stage.
  WPRIM_DEVICE ThreadSlot(const Staged<Algebra::kBytes>& stage, bool aligned, uint32_t elements)
      : n(elements) {
    if (kEasy || (aligned && n == kChunk)) {
#pragma unroll
      for (uint32_t r = 0; r < order::kRounds; ++r) {
        if (!kEasy || vector_index(r) * v < n) in[r] = stage.aligned(vector_index(r));
      }
      return;
    }
#pragma unroll
    for (uint32_t r = 0; r < order::kRounds; ++r) {
      const uint32_t first = vector_index(r) * v;
      if (first >= n) continue;
      in[r] = stage.straddling(vector_index(r));
    }
  }

  template <class Pass, class Params>
  WPRIM_DEVICE typename Pass::Local fold(const Params& params) const {
    if (!kEasy && n == kChunk) return fold_rounds<Pass, true>(params);
    if (vector_index(0) * v >= n) return Pass::missing_local();
    return fold_rounds<Pass, false>(params);
  }

 private:
  // kFull: every element of the piece exists.
  template <class Pass, bool kFull, class Params>
  WPRIM_DEVICE typename Pass::Local fold_rounds(const Params& params) const {
    auto slot = Pass::first(params, in[0], count<kFull>(0), vector_index(0) * v);
#pragma unroll
    for (uint32_t r = 1; r < order::kRounds; ++r) {
      if (kFull || vector_index(r) * v < n) {
        Pass::next(params, slot, in[r], count<kFull>(r), vector_index(r) * v);
      }
    }
    return Pass::close(params, slot);
  }
  template <bool kFull>
  WPRIM_DEVICE int count(uint32_t r) const {
    const uint32_t left = n - vector_index(r) * v;
    return static_cast<int>(kFull || kEasy || left > v ? v : left);
  }
};

// What a thread's slot becomes; `turn` counts the pieces of the block. Ops that need to know the others' elements first
// have their own version.
template <class Algebra>
struct BlockPiece {
  struct Scratch {};  // shared memory that it needs

  template <bool kEasy>
  static WPRIM_DEVICE typename Algebra::Local slot(const ReduceParams& params,
                                                   const ThreadSlot<Algebra, kEasy>& mine, unsigned,
                                                   Scratch&) {
    return mine.template fold<Algebra>(params);
  }
};

}  // namespace wprim::cuda
