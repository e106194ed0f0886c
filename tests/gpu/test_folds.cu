// The folds of the canonical order by themselves: warp/states.cuh and block/fold.cuh.
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "folds.cuh"
#include "launch.cuh"

namespace {

using namespace gpu_test;

constexpr Salt kSalt{0x2545f491};

template <class Algebra, class State = typename Algebra::State>
State fold_by_halving(const State* in, size_t n) {
  std::vector<State> state(in, in + n);
  for (size_t w = n / 2; w > 0; w /= 2) {
    for (size_t i = 0; i < w; ++i) state[i] = Algebra::combine(kSalt, state[i], state[i + w]);
  }
  return state[0];
}

template <class State>
std::vector<State> random_states(size_t n) {
  std::mt19937_64 random(first_seed());
  std::vector<State> states(n);
  for (State& state : states) {
    if constexpr (std::is_same_v<State, wprim::Moments<float>>) {
      const auto real = [&] { return static_cast<float>(random() % 2000) / 7 - 100; };
      state = {random() % 4, real(), real() + 100};  // some of no element
    } else {
      state = static_cast<State>(static_cast<int64_t>(random())) / 3;
    }
  }
  return states;
}

// What each run of `n` states becomes, `times` times over.
template <class Algebra, class State>
void expect_folds(const std::vector<State>& in, size_t n, const std::vector<State>& out, size_t times = 1) {
  ASSERT_EQ(out.size(), in.size() / n * times);
  for (size_t i = 0; i < out.size(); ++i) {
    const State expected = fold_by_halving<Algebra>(&in[i / times * n], n);
    ASSERT_EQ(std::memcmp(&expected, &out[i], sizeof(State)), 0)
        << __PRETTY_FUNCTION__ << ", seed " << first_seed() << ", run " << i << " of " << n;
  }
}

template <class Algebra, int kRows>
void check_tiles() {
  using State = typename Algebra::State;
  const std::vector<State> in = random_states<State>(kRows * 32);
  const OnDevice<State> device_in(in);
  for (unsigned width = 1; width <= 32; width *= 2) {
    const OnDevice<State> out(std::vector<State>(in.size() / width));
    launch<FoldTiles<Algebra, kRows>>(1, 32, kSalt, width, static_cast<const State*>(device_in.get()),
                                      out.get());
    expect_folds<Algebra>(in, width, out.read());
  }
}

template <class Algebra>
void check_warp() {
  using State = typename Algebra::State;
  constexpr unsigned kBlocks = 40, kWarps = 3;
  const std::vector<State> in = random_states<State>(kBlocks * kWarps * 32);
  const OnDevice<State> device_in(in), out{std::vector<State>(kBlocks * kWarps)};
  launch<FoldWarp<Algebra>>(kBlocks, kWarps * 32, kSalt, kWarps, static_cast<const State*>(device_in.get()),
                            out.get());
  expect_folds<Algebra>(in, 32, out.read());
}

template <class Algebra>
void check_block() {
  using State = typename Algebra::State;
  constexpr unsigned kBlocks = 40;
  const std::vector<State> in = random_states<State>(kBlocks * 256);
  const OnDevice<State> device_in(in);
  const State* states = device_in.get();
  const OnDevice<State> shared{std::vector<State>(kBlocks)}, slots{std::vector<State>(kBlocks * 2)};
  launch<FoldShared<Algebra>>(kBlocks, 256, kSalt, states, shared.get());
  expect_folds<Algebra>(in, 256, shared.read());
  launch<FoldSlots<Algebra>>(kBlocks, 256, kSalt, states, slots.get());
  expect_folds<Algebra>(in, 256, slots.read(), 2);
}

TEST(Folds, Tiles) {
  check_tiles<Shape, 1>();
  check_tiles<Shape, 8>();
  check_tiles<AddDoubles, 4>();
  check_tiles<MergeMoments, 2>();
}

TEST(Folds, Warp) {
  check_warp<Shape>();
  check_warp<AddDoubles>();
  check_warp<MergeMoments>();
}

TEST(Folds, Block) {
  check_block<Shape>();
  check_block<AddDoubles>();
  check_block<MergeMoments>();
}

}  // namespace
