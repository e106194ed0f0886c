// The caller's floating-point settings (MXCSR: rounding mode, flush to zero, denormals are zero, trapping
// exceptions) do not reach a result, and come back as they were, exception flags included.
#include "support.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

namespace wprim::test {
namespace {

struct Case {
  wprim_op op;
  wprim_dtype dtype, out_dtype;
  size_t out_size;
};
const Case kCases[] = {
    {WPRIM_SUM, WPRIM_F32, WPRIM_F32, 4},       {WPRIM_SUM, WPRIM_F64, WPRIM_F64, 8},
    {WPRIM_SUM, WPRIM_F16, WPRIM_F16, 2},       {WPRIM_SUM, WPRIM_F64, WPRIM_BF16, 2},
    {WPRIM_SUM, WPRIM_F64, WPRIM_F32, 4},       {WPRIM_SUM, WPRIM_I64, WPRIM_F32, 4},
    {WPRIM_PROD, WPRIM_F32, WPRIM_F32, 4},      {WPRIM_MEAN, WPRIM_U64, WPRIM_F64, 8},
    {WPRIM_VAR, WPRIM_F32, WPRIM_F32, 4},       {WPRIM_STD, WPRIM_F64, WPRIM_F64, 8},
    {WPRIM_L1, WPRIM_BF16, WPRIM_F32, 4},       {WPRIM_L2, WPRIM_F32, WPRIM_F32, 4},
    {WPRIM_LOGSUMEXP, WPRIM_F32, WPRIM_F32, 4}, {WPRIM_LOGSUMEXP, WPRIM_F64, WPRIM_F64, 8},
    {WPRIM_MAX, WPRIM_F32, WPRIM_F32, 4},       {WPRIM_ARGMIN, WPRIM_F64, WPRIM_I64, 8},
    {WPRIM_AMAX, WPRIM_F16, WPRIM_F16, 2},      {WPRIM_COUNT_NONZERO, WPRIM_F32, WPRIM_U64, 8},
};

// Bits of floats of which a third are subnormal; made from integers only.
std::vector<unsigned char> numbers(wprim_dtype dtype, size_t n) {
  std::vector<unsigned char> bytes = random_bytes(n * wprim_dtype_size(dtype), 7);
  for (size_t i = 0; i < n; ++i) {
    if (dtype == WPRIM_F32) {
      uint32_t x;
      std::memcpy(&x, &bytes[i * 4], 4);
      x = (x & 0x807fffff) | (i % 3 ? 0 : 120 + i % 16) << 23;
      std::memcpy(&bytes[i * 4], &x, 4);
    } else if (dtype == WPRIM_F64) {
      uint64_t x;
      std::memcpy(&x, &bytes[i * 8], 8);
      x = (x & 0x800fffffffffffff) | static_cast<uint64_t>(i % 3 ? 0 : 1020 + i % 16) << 52;
      std::memcpy(&bytes[i * 8], &x, 8);
    } else if (dtype == WPRIM_F16 || dtype == WPRIM_BF16) {
      bytes[i * 2 + 1] &= i % 3 ? 0x80 : 0xbf;  // subnormal, or no infinity
    }
  }
  return bytes;
}

class FpSettings : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Mxcsr, FpSettings,
                         testing::Values(0x9f80,    // flush to zero
                                         0x1fc0,    // denormals are zero
                                         0x9fc0,    // both
                                         0x3f80,    // round down
                                         0x5f80,    // round up
                                         0x7f80,    // round towards zero
                                         0xffc0,    // all of it
                                         0x1fbf,    // every exception flag set
                                         0x0000,    // every exception traps
                                         0xe040));  // all settings turned over

void reduce_all(wprim_stream* stream, size_t n, unsigned mxcsr,
                std::vector<std::vector<unsigned char>>* results) {
  for (const Case& c : kCases) {
    const std::vector<unsigned char> in = numbers(c.dtype, n);
    std::vector<unsigned char> out(c.out_size);
    wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
    desc.op = c.op;
    desc.dtype = c.dtype;
    desc.out_dtype = c.out_dtype;
    desc.in = in.data();
    desc.out = out.data();
    desc.cols = n;
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(mxcsr);
    const wprim_status enqueued = wprim_reduce_ex(stream, &desc);
    const unsigned after_enqueue = _mm_getcsr();
    const wprim_status done = wprim_stream_synchronize(stream);
    const unsigned after_wait = _mm_getcsr();
    _mm_setcsr(saved);
    EXPECT_EQ(enqueued, WPRIM_OK) << wprim_last_error();
    EXPECT_EQ(done, WPRIM_OK) << wprim_last_error();
    EXPECT_EQ(after_enqueue, mxcsr);
    EXPECT_EQ(after_wait, mxcsr);
    results->push_back(out);
  }
}

TEST_P(FpSettings, DoNotReachAResultAndComeBack) {
  const Environment threads("WARPPRIM_NUM_THREADS", "4");
  const Context context;
  for (size_t n : {1u, 3u, 1000u, 300'000u, 600'000u}) {  // at once, on the stream's thread, on several
    std::vector<std::vector<unsigned char>> usual, other;
    {
      const Stream stream(context);
      reduce_all(stream, n, 0x1f80, &usual);
    }
    // A new stream: its thread starts with the settings of the caller.
    const Stream stream(context);
    reduce_all(stream, n, GetParam(), &other);
    for (size_t i = 0; i < usual.size(); ++i) {
      EXPECT_EQ(usual[i], other[i]) << "op " << kCases[i].op << ", dtype " << kCases[i].dtype << ", n " << n;
    }
  }
}

TEST_P(FpSettings, OtherCallsLeaveThemToo) {
  const Context context;
  const Stream stream(context);
  const Event a(context), b(context);
  std::vector<float> x(1'000'000), y(1'000'000);
  const float value = 1e-40f;
  float milliseconds = 0;
  Gate gate;
  gate.block(stream);
  gate.open();
  wprim_status status[8];
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(GetParam());
  status[0] = wprim_fill(stream, WPRIM_F32, x.data(), x.size(), &value);
  status[1] = wprim_event_record(a, stream);
  status[2] = wprim_copy(stream, y.data(), x.data(), x.size() * 4);
  status[3] = wprim_event_record(b, stream);
  status[4] = wprim_event_synchronize(b);
  status[5] = wprim_event_elapsed(a, b, &milliseconds);
  status[6] = wprim_stream_wait(stream, a);
  status[7] = wprim_stream_synchronize(stream);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(saved);
  for (wprim_status s : status) EXPECT_EQ(s, WPRIM_OK);
  EXPECT_EQ(after, GetParam());
  EXPECT_EQ(y.front(), value);
  EXPECT_EQ(y.back(), value);
}

}  // namespace
}  // namespace wprim::test
#endif  // __x86_64__
