// A fiber: a stack of its own, and where it was left. Boost.Context switches; a stack is taken from a pool and goes back
// there, also when the fiber is given up half-way, which is safe because kernels hold nothing that must be freed.
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace simt {

class Fiber {
 public:
  Fiber() = default;
  ~Fiber() { drop(); }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // `entry` runs at the first resume(), and ends by leave(), never by returning.
  void start(void (*entry)());
  void drop();

  void resume();        // from outside: runs the fiber until it leaves
  static void leave();  // from inside

 private:
  boost::context::detail::fcontext_t place_ = nullptr;
  void* stack_ = nullptr;
};

}  // namespace simt
