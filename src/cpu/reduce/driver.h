// The way every reduce goes on the CPU. An Algorithm says what is done to a piece and how a row is finished:
//
//   State                              what a piece becomes; trivially copyable
//   Scratch                            memory that leaf may use, one for each range of pieces
//   kPieceChunks                       chunks in a piece: 1 where the canonical order says so, more where any order will do
//   State leaf(in, n, scratch)         a piece of 0 < n elements
//   void finish(row, states, count)    writes a row's output from its pieces' states, in order; count is 0 for an empty row
#pragma once

#include <algorithm>

#include "core/order.h"
#include "core/reduce.h"
#include "cpu/policy.h"
#include "cpu/team.h"
#include "cpu/workspace.h"

namespace wprim::cpu {

template <class Algorithm>
void drive(const Reduce& r, const Algorithm& algorithm, Team& team, Workspace& workspace) {
  using State = typename Algorithm::State;
  const size_t size = size_of(r.dtype);
  const uint64_t chunk = order::chunk_elements(size) * Algorithm::kPieceChunks;
  const bool parallel = policy::is_shared(r);

  if (r.cols <= chunk) {
    const uint64_t row_bytes = std::max(r.cols * size, policy::kRowBytes);
    team.run(r.rows, policy::kGrainBytes / row_bytes, parallel, [&](uint64_t begin, uint64_t end) {
      typename Algorithm::Scratch scratch;
      for (uint64_t row = begin; row < end; ++row) {
        if (r.cols == 0) {
          algorithm.finish(row, nullptr, 0);
        } else {
          State state = algorithm.leaf(r.row(row), r.cols, scratch);
          algorithm.finish(row, &state, 1);
        }
      }
    });
    return;
  }

  const uint64_t pieces = r.cols / chunk + (r.cols % chunk != 0);
  State* states = workspace.get<State>(r.rows * pieces);
  team.run(r.rows * pieces, policy::kGrainBytes / (order::kChunkBytes * Algorithm::kPieceChunks), parallel,
           [&](uint64_t begin, uint64_t end) {
             typename Algorithm::Scratch scratch;
             for (uint64_t i = begin; i < end; ++i) {
               const uint64_t row = i / pieces, first = i % pieces * chunk;
               states[i] =
                   algorithm.leaf(r.row(row) + first * size, std::min(chunk, r.cols - first), scratch);
             }
           });
  team.run(r.rows, 16, parallel, [&](uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; ++row) algorithm.finish(row, states + row * pieces, pieces);
  });
}

struct NoScratch {};

// Of exact ops: a piece costs a call and a last vector to fold, so they are fewer.
inline constexpr uint64_t kExactPieceChunks = 16;

// Families of ops, a file each.
void reduce_rounding(const Reduce& r, Team& team,
                     Workspace& workspace);  // sum prod l1 l2 mean, with a float result
void reduce_moments(const Reduce& r, Team& team, Workspace& workspace);  // var std
void reduce_logsum(const Reduce& r, Team& team, Workspace& workspace);   // logsumexp
void reduce_words(const Reduce& r, Team& team,
                  Workspace& workspace);  // sum prod l1 with an integer result; and or xor
void reduce_extremes(const Reduce& r, Team& team, Workspace& workspace);  // min max argmin argmax minmax amax
void reduce_counts(const Reduce& r, Team& team,
                   Workspace& workspace);  // any all count_nonzero; and or xor of bool

}  // namespace wprim::cpu
