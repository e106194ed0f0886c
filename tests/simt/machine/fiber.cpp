#include "machine/fiber.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace simt {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::transfer_t;

constexpr size_t kStackBytes = 64 << 10, kGuardBytes = 4 << 10;  // what a thread does not touch costs nothing

std::vector<void*> unused_stacks;
fcontext_t outside = nullptr;  // where the running fiber was resumed

void* take_stack() {
  if (!unused_stacks.empty()) {
    void* stack = unused_stacks.back();
    unused_stacks.pop_back();
    return stack;
  }
  void* stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED || mprotect(stack, kGuardBytes, PROT_NONE) != 0) {
    std::perror("simt: a stack for a fiber");
    std::abort();
  }
  return stack;
}

void begin(transfer_t from) {
  const auto entry = reinterpret_cast<void (*)()>(from.data);
  outside = from.fctx;
  Fiber::leave();  // until it is resumed
  entry();
  std::abort();  // entries leave, they do not return
}

}  // namespace

void Fiber::start(void (*entry)()) {
  drop();
  stack_ = take_stack();
  place_ = boost::context::detail::make_fcontext(static_cast<char*>(stack_) + kStackBytes,
                                                 kStackBytes - kGuardBytes, begin);
  place_ = boost::context::detail::jump_fcontext(place_, reinterpret_cast<void*>(entry)).fctx;
}

void Fiber::drop() {
  if (stack_) unused_stacks.push_back(stack_);
  stack_ = nullptr;
}

void Fiber::resume() { place_ = boost::context::detail::jump_fcontext(place_, nullptr).fctx; }

void Fiber::leave() { outside = boost::context::detail::jump_fcontext(outside, nullptr).fctx; }

}  // namespace simt
