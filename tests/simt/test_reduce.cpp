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

// A seed takes some of them; as many that follow each other as there are at least take all.
TEST(Reduce, EveryKernelGivesTheBitsOfTheCpu) {
  for (const uint64_t first : seeds()) {
    Random random(first);
    uint64_t number = 0;
    for (const Path path : kPaths) {
      for_each_desc([&](const wprim_reduce_desc& desc) {
        if (HasFailure() || ++number % kLeastSeeds != first % kLeastSeeds) return;
        ReduceCase c;
        c.desc = desc;
        choose_shape(random, path, &c);
        check_reduce_case(c, random());
      });
    }
    if (HasFailure()) FAIL() << "to replay: WARPPRIM_SIMT_SEED=" << first;
  }
}

}  // namespace
