// One reduce on the machine, beside the CPU backend.
#pragma once

#include <random>

#include "support.h"
#include "warpprim.h"

namespace simt {

using Random = std::mt19937_64;

// The kernels and versions of them that src/cuda/reduce.cpp chooses from.
enum class Path { easy_rows, any_rows, easy_pieces, any_pieces, stream };
inline constexpr Path kPaths[] = {Path::easy_rows, Path::any_rows, Path::easy_pieces, Path::any_pieces,
                                  Path::stream};

struct ReduceCase {
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  size_t shift = 0;              // of the input's address, in elements
  bool counted = false;          // the number of columns is found when the op runs
  unsigned multiprocessors = 1;  // of the GPU
};

// Gives the case a shape by which it takes that path, with tails and tiles of every kind.
void choose_shape(Random& random, Path path, ReduceCase* c);

// Runs it under the seed's schedule, and now and then once more with the same workspace; expects no finding, the CPU's bits,
// and a clean workspace. A desc that the library refuses is passed over.
void check_reduce_case(const ReduceCase& c, uint64_t seed);

}  // namespace simt
