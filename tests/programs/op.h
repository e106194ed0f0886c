// One op of a random program, by the cells of memory that it uses; and the same in plain C++, which is the oracle.
#pragma once

#include <warpprim.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace programs {

// Memory is words of 64 bits in cells of equal length. The first cells are the device's, the last are of the host.
struct Shape {
  int device_cells, host_cells;
  uint64_t words;  // of a cell
  int cells() const { return device_cells + host_cells; }
};

struct Place {
  int cell = -1;
  uint64_t at = 0;
};

struct Op {
  enum Kind { fill, copy, reduce, call } kind;
  Place out, in, count;  // a cell of -1: none
  uint64_t n = 1;
  uint64_t value = 0;       // of a fill; what a call adds
  wprim_op op = WPRIM_SUM;  // of a reduce
  bool fails = false;       // a call that says so
};

// Which cells an op or a whole graph reads and writes.
struct Uses {
  std::vector<int> reads, writes;
  void add(const Op& op) {
    for (const Place& place : {op.in, op.count}) {
      if (place.cell >= 0) reads.push_back(place.cell);
    }
    writes.push_back(op.out.cell);
  }
};

inline void run_oracle(const Op& op, uint64_t words, std::vector<uint64_t>& memory) {
  const auto word = [&](const Place& place) { return memory.data() + place.cell * words + place.at; };
  uint64_t* out = word(op.out);
  switch (op.kind) {
    case Op::fill: std::fill_n(out, op.n, op.value); break;
    case Op::copy: std::copy_n(word(op.in), op.n, out); break;
    case Op::call: *out = *out * 3 + op.value; break;
    case Op::reduce: {
      const uint64_t n = op.count.cell < 0 ? op.n : std::min(op.n, *word(op.count));
      uint64_t result = op.op == WPRIM_MIN ? UINT64_MAX : 0;
      for (uint64_t i = 0; i < n; ++i) {
        const uint64_t x = word(op.in)[i];
        if (op.op == WPRIM_SUM) result += x;
        if (op.op == WPRIM_XOR) result ^= x;
        if (op.op == WPRIM_MIN) result = std::min(result, x);
        if (op.op == WPRIM_MAX) result = std::max(result, x);
        if (op.op == WPRIM_COUNT_NONZERO) result += x != 0;
      }
      *out = result;
    }
  }
}

}  // namespace programs
