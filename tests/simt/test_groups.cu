// Rows of so many pieces that blocks fold groups of partials: shapes that are too large for every kernel and every seed.
#include <gtest/gtest.h>

#include "core/dtype.h"
#include "core/op.h"
#include "core/order.h"
#include "cuda/kernels/partials.cuh"
#include "cuda/kernels/rounding.cuh"
#include "reduce_case.h"

namespace {

using namespace simt;
using wprim::cuda::ReduceParams;

ReduceCase case_of(wprim_op op, wprim_dtype dtype, uint64_t rows, uint64_t pieces, uint64_t elements_less,
                   unsigned multiprocessors) {
  ReduceCase c;
  c.desc.op = op;
  c.desc.dtype = dtype;
  c.desc.rows = rows;
  c.desc.cols = pieces * wprim::order::chunk_elements(wprim_dtype_size(dtype)) - elements_less;
  c.multiprocessors = multiprocessors;
  return c;
}

// One group a row: in the pieces kernel, with several rows also a counter; in the stream kernel, also more groups than
// blocks.
TEST(Groups, OneForEachRow) {
  for (const uint64_t first : seeds()) {
    if (first % 4 != 0) continue;  // they take their time
    Random random(first);
    const auto op = static_cast<wprim_op>(WPRIM_SUM + random() % std::size(wprim::kOps));
    const auto dtype = static_cast<wprim_dtype>(WPRIM_F32 + random() % std::size(wprim::kDtypes));
    const uint64_t pieces = 129 + random() % 8, less = random() % 1000;  // more than a warp finishes
    ReduceCase shapes[] = {case_of(op, dtype, 1, pieces, less, 1), case_of(op, dtype, 2, pieces, less, 70),
                           case_of(op, dtype, 2, pieces, less, 1), case_of(op, dtype, 5, pieces, less, 1)};
    ReduceCase& c = shapes[random() % 4];
    if (random() % 2) c.desc.nan = WPRIM_NAN_IGNORE;
    c.shift = random() % 2;
    check_reduce_case(c, random());
    if (HasFailure()) FAIL() << "to replay: WARPPRIM_SIMT_SEED=" << first;
  }
}

// More than one round of partials in a group, and several groups in a row.
TEST(Groups, Many) {
  const uint64_t seed = seeds().front();
  check_reduce_case(case_of(WPRIM_SUM, WPRIM_F64, 1, 700, 5, 1), seed);
  check_reduce_case(case_of(WPRIM_VAR, WPRIM_F64, 1, 2050, 1, 1), seed + 1);  // the pieces kernel
  check_reduce_case(case_of(WPRIM_VAR, WPRIM_F32, 1, 4098, 9, 1), seed + 2);  // the stream kernel
  check_reduce_case(case_of(WPRIM_ARGMAX, WPRIM_I64, 2, 2049, 3, 1), seed + 3);
}

// Partials of partials, whose shapes no memory holds: by themselves.
using Sum = wprim::cuda::Rounding<wprim::cuda::SumStep, wprim::cuda::Typed<double, double>>;

struct FoldLevels {
  static void run(const ReduceParams& params, uint64_t n, uint32_t epoch) {
    WPRIM_SHARED(shared, double[wprim::order::kSlots]);
    const double sum = wprim::cuda::fold_levels<Sum>(params, 0, n, n, epoch, shared);
    if (wprim::machine::thread_index() == 0) *reinterpret_cast<double*>(params.out) = sum;
  }
};

TEST(Groups, Levels) {
  constexpr uint64_t kPartials = 3 * 2048 + 77;  // three chunks and a part of one, which become another
  const Array cells("the cells", (kPartials + 4) * 2 * 8, Content::zero),
      out("the output", 8, Content::poison);
  Random random(seeds().front());
  std::vector<double> partials(kPartials);
  for (uint64_t i = 0; i < kPartials; ++i) {
    partials[i] = static_cast<double>(static_cast<int64_t>(random())) / 3;
    const uint64_t bits = std::bit_cast<uint64_t>(partials[i]);
    uint64_t* cell = reinterpret_cast<uint64_t*>(cells.get()) + 2 * i;
    cell[0] = uint64_t{9} << 32 | (bits & 0xffffffff);
    cell[1] = uint64_t{9} << 32 | bits >> 32;
  }
  ReduceParams params{};
  params.out = out.get();
  params.workspace.cells = reinterpret_cast<uint64_t*>(cells.get());
  for (uint64_t i = 0; i < Schedule::kKinds; ++i) {
    const Schedule schedule = Schedule::of_seed(seeds().front() + i);
    const auto finding = run({reinterpret_cast<const void*>(FoldLevels::run), 1, 256,
                              [&] { FoldLevels::run(params, kPartials, 9); }},
                             {schedule});
    ASSERT_FALSE(finding) << finding->text << "\n" << schedule.describe();
    std::vector<double> copy = partials;
    const double expected = wprim::order::fold(copy.data(), copy.size(), sizeof(double),
                                               [](double a, double b) { return a + b; });
    EXPECT_EQ(*reinterpret_cast<double*>(out.get()), expected) << schedule.describe();
  }
}

}  // namespace
