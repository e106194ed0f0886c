#include "cpu/team.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <climits>

#include "cpu/fp_environment.h"

#if !defined(__SANITIZE_THREAD__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__  // clang's way to say it
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#else
#define __tsan_release(address)
#define __tsan_acquire(address)
#endif

namespace wprim::cpu {
namespace {

constexpr auto kLimit = tbb::global_control::max_allowed_parallelism;

int limit() { return static_cast<int>(std::min<size_t>(tbb::global_control::active_value(kLimit), INT_MAX)); }

// A process has as many TBB threads as processors, or as the host program allows. Who asked us for more gets more, unless
// the host program forbids it.
std::unique_ptr<tbb::global_control> raise_limit(int threads) {
  return threads > limit() ? std::make_unique<tbb::global_control>(kLimit, threads) : nullptr;
}

}  // namespace

// An arena beyond the limit would be in vain, and TBB would say so on stderr.
Team::Team(int threads)
    : threads_(threads), raised_limit_(raise_limit(threads)), arena_(std::min(threads, limit())) {}

void Team::run(uint64_t n, uint64_t grain, bool parallel, FunctionRef<void(uint64_t, uint64_t)> body) {
  if (!parallel || threads_ == 1 || n <= grain) {
    const FpEnvironment environment;
    body(0, n);
    return;
  }
  // The thread sanitizer does not see into TBB, so it is told: a range begins after the call, the call ends after the ranges.
  [[maybe_unused]] char begun, ended;
  __tsan_release(&begun);
  arena_.execute([&] {
    __tsan_acquire(&begun);
    tbb::parallel_for(
        tbb::blocked_range<uint64_t>(0, n, grain), [&](const tbb::blocked_range<uint64_t>& range) {
          __tsan_acquire(&begun);
          {
            const FpEnvironment
                environment;  // per range: a worker's own settings are those of whoever started it
            body(range.begin(), range.end());
          }
          __tsan_release(&ended);
        });
  });
  __tsan_acquire(&ended);
}

}  // namespace wprim::cpu
