// The host side of the tests of the warp layer: cases of every width, caller and kind of mask, and the comparison with what
// the host computes lane by lane.
#pragma once

#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "collectives.cuh"
#include "launch.cuh"

namespace gpu_test {

using Random = std::mt19937_64;
using Callers = std::vector<Caller>;

inline const Callers kAllCallers = {Caller::whole, Caller::alone, Caller::some, Caller::some_alone,
                                    Caller::branches};
inline const Callers kWholeTiles = {Caller::whole, Caller::alone};

// Those of a lane's tile that come to a collective with it.
struct Group {
  unsigned width, start;
  std::vector<unsigned> lanes;  // of the warp, ascending; empty: the lane itself does not come

  uint32_t mask() const {
    uint32_t bits = 0;
    for (unsigned lane : lanes) bits |= 1u << lane;
    return bits;
  }
  unsigned rank(unsigned lane) const {
    unsigned rank = 0;
    while (lanes[rank] != lane) ++rank;
    return rank;
  }
};

inline Group group_of(const Case& c, unsigned lane) {
  Group group{c.width, lane / c.width * c.width, {}};
  const auto is_named = [&](unsigned i) { return (c.mask >> i & 1) != 0; };
  const bool by_mask = c.caller != Caller::whole && c.caller != Caller::alone;
  if (by_mask && !is_named(lane) && c.caller != Caller::branches) return group;
  for (unsigned i = group.start; i < group.start + c.width; ++i) {
    if (!by_mask || is_named(i) == is_named(lane)) group.lanes.push_back(i);
  }
  return group;
}

// What the states of some lanes become: neighbours, then pairs of them, and so on.
template <class Op, class State = typename Op::State>
State fold_in_order(std::vector<State> state) {
  for (size_t w = 1; w < state.size(); w *= 2) {
    for (size_t i = 0; i + w < state.size(); i += 2 * w) state[i] = Op::combine(state[i], state[i + w]);
  }
  return state[0];
}

inline std::vector<Case> cases_of(Random& random, unsigned width, const Callers& callers) {
  const auto bits = [&] { return static_cast<uint32_t>(random()); };
  const auto lane = [&] { return static_cast<unsigned>(random() % 32); };
  std::vector<uint32_t> masks = {0xffffffff, 0x55555555, 0xaaaaaaaa, 0x0000ffff,
                                 0xffff0000, 1,          1u << 31,   ~(1u << 31)};
  for (int i = 0; i < 4; ++i) masks.push_back(~(1u << lane()));                   // 31 lanes
  for (int i = 0; i < 4; ++i) masks.push_back(1u << lane());                      // one
  for (int i = 0; i < 8; ++i) masks.push_back(0xffffffff >> lane());              // the first so many
  for (int i = 0; i < 4; ++i) masks.push_back((bits() & bits()) | 1u << lane());  // few
  for (int i = 0; i < 8; ++i) masks.push_back(bits() | 1u << lane());
  for (int i = 0; i < 4; ++i) masks.push_back(bits() | bits());  // most
  std::vector<Case> cases;
  for (const Caller caller : callers) {
    for (const uint32_t mask : masks) cases.push_back({width, mask, caller});
  }
  return cases;
}

template <class T>
std::string hex(const T& value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  std::string text;
  for (size_t i = sizeof(T); i-- > 0;) {
    text += "0123456789abcdef"[bytes[i] / 16];
    text += "0123456789abcdef"[bytes[i] % 16];
  }
  return text;
}

// Runs all cases in one launch and compares the bits of each lane. `expect(group, in, lane)` is what a lane that comes shall
// get, or nothing where that is not said; a lane that does not come shall write nothing.
template <class Body, unsigned kWidth, class Expect>
void run_and_compare(const std::vector<Case>& cases, const std::vector<typename Body::Input>& in,
                     const Expect& expect) {
  using Output = typename Body::Output;
  constexpr unsigned kThreads = 96;
  Output untouched;
  std::memset(&untouched, 0xa5, sizeof untouched);
  const OnDevice<Case> device_cases(cases);
  const OnDevice<typename Body::Input> device_in(in);
  const OnDevice<Output> device_out(std::vector<Output>(in.size(), untouched));
  launch<RunCases<Body, kWidth>>(static_cast<unsigned>((in.size() + kThreads - 1) / kThreads), kThreads,
                                 static_cast<const Case*>(device_cases.get()), uint64_t{cases.size()},
                                 kThreads, static_cast<const typename Body::Input*>(device_in.get()),
                                 device_out.get());
  const std::vector<Output> out = device_out.read();
  for (size_t i = 0; i < in.size(); ++i) {
    const Case& c = cases[i / 32];
    const unsigned lane = i % 32;
    const Group group = group_of(c, lane);
    std::optional<Output> expected = untouched;
    if (!group.lanes.empty()) expected = expect(group, &in[i - lane], lane);
    if (!expected || std::memcmp(&*expected, &out[i], sizeof(Output)) == 0) continue;
    ADD_FAILURE() << __PRETTY_FUNCTION__ << "\nseed " << first_seed() << ", width " << c.width << ", mask "
                  << hex(c.mask) << ", caller " << static_cast<unsigned>(c.caller) << ", lane " << lane
                  << "\nexpected " << hex(*expected) << "\n     got " << hex(out[i]);
    return;
  }
}

// `fill(random, c, in)` makes the 32 inputs of a case.
template <class Body, class Fill, class Expect>
void check(const Fill& fill, const Expect& expect, const Callers& callers = kAllCallers) {
  Random random(first_seed());
  for (unsigned width = 1; width <= 32; width *= 2) {
    const std::vector<Case> cases = cases_of(random, width, callers);
    std::vector<typename Body::Input> in(cases.size() * 32);
    for (size_t i = 0; i < cases.size(); ++i) fill(random, cases[i], &in[i * 32]);
    run_and_compare<Body, 0>(cases, in, expect);
    if (width == 8) run_and_compare<Body, 8>(cases, in, expect);
    if (width == 32) run_and_compare<Body, 32>(cases, in, expect);
  }
}

}  // namespace gpu_test
