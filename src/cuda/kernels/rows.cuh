// Rows of at most 256 slots: a warp takes tiles of 4 KiB of them, its next tiles on the way while it folds one.
#pragma once

#include "core/order.h"
#include "cuda/kernels/finish.cuh"
#include "cuda/kernels/stage.cuh"
#include "cuda/policy/reduce.h"
#include "cuda/warp/states.cuh"

namespace wprim::cuda {

inline constexpr unsigned kSlotsPerLane = order::kSlots / machine::kWarp;

// A lane's part in a row.
struct RowLane {
  unsigned lanes;  // that share the row
  unsigned lane;   // which of them
  unsigned used;   // slots of each, less those that no lane has
  unsigned full;   // of these, how many every lane has, with all their elements
  unsigned twist;  // the lane's slot k is in fact k ^ twist: the same tree, its branches swapped
};

// Folds a row of n > 0 elements by a tile of lanes; every lane of it has the result if the fold commutes, else the first.
// All 32 lanes come. A lane that lacks one of the slots takes slot 0 and forgets it: cheaper than branches.
template <class Pass, bool kEasy, class Params, class Local = typename Pass::Local>
WPRIM_DEVICE Local fold_row(const Params& params, const Staged<Pass::kBytes>& row, uint32_t n,
                            const RowLane& at) {
  constexpr uint32_t v = Staged<Pass::kBytes>::kComponents;
  const uint32_t slots = (n + v - 1) / v;
  machine::Vector in[kSlotsPerLane];
  uint32_t slot[kSlotsPerLane];
#pragma unroll
  for (unsigned k = 0; k < kSlotsPerLane; ++k) {
    if (k > 0 && k >= at.used) continue;
    slot[k] = (k ^ at.twist) * at.lanes + at.lane;
    if (k >= at.full && slot[k] >= slots) slot[k] = 0;
    in[k] = kEasy ? row.aligned(slot[k]) : row.any(slot[k]);
  }
  Local part[kSlotsPerLane];
#pragma unroll
  for (unsigned k = 0; k < kSlotsPerLane; ++k) {
    part[k] = Pass::missing_local();
    if (k > 0 && k >= at.used) continue;
    const uint32_t first = slot[k] * v;
    if (k < at.full) {
      auto one = Pass::first(params, in[k], v, first);
      part[k] = Pass::close(params, one);
    } else {
      auto one = Pass::first(params, in[k], kEasy || n - first >= v ? v : n - first, first);
      const Local local = Pass::close(params, one);
      if ((k ^ at.twist) * at.lanes + at.lane < slots) part[k] = local;
    }
  }
#pragma unroll
  for (unsigned w = kSlotsPerLane / 2; w > 0; w /= 2) {
    if (w >= at.used) continue;
#pragma unroll
    for (unsigned k = 0; k < w; ++k) part[k] = Pass::combine(params, part[k], part[k + w]);
  }
  return warp::fold_tile<Pass>(params, part[0], at.lanes);
}

// What a row becomes. Ops that read it twice have their own version.
template <class Algebra>
struct Row {
  template <bool kEasy>
  static WPRIM_DEVICE typename Algebra::Local fold(const ReduceParams& params,
                                                   const Staged<Algebra::kBytes>& row, uint32_t n,
                                                   const RowLane& at) {
    return fold_row<Algebra, kEasy>(params, row, n, at);
  }
};

inline constexpr unsigned kRowStages = 2;
inline constexpr unsigned kRowStageBytes = policy::kTileBytes + 2 * kLine;  // a run begins anywhere in a line

// Starts copying a tile to its stage.
template <unsigned kElementBytes, bool kEasy>
WPRIM_DEVICE void start_tile(const ReduceParams& params, uint64_t tile, std::byte* stage,
                             machine::Arrival* arrival) {
  const uint64_t first = tile * params.tiles.rows;
  if (first >= params.rows) return;
  const uint64_t left = params.rows - first;
  const uint32_t rows = left < params.tiles.rows ? static_cast<uint32_t>(left) : params.tiles.rows;
  const uint32_t row_bytes = static_cast<uint32_t>(params.cols) * kElementBytes;
  const Extent input{params.in, params.in + (params.rows - 1) * params.stride_bytes + row_bytes};
  const std::byte* run = params.in + first * params.stride_bytes;
  const uint32_t run_bytes = (rows - 1) * static_cast<uint32_t>(params.stride_bytes) + row_bytes;
  if (params.tiles.by_hand) {
    copy_rows<kElementBytes>(stage, run, rows, row_bytes, params.stride_bytes, params.tiles.pitch, input);
  } else if (machine::kBackgroundCopies && kEasy) {
    if (machine::lane_index() > 0) return;
    machine::announce(arrival, run_bytes);
    machine::start_copy(stage + skew_of(run), run, run_bytes, arrival);
  } else if (machine::kBackgroundCopies) {
    start_run<kElementBytes>(stage, arrival, run, run_bytes, input);
  } else {
    copy_rows<kElementBytes>(stage + skew_of(align_down(run)), run, 1, run_bytes, 0, policy::kTileBytes + 32,
                             input);
  }
}

template <class Algebra, bool kEasy>
__global__ void __launch_bounds__(policy::kRowWarps* machine::kWarp,
                                  policy::row_blocks(sizeof(typename Algebra::State)))
    reduce_rows(const __grid_constant__ ReduceParams params) {
  WPRIM_SHARED_ALIGNED(kLine, stages, std::byte[policy::kRowWarps][kRowStages][kRowStageBytes]);
  WPRIM_SHARED(arrivals, machine::Arrival[policy::kRowWarps][kRowStages]);
  const unsigned lane = machine::lane_index(), warp = machine::warp_index();
  const uint64_t step = machine::grid_blocks() * policy::kRowWarps;
  const uint64_t begin = machine::block_index() * policy::kRowWarps + warp;
  if (lane == 0) {
    for (unsigned s = 0; s < kRowStages; ++s) machine::init_arrival(&arrivals[warp][s]);
    machine::show_copies();
  }
  machine::warp_barrier();  // nobody waits at an arrival before it is there
  for (unsigned s = 0; s < kRowStages; ++s) {
    start_tile<Algebra::kBytes, kEasy>(params, begin + s * step, stages[warp][s], &arrivals[warp][s]);
  }

  const unsigned lanes = params.tiles.lanes, in_warp = lane / lanes, rows_at_once = machine::kWarp / lanes;
  const RowLane at{lanes, lane % lanes, params.tiles.used, params.tiles.full, in_warp & params.tiles.twist};
  // Results gather in the lanes until all lanes have one, and are finished together.
  typename Algebra::Local mine;
  uint64_t my_row = 0;
  unsigned gathered = 0, turn = 0;
  const auto finish = [&] {
    if (lane < gathered) finish_row<Algebra>(params, my_row, Algebra::state(params, mine, 0));
    gathered = 0;
  };
  for (uint64_t tile = begin; tile * params.tiles.rows < params.rows; tile += step, ++turn) {
    const unsigned s = turn % kRowStages;
    if (!params.tiles.by_hand) machine::wait(&arrivals[warp][s], turn / kRowStages % 2);
    machine::warp_barrier();  // what lanes copied themselves is there for all
    const uint64_t first = tile * params.tiles.rows, left = params.rows - first;
    const uint32_t rows = left < params.tiles.rows ? static_cast<uint32_t>(left) : params.tiles.rows;
    const unsigned skew = params.tiles.by_hand ? 0 : skew_of(params.in + first * params.stride_bytes);
    for (uint32_t base = 0; base < rows; base += rows_at_once) {
      const uint32_t r =
          base + in_warp < rows ? base + in_warp : rows - 1;  // lanes without a row do the last again
      uint32_t offset = r * params.tiles.pitch + skew;
      if (!kEasy && params.tiles.by_hand) {
        offset += static_cast<unsigned>(
            reinterpret_cast<uintptr_t>(params.in + (first + r) * params.stride_bytes) % 16);
      }
      const Staged<Algebra::kBytes> row(stages[warp][s] + offset);
      const auto local =
          Row<Algebra>::template fold<kEasy>(params, row, static_cast<uint32_t>(params.cols), at);
      const unsigned done = rows - base < rows_at_once ? rows - base : rows_at_once, place = lane - gathered;
      const auto moved = warp::shuffle_from(local, place * lanes % machine::kWarp);
      if (place < done) {
        mine = moved;
        my_row = first + base + place;
      }
      gathered += done;
      if (gathered + rows_at_once > machine::kWarp) finish();
    }
    machine::warp_barrier();  // every lane has read the stage before it is filled again
    start_tile<Algebra::kBytes, kEasy>(params, tile + kRowStages * step, stages[warp][s], &arrivals[warp][s]);
  }
  finish();
}

}  // namespace wprim::cuda
