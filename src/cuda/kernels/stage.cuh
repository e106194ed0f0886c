// Input on its way through shared memory: copied there in the background while earlier input is worked on, read back as
// vectors at any address.
#pragma once

#include "cuda/kernels/source.cuh"

namespace wprim::cuda {

// The input as a whole: what no copy may reach beyond.
struct Extent {
  const std::byte* begin;
  const std::byte* end;
};

WPRIM_DEVICE const std::byte* align_down(const std::byte* p) {
  return p - reinterpret_cast<uintptr_t>(p) % 16;
}
WPRIM_DEVICE const std::byte* align_up(const std::byte* p) { return align_down(p + 15); }

// Copies the aligned sixteen bytes at `from` to `to`; if they lie across a border of the input or beyond it, the elements
// of [first, last), and zeros for the others.
template <unsigned kElementBytes>
WPRIM_DEVICE void copy_sixteen(std::byte* to, const std::byte* from, const std::byte* first,
                               const std::byte* last, const Extent& input) {
  if (from >= input.begin && from + 16 <= input.end) {
    *reinterpret_cast<machine::Vector*>(to) = machine::load_streaming(from);
    return;
  }
  using Bits = BitsOf<kElementBytes>;
#pragma unroll 1
  for (unsigned i = 0; i < 16; i += kElementBytes) {
    const bool there = from + i >= first && from + i < last;
    *reinterpret_cast<Bits*>(to + i) = there ? *reinterpret_cast<const Bits*>(from + i) : Bits(0);
  }
}

// A run keeps its place within the lines of 128 bytes: copies that shift it are slower.
inline constexpr unsigned kLine = 128;
WPRIM_DEVICE unsigned skew_of(const std::byte* run) {
  return static_cast<unsigned>(reinterpret_cast<uintptr_t>(run) % kLine);
}

// Starts copying the run of `bytes` at `run` to `stage`, where it will begin at stage + skew_of(run), and sixteen bytes
// more, which a vector that begins in the run may reach. All lanes of one warp come; nobody reads the stage any more.
template <unsigned kElementBytes>
WPRIM_DEVICE void start_run(std::byte* stage, machine::Arrival* arrival, const std::byte* run, uint32_t bytes,
                            const Extent& input) {
  const unsigned lane = machine::lane_index();
  const std::byte *last = run + bytes, *from = align_down(run), *to = align_up(last) + 16;
  std::byte* place = stage + skew_of(from);
  if (from >= input.begin && to <= input.end) {
    if (lane > 0) return;
    machine::announce(arrival, static_cast<uint32_t>(to - from));
    machine::start_copy(place, from, static_cast<uint32_t>(to - from), arrival);
    return;
  }
  const std::byte* a = from < input.begin ? from + 16 : from;
  const std::byte* b = to > input.end ? align_down(input.end) : to;  // at most 32 bytes before `to`
  if (lane == 0) {
    const uint32_t whole = a < b ? static_cast<uint32_t>(b - a) : 0;
    machine::announce(arrival, whole);
    if (whole > 0) machine::start_copy(place + (a - from), a, whole, arrival);
  } else {
    const std::byte* cut = lane == 1 ? from : to - 16 * (lane - 1);
    const bool mine = lane == 1 ? a > from : lane < 4 && cut >= b && cut >= a;
    if (mine) copy_sixteen<kElementBytes>(place + (cut - from), cut, run, last, input);
    if (mine) machine::show_copies();  // before a copy to this place that is started later
  }
}

// Copies `rows` rows of `bytes` each, `stride` apart, by hand: row r will begin at stage + r * pitch + its address % 16,
// and zeros or more of the input follow it up to the pitch. All lanes of one warp come.
template <unsigned kElementBytes>
WPRIM_DEVICE void copy_rows(std::byte* stage, const std::byte* first, uint32_t rows, uint32_t bytes,
                            uint64_t stride, uint32_t pitch, const Extent& input) {
  const uint32_t vectors = pitch / 16;
  for (uint32_t i = machine::lane_index(); i < rows * vectors; i += machine::kWarp) {
    const uint32_t r = i / vectors, j = i - r * vectors;
    const std::byte *row = first + r * stride, *from = align_down(row) + 16 * j;
    copy_sixteen<kElementBytes>(stage + 16 * i, from, row, row + bytes, input);
  }
}

// A row, or a piece of one, in shared memory.
template <unsigned kElementBytes>
class Staged {
 public:
  static constexpr unsigned kBytes = kElementBytes;
  static constexpr unsigned kComponents = 16 / kElementBytes;

  WPRIM_DEVICE explicit Staged(const std::byte* first) : first_(first) {}

  // Vector j, where the row begins at a multiple of 16.
  WPRIM_DEVICE machine::Vector aligned(uint32_t j) const {
    return *reinterpret_cast<const machine::Vector*>(first_ + 16 * j);
  }
  // Vector j, wherever the row begins, for warps whose lanes take neighbours: two aligned vectors, shifted.
  WPRIM_DEVICE machine::Vector straddling(uint32_t j) const {
    const unsigned shift = static_cast<unsigned>(reinterpret_cast<uintptr_t>(first_) % 16);
    const machine::Vector* pair = reinterpret_cast<const machine::Vector*>(first_ - shift) + j;
    return shifted(pair[0], pair[1], shift);
  }

  // Vector j, wherever the row begins; what lies beyond its end is anything.
  WPRIM_DEVICE machine::Vector any(uint32_t j) const {
    const std::byte* p = first_ + 16 * j;
    machine::Vector v;
    if constexpr (kElementBytes >= 4) {
#pragma unroll
      for (int i = 0; i < 4; ++i) v.word[i] = reinterpret_cast<const uint32_t*>(p)[i];
    } else {
      const unsigned shift = static_cast<unsigned>(reinterpret_cast<uintptr_t>(p) % 4);
      const uint32_t* words = reinterpret_cast<const uint32_t*>(p - shift);
      uint32_t w[5];
#pragma unroll
      for (int i = 0; i < 5; ++i) w[i] = words[i];
#pragma unroll
      for (int i = 0; i < 4; ++i) v.word[i] = machine::funnel_right(w[i], w[i + 1], 8 * shift);
    }
    return v;
  }

 private:
  const std::byte* first_;
};

}  // namespace wprim::cuda
