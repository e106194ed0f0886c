// The fuzzer's bytes, as numbers.
#pragma once

#include <cstddef>
#include <cstdint>

// Takes the fuzzer's bytes apart; zeros when they are used up.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  uint64_t take(size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && left_ > 0; ++i, --left_) value |= uint64_t{*data_++} << (8 * i);
    return value;
  }
  uint64_t below(uint64_t bound) { return take(2) % bound; }
  bool once_in(uint64_t n) { return below(n) == 0; }

 private:
  const uint8_t* data_;
  size_t left_;
};
