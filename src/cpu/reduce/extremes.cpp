// min, max, minmax, amax, argmin and argmax: all from the smallest and the largest keys of pieces.
#include <algorithm>

#include "core/order_key.h"
#include "cpu/reduce/driver.h"
#include "cpu/reduce/numbers.h"

namespace wprim::cpu {
namespace {

template <class T>
bool has_nan(const simd::Extremes& s) {
  if constexpr (is_float_type<T>) {
    return s.low <= s.high && (s.high > OrderKey<T>::kInfinity || s.low < OrderKey<T>::kMinusInfinity);
  }
  return false;
}

template <class T>
class Values {
 public:
  using State = simd::Extremes;
  using Scratch = NoScratch;
  static constexpr uint64_t kPieceChunks = kExactPieceChunks;
  using Order = OrderKey<T>;

  explicit Values(const Reduce& r)
      : r_(r), extremes_(simd::extremes_kernel(r.dtype, r.nan == WPRIM_NAN_IGNORE)) {}

  State leaf(const std::byte* in, size_t n, Scratch&) const { return extremes_(in, n); }

  void finish(uint64_t row, const State* states, uint64_t count) const {
    State all{INT64_MAX, INT64_MIN};
    for (uint64_t i = 0; i < count; ++i) {
      all.low = std::min(all.low, states[i].low);
      all.high = std::max(all.high, states[i].high);
    }
    store_values(row, all);
  }

 private:
  void store_values(uint64_t row, const State& all) const {
    const bool empty = all.low > all.high;
    T low = Order::element(empty ? Order::kEmptyLow : Order::narrow(all.low));
    T high = Order::element(empty ? Order::kEmptyHigh : Order::narrow(all.high));
    if constexpr (is_float_type<T>) {
      if (has_nan<T>(all)) low = high = from_number<T>(std::numeric_limits<double>::quiet_NaN());
    }
    switch (r_.op) {
      case WPRIM_MIN: return store(row, low);
      case WPRIM_MAX: return store(row, high);
      case WPRIM_MINMAX: store(2 * row, low); return store(2 * row + 1, high);
      default: return store(row, empty ? T{} : larger_magnitude(low, high));
    }
  }

  // |x| of the extreme further from zero; of a signed integer as an unsigned one of the same bits.
  static T larger_magnitude(T low, T high) {
    if constexpr (is_float_type<T>) {
      using Key = typename Order::Key;
      const Key mask = std::numeric_limits<Key>::max();
      const Key a = std::bit_cast<Key>(low) & mask, b = std::bit_cast<Key>(high) & mask;
      return std::bit_cast<T>(std::max(a, b));
    } else if constexpr (std::is_signed_v<T>) {
      const uint64_t a = low < 0 ? 0 - to_word(low) : to_word(low);
      const uint64_t b = high < 0 ? 0 - to_word(high) : to_word(high);
      return static_cast<T>(std::max(a, b));
    } else {
      return high;
    }
  }

  void store(uint64_t index, T value) const { std::memcpy(r_.out + index * sizeof(T), &value, sizeof(T)); }

  const Reduce& r_;
  const simd::ExtremesKernel extremes_;
};

// argmin and argmax. Of a piece, how good its best element is, and in which block it is first; nothing can be better than
// best_rank_, so that ends a piece. Only the block that wins the row is searched.
template <class T>
class Place {
 public:
  // Larger is better: the key, for argmin turned around. A NaN is kNanRank; its first block is the first that has one.
  struct State {
    int64_t rank;
    uint64_t block;  // where it begins; kNone: no element took part
  };
  using Scratch = NoScratch;
  static constexpr uint64_t kPieceChunks = kExactPieceChunks;
  using Order = OrderKey<T>;

  explicit Place(const Reduce& r)
      : r_(r),
        low_(r.op == WPRIM_ARGMIN),
        best_rank_(is_float_type<T> ? kNanRank
                   : low_           ? ~Order::widen(Order::kEmptyHigh)
                                    : Order::widen(Order::kEmptyLow)),
        extremes_(simd::extremes_kernel(r.dtype, r.nan == WPRIM_NAN_IGNORE)),
        find_key_(simd::find_key_kernel(r.dtype)),
        find_nan_(simd::find_nan_kernel(r.dtype)) {}

  State leaf(const std::byte* in, size_t n, Scratch&) const {
    if constexpr (std::is_same_v<T, boolean>) {  // of two values one is best: no need to know what there is
      const size_t first = find_key_(in, n, !low_);
      return first < n ? State{best_rank_, first} : State{best_rank_ - 1, 0};
    } else {
      State best{INT64_MIN, kNone};
      for (size_t first = 0; first < n && best.rank != best_rank_; first += kBlock) {
        const simd::Extremes e = extremes_(in + first * sizeof(T), std::min(kBlock, n - first));
        if (e.low > e.high) continue;
        const int64_t rank = has_nan<T>(e) ? kNanRank : low_ ? ~e.low : e.high;
        if (rank > best.rank || best.block == kNone) best = {rank, first};
      }
      return best;
    }
  }

  void finish(uint64_t row, const State* states, uint64_t count) const {
    State best{INT64_MIN, kNone};
    for (uint64_t i = 0; i < count; ++i) {
      if (states[i].block == kNone) continue;
      const uint64_t block = i * order::chunk_elements(sizeof(T)) * kPieceChunks + states[i].block;
      if (states[i].rank > best.rank || best.block == kNone) best = {states[i].rank, block};
    }
    store_word(r_, row, best.block == kNone ? kNone : best.block + within(row, best));
  }

 private:
  static constexpr uint64_t kNone = ~0ull;  // which is the -1 of an empty row
  static constexpr int64_t kNanRank = INT64_MAX;
  static constexpr size_t kBlock =
      order::chunk_elements(sizeof(T));  // large enough to hide what its end costs

  size_t within(uint64_t row, const State& s) const {
    const std::byte* in = r_.row(row) + s.block * sizeof(T);
    const size_t n = std::min<uint64_t>(kBlock, r_.cols - s.block);
    if (is_float_type<T> && s.rank == kNanRank) return find_nan_(in, n, 0);
    return find_key_(in, n, low_ ? ~s.rank : s.rank);
  }

  const Reduce& r_;
  const bool low_;
  const int64_t best_rank_;
  const simd::ExtremesKernel extremes_;
  const simd::FindKernel find_key_;
  const simd::FindKernel find_nan_;
};

}  // namespace

void reduce_extremes(const Reduce& r, Team& team, Workspace& workspace) {
  visit_dtype(r.dtype, [&](auto element) {
    using T = decltype(element);
    if (find_op(r.op)->rule == OpRule::index) {
      drive(r, Place<T>(r), team, workspace);
    } else {
      drive(r, Values<T>(r), team, workspace);
    }
  });
}

}  // namespace wprim::cpu
