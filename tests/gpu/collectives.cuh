// The device side of the tests of the warp layer: each collective as a body that a lane runs, and the ways in which lanes
// come to it. Nothing here knows CUDA but through the layers that are tested.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/host_device.h"
#include "cuda/warp/match.cuh"

namespace gpu_test {

namespace machine = wprim::machine;
namespace warp = wprim::warp;
using warp::Tile;

enum class Caller : uint32_t {
  whole,       // all lanes together
  alone,       // one tile after the other
  some,        // the lanes of the mask, while the others are elsewhere
  some_alone,  // of each tile the lanes of the mask, one tile after the other
  branches,    // the lanes of the mask and the others, each in a branch of their own, at different times
};

// What a warp does.
struct Case {
  unsigned width;
  uint32_t mask;
  Caller caller;
};

template <class Body>
WPRIM_DEVICE void come(const Case& c, unsigned width, const typename Body::Input& in,
                       typename Body::Output* out) {
  const unsigned lane = machine::lane_index();
  const bool named = (c.mask >> lane & 1) != 0;
  const Tile all = Tile::of_warp(width);
  if (c.caller == Caller::whole) {
    *out = Body::call(all, in);
  } else if (c.caller == Caller::some) {
    const Tile tile = all.where(named);
    if (named) *out = Body::call(tile, in);
  } else if (c.caller == Caller::branches) {
    const Tile tile = all.where(named), others = all.where(!named);
    if (named) {
      *out = Body::call(tile, in);
    } else {  // more than once, so that no compiler makes one call of both branches
      for (unsigned i = 0; i < 3; ++i) *out = Body::call(others, in);
    }
  } else {
    for (unsigned start = 0; start < machine::kWarp; start += width) {
      if (lane - start >= width) continue;
      const Tile alone = Tile::alone(width);
      if (c.caller == Caller::alone) {
        *out = Body::call(alone, in);
      } else {
        const Tile tile = alone.where(named);
        if (named) *out = Body::call(tile, in);
      }
    }
  }
}

// The kernel: warp w does case w, its lanes have in[32 w] and the following. kWidth is the width of all cases, known to the
// compiler, or 0 if each case brings its own. The threads beyond the last case do nothing.
template <class Body, unsigned kWidth>
struct RunCases {
  static WPRIM_DEVICE void run(const Case* cases, uint64_t n, unsigned block_threads,
                               const typename Body::Input* in, typename Body::Output* out) {
    const uint64_t thread = machine::block_index() * block_threads + machine::thread_index();
    if (thread / machine::kWarp >= n) return;
    const Case& c = cases[thread / machine::kWarp];
    come<Body>(c, kWidth != 0 ? kWidth : c.width, in[thread], out + thread);
  }
};

// ---- What a tile says of itself.
struct Facts {
  using Input = uint32_t;
  struct Output {
    uint32_t width, lane, start, span, lanes, size, rank, leader, leads;
  };
  static WPRIM_DEVICE Output call(const Tile& tile, Input) {
    return {tile.width,  tile.lane(), tile.start(),  tile.span(), tile.lanes(),
            tile.size(), tile.rank(), tile.leader(), tile.leads()};
  }
};

// ---- Reduction: ops with states of several sizes. The first is not even associative, so its result tells the whole order.
struct Tree {
  using State = uint32_t;
  static WPRIM_HD State combine(State a, State b) { return (a * 0x9e3779b1u ^ b) * 0x85ebca6bu + 1; }
};
struct FloatSum {
  using State = float;
  static WPRIM_HD State combine(State a, State b) { return a + b; }
};
struct DoubleSum {
  using State = double;
  static WPRIM_HD State combine(State a, State b) { return a + b; }
};
struct Affine {  // x -> scale x + shift, one after the other: associative, does not commute
  struct State {
    uint32_t scale, shift;
  };
  static WPRIM_HD State combine(State a, State b) { return {a.scale * b.scale, a.shift * b.scale + b.shift}; }
};
struct Matrix {
  struct State {
    uint64_t a, b, c, d;
  };
  static WPRIM_HD State combine(State x, State y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};
struct FirstLastSum {  // a state that is no whole number of words
  struct State {
    uint8_t first, last, sum;
  };
  static WPRIM_HD State combine(State a, State b) {
    return {a.first, b.last, static_cast<uint8_t>(a.sum + b.sum)};
  }
};

template <class Op>
struct ReduceToAll {
  using Input = typename Op::State;
  using Output = Input;
  static WPRIM_DEVICE Output call(const Tile& tile, const Input& in) {
    return warp::reduce_to_all(tile, in, [](const Input& a, const Input& b) { return Op::combine(a, b); });
  }
};
template <class Op>
struct ReduceToLeader {
  using Input = typename Op::State;
  using Output = Input;
  static WPRIM_DEVICE Output call(const Tile& tile, const Input& in) {
    return warp::reduce_to_leader(tile, in, [](const Input& a, const Input& b) { return Op::combine(a, b); });
  }
};

// ---- Numbers.
enum class Number { sum, bit_and, bit_or, bit_xor, min, max };
template <Number kNumber, class T>
struct ReduceNumber {
  using Input = T;
  using Output = T;
  static WPRIM_DEVICE Output call(const Tile& tile, Input in) {
    if constexpr (kNumber == Number::sum) return warp::sum(tile, in);
    if constexpr (kNumber == Number::bit_and) return warp::bit_and(tile, in);
    if constexpr (kNumber == Number::bit_or) return warp::bit_or(tile, in);
    if constexpr (kNumber == Number::bit_xor) return warp::bit_xor(tile, in);
    if constexpr (kNumber == Number::min) return warp::min(tile, in);
    if constexpr (kNumber == Number::max) return warp::max(tile, in);
  }
};

// ---- Values on their way.
template <class T>
struct WithLane {
  T value;
  uint32_t lane;  // or a number of lanes
};
template <class T>
struct Shuffles {
  using Input = WithLane<T>;
  struct Output {
    T by_xor, down, up;
  };
  static WPRIM_DEVICE Output call(const Tile& tile, const Input& in) {
    return {warp::shuffle_xor(tile, in.value, in.lane), warp::shuffle_down(tile, in.value, in.lane),
            warp::shuffle_up(tile, in.value, in.lane)};
  }
};
template <class T>
struct ShuffleFrom {
  using Input = WithLane<T>;
  using Output = T;
  static WPRIM_DEVICE Output call(const Tile& tile, const Input& in) {
    return warp::shuffle_from(tile, in.value, in.lane);
  }
};
template <class T>
struct Broadcast {
  using Input = WithLane<T>;
  using Output = T;
  static WPRIM_DEVICE Output call(const Tile& tile, const Input& in) {
    return warp::broadcast(tile, in.value, in.lane);
  }
};
template <bool kMax, class T>
struct BroadcastBest {
  using Input = T;
  struct Output {
    uint64_t bits, lane;
  };
  static WPRIM_DEVICE Output call(const Tile& tile, Input in) {
    warp::Found<T> found;
    if constexpr (kMax) {
      found = warp::broadcast_max(tile, in);
    } else {
      found = warp::broadcast_min(tile, in);
    }
    return {warp::key_bits(found.value), found.lane};
  }
};

// ---- Votes and groups.
struct Votes {
  using Input = uint32_t;  // the predicate
  struct Output {
    uint32_t any, all, count, first, rank, lanes;
  };
  static WPRIM_DEVICE Output call(const Tile& tile, Input in) {
    const bool yes = in != 0;
    return {warp::any(tile, yes),         warp::all(tile, yes),        warp::count_where(tile, yes),
            warp::first_where(tile, yes), warp::rank_where(tile, yes), warp::lanes_where(tile, yes)};
  }
};

// Also that the groups can work as the tiles they are, all at the same time.
template <class Key>
struct Match {
  using Input = Key;
  struct Output {
    uint32_t mask, lanes, size, rank, leader, leads, all_equal, sum, tree, of_leader;
  };
  static WPRIM_DEVICE Output call(const Tile& tile, const Input& key) {
    const Tile group = warp::peers(tile, key);
    const uint32_t mine = machine::lane_index() + 1;
    const uint32_t tree =
        warp::reduce_to_all(group, mine, [](uint32_t a, uint32_t b) { return Tree::combine(a, b); });
    return {group.mask,
            group.lanes(),
            group.size(),
            group.rank(),
            group.leader(),
            group.leads(),
            warp::all_equal(tile, key),
            warp::sum(group, mine),
            tree,
            warp::broadcast(group, mine, group.leader())};
  }
};

}  // namespace gpu_test
