#include "cpu/reduce.h"

#include <cinttypes>

#include "core/log.h"
#include "cpu/reduce/driver.h"

namespace wprim::cpu {

void run_reduce(const Reduce& r, Team& team, Workspace& workspace) {
  WPRIM_LOG(WPRIM_LOG_DEBUG, "reduce: %s %s -> %s, %" PRIu64 " x %" PRIu64 ", in %s, %s", name_of(r.op),
            name_of(r.dtype), name_of(r.out_dtype), r.rows, r.cols, name_of(r.accumulator),
            policy::is_shared(r) ? "threads" : "one thread");
  switch (find_op(r.op)->rule) {
    case OpRule::sum:
      return is_float(r.out_dtype) ? reduce_rounding(r, team, workspace) : reduce_words(r, team, workspace);
    case OpRule::statistic:
      if (r.op == WPRIM_LOGSUMEXP) return reduce_logsum(r, team, workspace);
      if (r.op == WPRIM_VAR || r.op == WPRIM_STD) return reduce_moments(r, team, workspace);
      return reduce_rounding(r, team, workspace);
    case OpRule::bitwise:
      return r.dtype == WPRIM_BOOL ? reduce_counts(r, team, workspace) : reduce_words(r, team, workspace);
    case OpRule::truth:
    case OpRule::count: return reduce_counts(r, team, workspace);
    case OpRule::selection:
    case OpRule::index:
    case OpRule::magnitude: return reduce_extremes(r, team, workspace);
  }
}

}  // namespace wprim::cpu
