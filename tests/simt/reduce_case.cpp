#include "reduce_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/order.h"
#include "core/reduce.h"
#include "cuda/policy/reduce.h"
#include "cuda/reduce.h"
#include "cuda/kernels/reduce_params.h"
#include "workspace.h"

namespace simt {
namespace {

namespace order = wprim::order;

uint64_t pick(Random& random, uint64_t low, uint64_t high) { return low + random() % (high - low + 1); }

// Often the least or the most, else anything between.
uint64_t pick_often_ends(Random& random, uint64_t low, uint64_t high) {
  const uint64_t way = random() % 4;
  return way == 0 ? low : way == 1 ? high : pick(random, low, high);
}

// So that some row begins or ends within a vector.
void choose_shift(Random& random, uint64_t v, ReduceCase* c) {
  c->shift = random() % 17;
  const bool whole = c->desc.cols % v == 0 && (c->desc.rows == 1 || c->desc.row_stride % v == 0);
  if (whole && c->shift % v == 0) ++c->shift;
}

void choose_rows(Random& random, bool easy, size_t size, ReduceCase* c) {
  const uint64_t v = order::components(size), most = wprim::cuda::policy::kTileBytes / size;
  wprim_reduce_desc& d = c->desc;
  d.cols = uint64_t{1} << pick(random, 0, 12 - __builtin_ctzll(size));
  if (random() % 2) d.cols = pick(random, 1, d.cols);
  if (easy) d.cols = (d.cols + v - 1) / v * v;
  if (d.cols > most) d.cols = most;
  d.row_stride = d.cols;
  if (random() % 3 == 0) {
    d.row_stride += random() % 2 ? pick(random, 0, 2 * v) : d.cols + 64 / size;
    if (easy) d.row_stride = (d.row_stride + v - 1) / v * v;
  }
  // Now and then so many that a warp takes several tiles of them.
  const uint64_t tiles = random() % 4 == 0 ? 56 : random() % 2 ? 6 : 1;
  const uint64_t bytes = d.row_stride * size;
  d.rows = pick(random, c->multiprocessors + 1, c->multiprocessors + 1 + tiles * 4096 / bytes);
  if (!easy) choose_shift(random, v, c);
}

void choose_pieces(Random& random, bool easy, size_t size, ReduceCase* c) {
  const uint64_t v = order::components(size), chunk = order::chunk_elements(size);
  wprim_reduce_desc& d = c->desc;
  const uint64_t pieces = pick_often_ends(random, 1, 4);
  d.rows = pieces == 1 ? pick(random, 1, c->multiprocessors) : random() % 2 ? 1 : pick(random, 1, 4 / pieces);
  d.cols = (pieces - 1) * chunk + pick_often_ends(random, 1, chunk);
  if (d.cols < 9 * v) d.cols += 9 * v;
  if (easy) d.cols = d.cols / v * v;
  d.row_stride = d.cols;
  if (random() % 2) d.row_stride += easy ? v * (random() % 3) : random() % 9;
  if (!easy) choose_shift(random, v, c);
  c->counted = !easy && d.rows == 1 && random() % 2;
}

void choose_stream(Random& random, size_t size, ReduceCase* c) {
  const uint64_t chunk = order::chunk_elements(size), least = wprim::cuda::policy::kTileBytes / size + 1;
  wprim_reduce_desc& d = c->desc;
  const uint64_t pieces = pick_often_ends(random, 1, 3);
  d.cols = (pieces - 1) * chunk + pick_often_ends(random, pieces == 1 ? least : 1, chunk);
  d.rows = pick(random, 4, 12) / pieces + 1 + 4 * (c->multiprocessors - 1);
  d.row_stride = d.cols + (random() % 2 ? random() % 9 : 0);
  c->shift = random() % 3 == 0 ? random() % 17 : 0;
}

// Mostly numbers of one size, whose sums round; now and then any bits.
void fill_with_elements(Random& random, wprim_dtype dtype, const Array& in) {
  const bool wild = random() % 4 == 0;
  for (size_t i = 0; i < in.bytes(); i += 8) {
    uint64_t word = random();
    if (!wild && dtype == WPRIM_F32) word = (word & 0x807fffff807fffff) | 0x3f0000003f000000;
    if (!wild && dtype == WPRIM_F64) word = (word & 0x800fffffffffffff) | 0x3fe0000000000000;
    if (!wild && dtype == WPRIM_F16) word = (word & 0x83ff83ff83ff83ff) | 0x3800380038003800;
    if (!wild && dtype == WPRIM_BF16) word = (word & 0x807f807f807f807f) | 0x3f003f003f003f00;
    std::memcpy(in.get() + i, &word, std::min<size_t>(8, in.bytes() - i));
  }
}

wprim_stream* cpu_stream() {
  static wprim_stream* const stream = [] {
    wprim_context* context = nullptr;
    wprim_stream* made = nullptr;
    EXPECT_EQ(wprim_context_create(WPRIM_CPU, 0, &context), WPRIM_OK);
    EXPECT_EQ(wprim_stream_create(context, nullptr, &made), WPRIM_OK);
    return made;
  }();
  return stream;
}

std::string describe(const ReduceCase& c) {
  const wprim_reduce_desc& d = c.desc;
  const auto text = [](uint64_t n) { return std::to_string(n); };
  return std::string(wprim::name_of(d.op)) + " " + wprim::name_of(d.dtype) +
         (d.out_dtype ? std::string(" -> ") + wprim::name_of(d.out_dtype) : "") + " " + text(d.rows) + "x" +
         text(d.cols) + ", stride " + text(d.row_stride) + ", shift " + text(c.shift) + ", nan " +
         text(d.nan) + (c.counted ? ", counted, " : ", ") + text(c.multiprocessors) + " multiprocessors";
}

}  // namespace

void choose_shape(Random& random, Path path, ReduceCase* c) {
  const size_t size = wprim_dtype_size(c->desc.dtype);
  c->multiprocessors = static_cast<unsigned>(pick(random, 1, 2));
  switch (path) {
    case Path::easy_rows: return choose_rows(random, true, size, c);
    case Path::any_rows: return choose_rows(random, false, size, c);
    case Path::easy_pieces: return choose_pieces(random, true, size, c);
    case Path::any_pieces: return choose_pieces(random, false, size, c);
    case Path::stream: return choose_stream(random, size, c);
  }
}

void check_reduce_case(const ReduceCase& c, uint64_t seed) {
  Random random(seed);
  wprim_reduce_desc d = c.desc;
  const size_t size = wprim_dtype_size(d.dtype);
  const uint64_t stride = d.row_stride ? d.row_stride : d.cols;
  // To the element: what a kernel reads beyond it is found.
  const Array in("the input", ((d.rows - 1) * stride + d.cols) * size, Content::input, c.shift * size);
  alignas(16) std::byte nothing[16];
  const Array count("the count", 8, Content::input);
  d.in = in.get();
  if (c.counted) d.n_on_device = reinterpret_cast<const uint64_t*>(count.get());
  d.out = nothing;
  wprim::Reduce reduce;
  if (!wprim::check_reduce(&d, "cols", &reduce).ok()) return;
  const size_t out_bytes = d.rows * wprim::size_of(reduce.out_dtype) * (d.op == WPRIM_MINMAX ? 2 : 1);
  std::vector<uint64_t> expected(out_bytes / 8 + 1);
  d.out = expected.data();

  const uint32_t before = random() % 4 ? 0 : ~0u - static_cast<uint32_t>(random() % 2);
  Workspace workspace(before);
  // The second launch has other elements, so that what the first one left behind would show.
  const unsigned launches = random() % 3 == 0 ? 2 : 1;
  for (unsigned launch = 0; launch < launches; ++launch) {
    fill_with_elements(random, d.dtype, in);
    const uint64_t present = random() % 4 ? random() % (d.cols + 2) : 0;
    std::memcpy(count.get(), &present, sizeof present);
    EXPECT_EQ(wprim_reduce_ex(cpu_stream(), &d), WPRIM_OK) << wprim_last_error();
    EXPECT_EQ(wprim_stream_synchronize(cpu_stream()), WPRIM_OK) << wprim_last_error();
    const Array out("the output", out_bytes, Content::poison);
    reduce.out = out.get();
    const Schedule schedule = Schedule::of_seed(seed + launch);
    // As many blocks as the policy takes to be resident, or enough of them for all that wait.
    const Setting setting{schedule, std::min(c.multiprocessors * 5, 24u), random() % 4 != 0};
    wprim::cuda::Launch prepared;
    wprim::cuda::prepare_reduce(reduce, c.multiprocessors, &prepared);
    if (prepared.cells > 0) prepared.set_workspace(workspace.get(prepared.cells));
    const Launched launched = run<wprim::cuda::ReduceParams>(prepared, setting);
    const std::string about = describe(c) + "\nlaunch " + std::to_string(launch) + ", " +
                              schedule.describe() +
                              (setting.background_copies ? "" : ", no background copies");
    if (launched.finding) {
      ADD_FAILURE() << launched.finding->text << "\n" << about;
    } else if (std::memcmp(out.get(), expected.data(), out_bytes) != 0) {
      ADD_FAILURE() << "not the CPU's bits, in " << function_name(launched.kernel) << "\n" << about;
    } else if (workspace.left_over() != 0) {
      ADD_FAILURE() << "the workspace is not clean after " << function_name(launched.kernel) << "\n" << about;
    }
  }
}

}  // namespace simt
