// A first-in first-out queue in one block of memory: grows when full, never shrinks, so that a stream in steady use
// allocates nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace wprim::cpu {

template <class T>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  const T& front() const { return slots_[first_]; }

  // Throws bad_alloc, with nothing changed.
  void push(T value) {
    if (count_ == capacity_) grow();
    slots_[(first_ + count_) & (capacity_ - 1)] = std::move(value);
    ++count_;
  }

  T pop() {
    T value = std::exchange(slots_[first_], T());
    first_ = (first_ + 1) & (capacity_ - 1);
    --count_;
    return value;
  }

 private:
  void grow() {
    const size_t capacity = capacity_ ? 2 * capacity_ : 16;
    std::unique_ptr<T[]> slots(new T[capacity]);
    for (size_t i = 0; i < count_; ++i) slots[i] = std::move(slots_[(first_ + i) & (capacity_ - 1)]);
    slots_ = std::move(slots);
    capacity_ = capacity;
    first_ = 0;
  }

  std::unique_ptr<T[]> slots_;
  size_t capacity_ = 0;  // a power of two
  size_t first_ = 0;
  size_t count_ = 0;
};

}  // namespace wprim::cpu
