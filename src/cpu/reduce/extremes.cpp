// min, max, minmax, argmin, argmax and amax: all from the smallest and the largest key of each piece.
#include <algorithm>

#include "core/order_key.h"
#include "cpu/reduce/driver.h"
#include "cpu/reduce/numbers.h"

namespace wprim::cpu {
namespace {

template <class T>
class ExtremesOf {
 public:
  using State = simd::Extremes;
  using Scratch = NoScratch;
  static constexpr uint64_t kPieceChunks = kExactPieceChunks;
  using Order = OrderKey<T>;

  explicit ExtremesOf(const Reduce& r)
      : r_(r),
        extremes_(simd::extremes_kernel(r.dtype, r.nan == WPRIM_NAN_IGNORE)),
        find_key_(simd::find_key_kernel(r.dtype)),
        find_nan_(simd::find_nan_kernel(r.dtype)) {}

  State leaf(const std::byte* in, size_t n, Scratch&) const { return extremes_(in, n); }

  void finish(uint64_t row, const State* states, uint64_t count) const {
    State all{INT64_MAX, INT64_MIN};
    for (uint64_t i = 0; i < count; ++i) {
      all.low = std::min(all.low, states[i].low);
      all.high = std::max(all.high, states[i].high);
    }
    if (r_.op == WPRIM_ARGMIN || r_.op == WPRIM_ARGMAX) {
      store_word(r_, row, index(row, states, count, all));
    } else {
      store_values(row, all);
    }
  }

 private:
  static bool has_nan(const State& s) {
    if constexpr (is_float_type<T>) {
      return s.low <= s.high && (s.high > Order::kInfinity || s.low < Order::kMinusInfinity);
    }
    return false;
  }

  // The piece that has what is asked for first is known from its state; only that one is searched.
  uint64_t index(uint64_t row, const State* states, uint64_t count, const State& all) const {
    if (all.low > all.high) return ~0ull;  // nothing took part: -1
    const uint64_t chunk = order::chunk_elements(sizeof(T)) * kPieceChunks;
    const bool nan = has_nan(all), low = r_.op == WPRIM_ARGMIN;
    const int64_t key = low ? all.low : all.high;
    for (uint64_t i = 0; i < count; ++i) {
      if (nan ? !has_nan(states[i]) : (low ? states[i].low : states[i].high) != key) continue;
      const uint64_t first = i * chunk;
      return first + (nan ? find_nan_ : find_key_)(r_.row(row) + first * sizeof(T),
                                                   std::min(chunk, r_.cols - first), key);
    }
    return ~0ull;
  }

  void store_values(uint64_t row, const State& all) const {
    const bool empty = all.low > all.high;
    T low = Order::element(empty ? Order::kEmptyLow : Order::narrow(all.low));
    T high = Order::element(empty ? Order::kEmptyHigh : Order::narrow(all.high));
    if constexpr (is_float_type<T>) {
      if (has_nan(all)) low = high = from_number<T>(std::numeric_limits<double>::quiet_NaN());
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
  const simd::FindKernel find_key_;
  const simd::FindKernel find_nan_;
};

}  // namespace

void reduce_extremes(const Reduce& r, Team& team, Workspace& workspace) {
  visit_dtype(r.dtype, [&](auto element) { drive(r, ExtremesOf<decltype(element)>(r), team, workspace); });
}

}  // namespace wprim::cpu
