// order::fold against docs/numerics.md section 3, taken literally: a grid of slots and components, each of
// which may be missing. States are hashes of how they came about, so that any other order, or a state left
// out, gives another hash.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "core/order.h"

namespace wprim {
namespace {

using State = uint64_t;
using Cell = std::optional<State>;

State combine(State a, State b) {
  const State mixed =
      (a * 0x9e3779b97f4a7c15 + 1) ^ (b * 0xc2b2ae3d27d4eb4f + 2);  // neither commutes nor associates
  return mixed ^ mixed >> 31;
}

Cell combine_cells(Cell a, Cell b) {
  if (!a) return b;
  if (!b) return a;
  return combine(*a, *b);
}

// Rules 2 to 4: one chunk.
State literal_chunk(const State* x, size_t n, size_t v) {
  std::vector<std::vector<Cell>> grid(256, std::vector<Cell>(v));
  for (size_t i = 0; i < n; ++i) {
    Cell& cell = grid[(i / v) % 256][i % v];
    cell = combine_cells(cell, x[i]);
  }
  for (std::vector<Cell>& slot : grid) {
    for (size_t w = v / 2; w >= 1; w /= 2) {
      for (size_t c = 0; c < w; ++c) slot[c] = combine_cells(slot[c], slot[c + w]);
    }
  }
  for (size_t w = 128; w >= 1; w /= 2) {
    for (size_t s = 0; s < w; ++s) grid[s][0] = combine_cells(grid[s][0], grid[s + w][0]);
  }
  return *grid[0][0];
}

// Rules 1 and 5: chunks, and their partials as an array again.
State literal_fold(const std::vector<State>& x, size_t v) {
  if (x.size() == 1) return x[0];
  const size_t chunk = 4 * 256 * v;
  std::vector<State> partials;
  for (size_t first = 0; first < x.size(); first += chunk) {
    partials.push_back(literal_chunk(&x[first], std::min(chunk, x.size() - first), v));
  }
  return literal_fold(partials, v);
}

std::vector<State> states(size_t n) {
  std::vector<State> x(n);
  std::mt19937_64 random(n);
  for (State& state : x) state = random();
  return x;
}

TEST(Order, ConstantsAreThoseOfThePage) {
  for (size_t size : {1, 2, 4, 8}) {
    EXPECT_EQ(order::components(size), 16 / size);
    EXPECT_EQ(order::chunk_elements(size), 4 * 256 * (16 / size));
    EXPECT_EQ(order::chunks(0, size), 0u);
    EXPECT_EQ(order::chunks(1, size), 1u);
    EXPECT_EQ(order::chunks(16384 / size, size), 1u);
    EXPECT_EQ(order::chunks(16384 / size + 1, size), 2u);
    EXPECT_EQ(order::chunks(UINT64_MAX, size), UINT64_MAX / (16384 / size) + 1);
  }
}

class Chunk : public testing::TestWithParam<size_t> {};  // components of a slot
INSTANTIATE_TEST_SUITE_P(Components, Chunk, testing::Values(2, 4, 8, 16));

TEST_P(Chunk, FoldsInTheCanonicalOrder) {
  const size_t v = GetParam(), round = 256 * v;
  std::vector<size_t> lengths = {round - 1,     round,         round + 1,     2 * round, 2 * round + v + 1,
                                 3 * round - 1, 4 * round - v, 4 * round - 1, 4 * round};
  for (size_t n = 1; n <= 5 * v; ++n) lengths.push_back(n);
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) lengths.push_back(1 + random() % (4 * round));
  for (size_t n : lengths) {
    std::vector<State> x = states(n);
    const State expected = literal_chunk(x.data(), n, v);
    EXPECT_EQ(order::fold_chunk(x.data(), n, v, combine), expected) << n;
  }
}

class Fold : public testing::TestWithParam<size_t> {};  // bytes of the accumulator
INSTANTIATE_TEST_SUITE_P(Accumulators, Fold, testing::Values(4, 8));

TEST_P(Fold, FoldsLevelByLevel) {
  const size_t size = GetParam(), v = 16 / size, chunk = 16384 / size;
  std::vector<size_t> lengths = {
      1, 2, 3, v, v + 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 5 * chunk + 7, 300 * chunk + 1};
  if (size == 8) lengths.push_back(chunk * chunk + chunk + 5);  // three levels
  for (size_t n : lengths) {
    std::vector<State> x = states(n);
    const State expected = literal_fold(x, v);
    EXPECT_EQ(order::fold(x.data(), n, size, combine), expected) << n;
  }
}

}  // namespace
}  // namespace wprim
