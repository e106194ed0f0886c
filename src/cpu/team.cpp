#include "cpu/team.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "cpu/fp_environment.h"

namespace wprim::cpu {

void Team::run(uint64_t n, uint64_t grain, bool parallel, FunctionRef<void(uint64_t, uint64_t)> body) {
  if (!parallel || threads_ == 1 || n <= grain) {
    const FpEnvironment environment;
    body(0, n);
    return;
  }
  arena_.execute([&] {
    tbb::parallel_for(tbb::blocked_range<uint64_t>(0, n, grain), [&](const tbb::blocked_range<uint64_t>& range) {
      const FpEnvironment environment;  // per range: a worker's own settings are those of whoever started it
      body(range.begin(), range.end());
    });
  });
}

}  // namespace wprim::cpu
