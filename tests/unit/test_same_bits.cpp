// The bits of a result do not depend on the number of threads, on whether the call or the stream's thread
// does the work, on the address, or on whether a row stands alone or in a matrix.
#include <tbb/global_control.h>

#include "support.h"

namespace wprim::test {
namespace {

const wprim_dtype kDtypes[] = {WPRIM_F32, WPRIM_F64, WPRIM_F16, WPRIM_BF16, WPRIM_I8,  WPRIM_I16, WPRIM_I32,
                               WPRIM_I64, WPRIM_U8,  WPRIM_U16, WPRIM_U32,  WPRIM_U64, WPRIM_BOOL};

// Random numbers; floats of moderate size, so that no sum is infinite or NaN throughout.
std::vector<unsigned char> numbers(wprim_dtype dtype, uint64_t n) {
  std::vector<unsigned char> bytes = random_bytes(n * wprim_dtype_size(dtype), n);
  for (uint64_t i = 0; i < n; ++i) {
    // Clears the second highest bit of the exponent but keeps the next ones: magnitudes from 2^-63 to 2^1 or
    // so.
    if (dtype == WPRIM_F32 || dtype == WPRIM_BF16) {
      unsigned char& top = bytes[(i + 1) * wprim_dtype_size(dtype) - 1];
      top = static_cast<unsigned char>((top & 0xbf) | 0x30);
    }
    if (dtype == WPRIM_F64) bytes[i * 8 + 7] = static_cast<unsigned char>((bytes[i * 8 + 7] & 0x83) | 0x3c);
    if (dtype == WPRIM_F16) bytes[i * 2 + 1] &= 0xbf;
  }
  return bytes;
}

struct Shape {
  uint64_t rows, cols, stride;
};

// All valid combinations of op and type over one shape: results as bytes, one after the other.
class AllReduces {
 public:
  // Rows of shape.cols elements, or of about this many bytes.
  explicit AllReduces(Shape shape, uint64_t bytes_of_a_row = 0) {
    for (wprim_dtype dtype : kDtypes) {
      if (bytes_of_a_row) shape.cols = shape.stride = bytes_of_a_row / wprim_dtype_size(dtype) + 3;
      shapes_.push_back(shape);
      inputs_.push_back(numbers(dtype, shape.rows * shape.stride));
    }
  }

  std::vector<std::vector<unsigned char>> run(wprim_stream* stream, bool queued) const {
    std::vector<std::vector<unsigned char>> results;
    for_each([&](wprim_reduce_desc desc, const Shape& shape) {
      std::vector<unsigned char> out(shape.rows * 16, 0xee);
      desc.out = out.data();
      Gate gate;
      if (queued) gate.block(stream);
      EXPECT_OK(wprim_reduce_ex(stream, &desc));
      gate.open();
      EXPECT_OK(wprim_stream_synchronize(stream));
      results.push_back(std::move(out));
    });
    return results;
  }

  // The same row by row.
  std::vector<std::vector<unsigned char>> run_rows(wprim_stream* stream) const {
    std::vector<std::vector<unsigned char>> results;
    for_each([&](const wprim_reduce_desc& desc, const Shape& shape) {
      std::vector<unsigned char> out(shape.rows * 16, 0xee);
      const uint64_t row_bytes = shape.stride * wprim_dtype_size(desc.dtype);
      uint64_t at = 0;
      for (uint64_t r = 0; r < shape.rows; ++r) {
        alignas(8) unsigned char value[16];
        std::memset(value, 0xee, sizeof value);
        wprim_reduce_desc row = desc;
        row.rows = 1;
        row.in = static_cast<const unsigned char*>(desc.in) + r * row_bytes;
        row.out = value;
        EXPECT_OK(wprim_reduce_ex(stream, &row));
        EXPECT_OK(wprim_stream_synchronize(stream));
        const uint64_t size = out_size(desc);
        std::memcpy(&out[at], value, size);
        at += size;
      }
      results.push_back(std::move(out));
    });
    return results;
  }

  std::string describe(size_t index) const {
    std::string text;
    for_each([&](const wprim_reduce_desc& desc, const Shape& shape) {
      if (index-- == 0) {
        text = "op " + std::to_string(desc.op) + ", dtype " + std::to_string(desc.dtype) + ", " +
               std::to_string(shape.rows) + " x " + std::to_string(shape.cols);
      }
    });
    return text;
  }

 private:
  static bool is_float(wprim_dtype dtype) { return dtype >= WPRIM_F32 && dtype <= WPRIM_BF16; }

  static uint64_t out_size(const wprim_reduce_desc& desc) {
    switch (desc.op) {
      case WPRIM_SUM:
      case WPRIM_PROD:
      case WPRIM_L1:
      case WPRIM_L2:
      case WPRIM_MEAN:
      case WPRIM_VAR:
      case WPRIM_STD:
      case WPRIM_LOGSUMEXP: return is_float(desc.dtype) ? wprim_dtype_size(desc.dtype) : 8;
      case WPRIM_ARGMIN:
      case WPRIM_ARGMAX:
      case WPRIM_COUNT_NONZERO: return 8;
      case WPRIM_ANY:
      case WPRIM_ALL: return 1;
      case WPRIM_MINMAX: return 2 * wprim_dtype_size(desc.dtype);
      default: return wprim_dtype_size(desc.dtype);
    }
  }

  template <class F>
  void for_each(F f) const {
    for (size_t i = 0; i < std::size(kDtypes); ++i) {
      for (int op = WPRIM_SUM; op <= WPRIM_LOGSUMEXP; ++op) {
        if (is_float(kDtypes[i]) && (op == WPRIM_AND || op == WPRIM_OR || op == WPRIM_XOR)) continue;
        wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
        desc.op = static_cast<wprim_op>(op);
        desc.dtype = kDtypes[i];
        desc.in = inputs_[i].data();
        desc.rows = shapes_[i].rows;
        desc.cols = shapes_[i].cols;
        desc.row_stride = shapes_[i].stride;
        desc.ddof = op == WPRIM_VAR ? 1 : 0;
        f(desc, shapes_[i]);
      }
    }
  }

  std::vector<Shape> shapes_;  // by dtype
  std::vector<std::vector<unsigned char>> inputs_;
};

void expect_same(const AllReduces& reduces, const std::vector<std::vector<unsigned char>>& a,
                 const std::vector<std::vector<unsigned char>>& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << reduces.describe(i) << ", " << where;
}

// One context with each number of threads, in a process that lets TBB start them on however few processors.
void expect_same_bits_with_any_threads(const AllReduces& reduces) {
  const tbb::global_control many(tbb::global_control::max_allowed_parallelism, 8);
  std::vector<std::vector<unsigned char>> expected;
  for (int threads : {1, 2, 3, 8}) {
    const Environment variable("WARPPRIM_NUM_THREADS", std::to_string(threads));
    const Context context;
    const Stream stream(context);
    for (bool queued : {false, true}) {
      const auto results = reduces.run(stream, queued);
      if (expected.empty()) expected = results;
      expect_same(reduces, expected, results,
                  std::to_string(threads) + (queued ? " threads, queued" : " threads, at once"));
    }
  }
}

TEST(SameBits, SmallAtOnceOrQueued) { expect_same_bits_with_any_threads(AllReduces({1, 0, 0}, 100)); }

TEST(SameBits, SeveralChunks) { expect_same_bits_with_any_threads(AllReduces({1, 0, 0}, 70'000)); }

TEST(SameBits, LargeOnAnyNumberOfThreads) {
  expect_same_bits_with_any_threads(AllReduces({1, 0, 0}, (1 << 20) + (100 << 10)));
}

TEST(SameBits, RowsOnAnyNumberOfThreads) {
  expect_same_bits_with_any_threads(AllReduces({37, 0, 0}, 40'000));  // rows of some chunks
  expect_same_bits_with_any_threads(AllReduces({3000, 0, 0}, 400));   // rows of less than one
}

TEST(SameBits, ARowAloneOrInAMatrix) {
  const Context context;
  const Stream stream(context);
  for (const Shape shape :
       {Shape{5, 1, 1}, Shape{7, 33, 40}, Shape{3, 9000, 9001}, Shape{2, 70'000, 70'000}}) {
    const AllReduces reduces(shape);
    expect_same(reduces, reduces.run(stream, false), reduces.run_rows(stream), "rows alone");
  }
}

}  // namespace
}  // namespace wprim::test
