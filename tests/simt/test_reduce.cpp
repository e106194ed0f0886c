// Every kernel of reduce, on shapes of every kind, under every schedule.
#include <gtest/gtest.h>

#include "core/dtype.h"
#include "core/op.h"
#include "reduce_case.h"

namespace {

using namespace simt;

// Each op with each type that has code of its own: the default output and f64, whose accumulator differs.
template <class F>
void for_each_desc(const F& f) {
  for (const wprim::OpInfo& op : wprim::kOps) {
    for (const wprim::DtypeInfo& dtype : wprim::kDtypes) {
      for (const wprim_dtype out : {WPRIM_DTYPE_DEFAULT, WPRIM_F64}) {
        for (const wprim_nan nan : {WPRIM_NAN_PROPAGATE, WPRIM_NAN_IGNORE}) {
          if (nan == WPRIM_NAN_IGNORE && dtype.kind != wprim::Kind::floating) continue;
          wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
          d.op = op.op;
          d.dtype = dtype.dtype;
          d.out_dtype = out;
          d.nan = nan;
          f(d);
        }
      }
    }
  }
}

TEST(Reduce, EveryKernelGivesTheBitsOfTheCpu) {
  for (const uint64_t first : seeds()) {
    uint64_t seed = first;
    for (const Path path : kPaths) {
      for_each_desc([&](const wprim_reduce_desc& desc) {
        if (HasFailure()) return;
        ReduceCase c;
        c.desc = desc;
        Random random(seed);
        choose_shape(random, path, &c);
        check_reduce_case(c, seed);
        seed += 1000003;  // so that seeds that follow each other share no case
      });
    }
    if (HasFailure()) FAIL() << "to replay: WARPPRIM_SIMT_SEED=" << first;
  }
}

}  // namespace
