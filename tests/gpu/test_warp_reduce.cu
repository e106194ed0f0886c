// Reduction by a warp and by its tiles, whoever takes part.
#include "collectives.h"
#include "values.h"

namespace {

using namespace gpu_test;

TEST(Warp, TileKnowsItself) {
  check<Facts>([](Random&, const Case&, uint32_t*) {},
               [](const Group& group, const uint32_t*, unsigned lane) -> std::optional<Facts::Output> {
                 uint32_t span = 0;
                 for (unsigned i = 0; i < group.width; ++i) span |= 1u << (group.start + i);
                 const unsigned leader = group.lanes[0];
                 return Facts::Output{group.width,      lane - group.start,
                                      group.start,      span,
                                      group.mask(),     static_cast<uint32_t>(group.lanes.size()),
                                      group.rank(lane), leader - group.start,
                                      lane == leader};
               });
}

template <class State>
void random_bytes(Random& random, State* in) {
  for (size_t i = 0; i < 32 * sizeof(State); ++i)
    reinterpret_cast<unsigned char*>(in)[i] = static_cast<uint8_t>(random());
}

template <class Op, class Fill>
void check_reductions(const Fill& fill) {
  using State = typename Op::State;
  const auto fold = [](const Group& group, const State* in) {
    std::vector<State> states;
    for (const unsigned lane : group.lanes) states.push_back(in[lane]);
    return fold_in_order<Op>(states);
  };
  check<ReduceToAll<Op>>(fill, [&](const Group& group, const State* in, unsigned) -> std::optional<State> {
    return fold(group, in);
  });
  check<ReduceToLeader<Op>>(fill,
                            [&](const Group& group, const State* in, unsigned lane) -> std::optional<State> {
                              if (lane != group.lanes[0]) return std::nullopt;
                              return fold(group, in);
                            });
}

TEST(Warp, ReducesInTheOrderOfItsLanes) {
  check_reductions<Tree>([](Random& random, const Case&, uint32_t* in) { random_bytes(random, in); });
}

TEST(Warp, ReducesFloatsInTheOrderOfItsLanes) {
  check_reductions<FloatSum>([](Random& random, const Case&, float* in) {
    for (int i = 0; i < 32; ++i) in[i] = static_cast<float>(static_cast<int64_t>(random())) * 0x1p-50f;
  });
  check_reductions<DoubleSum>([](Random& random, const Case&, double* in) {
    for (int i = 0; i < 32; ++i) in[i] = static_cast<double>(static_cast<int64_t>(random())) * (1.0 / 3);
  });
}

TEST(Warp, ReducesStatesOfAnySize) {
  const auto fill = [](Random& random, const Case&, auto* in) { random_bytes(random, in); };
  check_reductions<Affine>(fill);
  check_reductions<Matrix>(fill);
  check_reductions<FirstLastSum>(fill);
}

template <Number kNumber, class T, class Expect>
void check_number(const Expect& expect) {
  check<ReduceNumber<kNumber, T>>(
      [](Random& random, const Case&, T* in) {
        const Values values = random_values(random);
        for (int i = 0; i < 32; ++i) in[i] = random_value<T>(random, values);
      },
      [&](const Group& group, const T* in, unsigned) -> std::optional<T> { return expect(group, in); });
}

template <Number kNumber, class T, class Op>
void check_bits(Op op) {
  check_number<kNumber, T>([&](const Group& group, const T* in) {
    using Word = std::make_unsigned_t<T>;
    Word result = static_cast<Word>(in[group.lanes[0]]);
    for (size_t i = 1; i < group.lanes.size(); ++i)
      result = op(result, static_cast<Word>(in[group.lanes[i]]));
    return static_cast<T>(result);
  });
}

template <class T>
void check_integer() {
  check_bits<Number::sum, T>([](auto a, auto b) { return a + b; });
  check_bits<Number::bit_and, T>([](auto a, auto b) { return a & b; });
  check_bits<Number::bit_or, T>([](auto a, auto b) { return a | b; });
  check_bits<Number::bit_xor, T>([](auto a, auto b) { return a ^ b; });
}

TEST(Warp, SumsAndBitsOfIntegers) {
  check_integer<int32_t>();
  check_integer<uint32_t>();
  check_integer<int64_t>();
  check_integer<uint64_t>();
}

template <class T>
void check_extremes() {
  check_number<Number::min, T>(
      [](const Group& group, const T* in) { return canonical(in[best_lane(in, group.lanes, false)]); });
  check_number<Number::max, T>(
      [](const Group& group, const T* in) { return canonical(in[best_lane(in, group.lanes, true)]); });
}

TEST(Warp, ExtremesOfIntegers) {
  check_extremes<int8_t>();
  check_extremes<uint8_t>();
  check_extremes<int16_t>();
  check_extremes<uint16_t>();
  check_extremes<int32_t>();
  check_extremes<uint32_t>();
  check_extremes<int64_t>();
  check_extremes<uint64_t>();
  check_extremes<boolean>();
}

TEST(Warp, ExtremesOfFloats) {
  check_extremes<float>();
  check_extremes<double>();
  check_extremes<f16>();
  check_extremes<bf16>();
}

}  // namespace
