// The vector kernels give the same bits on every instruction set, from any element-aligned start, for any
// length, and read nothing outside of their input.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/convert.h"
#include "core/order.h"
#include "core/order_key.h"
#include "cpu/simd/kernels.h"
#include "cpu/simd/targets.h"  // before Highway
#include "hwy/targets.h"
#include "support.h"

namespace wprim::cpu::simd {
namespace {

// Memory that ends, or starts, where a page begins that must not be touched.
class Guarded {
 public:
  explicit Guarded(size_t size) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    inner_ = (size + page - 1) / page * page;
    whole_ = inner_ + 2 * page;
    base_ = static_cast<std::byte*>(mmap(nullptr, whole_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(static_cast<void*>(base_), MAP_FAILED);
    begin_ = base_ + page;
    EXPECT_EQ(mprotect(begin_, inner_, PROT_READ | PROT_WRITE), 0);
  }
  ~Guarded() { munmap(base_, whole_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::byte* first() { return begin_; }                            // the byte before must not be read
  std::byte* last(size_t size) { return begin_ + inner_ - size; }  // the byte after these must not be read

 private:
  size_t inner_, whole_;
  std::byte *base_, *begin_;
};

constexpr size_t kMostElements = order::kChunkBytes;  // a chunk of 1-byte elements
constexpr size_t kMostBytes = kMostElements * 8;      // the same as accumulators, with room to shift

// One kernel on n elements at `in`; its result as bits. `scratch` has room for a chunk of numbers.
struct Kernel {
  std::string name;
  wprim_dtype dtype;  // of what it reads
  size_t most;        // elements
  std::function<std::vector<uint64_t>(const std::byte* in, size_t n, std::byte* scratch)> run;
};

template <class A>
uint64_t bits_of(A x) {
  if (x != x) return 0x7ff8000000000000;  // any NaN: it is made canonical on the way out
  uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

template <class A>
void add_rounding_kernels(wprim_dtype accumulator, std::vector<Kernel>* kernels) {
  const std::string type = name_of(accumulator);
  for (size_t v : sizeof(A) == 4 ? std::vector<size_t>{4, 8} : std::vector<size_t>{2, 4, 8, 16}) {
    const std::string suffix = ' ' + type + " by " + std::to_string(v);
    const size_t most = order::kRounds * order::kSlots * v;
    for (auto [fold, name] :
         {std::pair{Fold::sum, "sum"}, std::pair{Fold::absolute_sum, "absolute sum"},
          std::pair{Fold::square_sum, "square sum"}, std::pair{Fold::product, "product"}}) {
      kernels->push_back(
          {name + suffix, accumulator, most, [fold = fold, v](const std::byte* in, size_t n, std::byte*) {
             const A result = fold_kernel<A>(fold)(reinterpret_cast<const A*>(in), n, v);
             return std::vector{bits_of(result)};
           }});
    }
    for (bool skip_nan : {false, true}) {
      kernels->push_back({(skip_nan ? "moments without NaN" : "moments") + suffix, accumulator, most,
                          [=](const std::byte* in, size_t n, std::byte*) {
                            const auto m = moments_kernel<A>(skip_nan)(reinterpret_cast<const A*>(in), n, v);
                            if (m.n == 0) return std::vector<uint64_t>{0};  // the rest means nothing then
                            return std::vector{m.n, bits_of(m.mean), bits_of(m.m2)};
                          }});
    }
    for (bool in_place : {false, true}) {
      kernels->push_back({(in_place ? "logsum in place" : "logsum") + suffix, accumulator, most,
                          [=](const std::byte* in, size_t n, std::byte* scratch) {
                            if (in_place) std::memcpy(scratch, in, n * sizeof(A));
                            const auto* x = reinterpret_cast<const A*>(in_place ? scratch : in);
                            const auto s = logsum_kernel<A>()(x, n, v, reinterpret_cast<A*>(scratch));
                            // The sign of a zero maximum depends on the way and is not seen in a result.
                            if (std::isinf(s.m) || s.m != s.m) return std::vector{bits_of(s.m)};
                            return std::vector{bits_of(s.m == 0 ? A(0) : s.m), bits_of(s.s)};
                          }});
    }
  }
  for (const DtypeInfo& info : kDtypes) {
    if (sizeof(A) == 4 && info.size != 2 && info.dtype != WPRIM_F32) continue;  // what becomes f32
    for (bool replace : {false, true}) {
      kernels->push_back({std::string(info.name) + " to " + type + (replace ? " with NaN replaced" : ""),
                          info.dtype, order::chunk_elements(info.size),
                          [=](const std::byte* in, size_t n, std::byte* scratch) {
                            A* out = reinterpret_cast<A*>(scratch);
                            convert_kernel<A>(info.dtype)(in, n, replace, A(-7), out);
                            std::vector<uint64_t> bits(n);
                            for (size_t i = 0; i < n; ++i) bits[i] = bits_of(out[i]);
                            return bits;
                          }});
    }
  }
}

void add_exact_kernels(std::vector<Kernel>* kernels) {
  for (const DtypeInfo& info : kDtypes) {
    const std::string suffix = ' ' + std::string(info.name);
    const auto add = [&](const std::string& name, auto run) {
      kernels->push_back({name + suffix, info.dtype, order::chunk_elements(info.size), run});
    };
    for (bool skip_nan : {false, true}) {
      add(skip_nan ? "extremes without NaN" : "extremes", [=](const std::byte* in, size_t n, std::byte*) {
        const Extremes e = extremes_kernel(info.dtype, skip_nan)(in, n);
        if (e.low > e.high) return std::vector<uint64_t>{0};  // nothing took part
        return std::vector{static_cast<uint64_t>(e.low), static_cast<uint64_t>(e.high)};
      });
    }
    add("find", [=](const std::byte* in, size_t n, std::byte*) {
      // Whatever lies at the end, in the middle, and what is likely nowhere.
      std::vector<uint64_t> found;
      for (size_t i : {n - 1, n / 2}) {
        visit_dtype(info.dtype, [&](auto element) {
          using T = decltype(element);
          std::memcpy(&element, in + i * sizeof(T), sizeof(T));
          found.push_back(find_key_kernel(info.dtype)(in, n, OrderKey<T>::widen(OrderKey<T>::of(element))));
        });
      }
      found.push_back(find_key_kernel(info.dtype)(in, n, 1));
      if (is_float(info.dtype)) found.push_back(find_nan_kernel(info.dtype)(in, n, 0));
      return found;
    });
    add("count", [=](const std::byte* in, size_t n, std::byte*) {
      const Counts c = count_kernel(info.dtype)(in, n);
      return std::vector{c.nonzero, c.nan};
    });
    if (is_float(info.dtype)) continue;
    for (WordFold fold : {WordFold::sum, WordFold::absolute_sum, WordFold::product}) {
      add("words " + std::to_string(static_cast<int>(fold)), [=](const std::byte* in, size_t n, std::byte*) {
        return std::vector{word_kernel(fold, info.dtype)(in, n)};
      });
    }
    for (Bitwise op : {Bitwise::conjunction, Bitwise::disjunction, Bitwise::exclusive}) {
      add("bitwise " + std::to_string(static_cast<int>(op)), [=](const std::byte* in, size_t n, std::byte*) {
        const uint64_t mask = info.size == 8 ? ~0ull : (1ull << 8 * info.size) - 1;
        return std::vector{bitwise_kernel(op)(in, n, info.size) & mask};
      });
    }
  }
}

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> kernels;
  add_rounding_kernels<float>(WPRIM_F32, &kernels);
  add_rounding_kernels<double>(WPRIM_F64, &kernels);
  add_exact_kernels(&kernels);
  return kernels;
}

// Elements of a type: ordinary numbers; with `wild`, any bits at all between them.
void fill(wprim_dtype dtype, std::byte* out, size_t n, uint64_t seed, bool wild) {
  std::mt19937_64 random(seed);
  visit_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    for (size_t i = 0; i < n; ++i) {
      const uint64_t word = random();
      if constexpr (is_float_type<T>) {
        element = from_number<T>((static_cast<double>(word % 2001) - 1000) / 64);
        if (wild && word >> 60 == 0) std::memcpy(&element, &word, sizeof element);
      } else {
        std::memcpy(&element, &word, sizeof element);
        if (word >> 62 == 0) element = T{};
      }
      std::memcpy(out + i * sizeof(T), &element, sizeof(T));
    }
  });
}

std::vector<size_t> lengths(const Kernel& kernel, size_t random_ones) {
  std::vector<size_t> result = {kernel.most / 4 - 1, kernel.most / 4,  kernel.most / 4 + 1,
                                kernel.most / 2 + 3, kernel.most - 17, kernel.most - 1,
                                kernel.most};
  for (size_t n = 1; n <= 70; ++n) result.push_back(n);
  std::mt19937 random(static_cast<unsigned>(kernel.most));
  for (size_t i = 0; i < random_ones; ++i) result.push_back(1 + random() % kernel.most);
  return result;
}

std::vector<int64_t> targets() { return hwy::SupportedAndGeneratedTargets(); }

// The kernels of one instruction set, for the time of a scope.
class OnTarget {
 public:
  explicit OnTarget(int64_t target) { hwy::SetSupportedTargetsForTest(target); }
  ~OnTarget() { hwy::SetSupportedTargetsForTest(0); }
};

TEST(Kernels, SameBitsOnEveryInstructionSet) {
  const std::vector<int64_t> sets = targets();
  ASSERT_FALSE(sets.empty());
  for (int64_t target : sets) {
    const OnTarget on(target);
    EXPECT_STREQ(target_name(), hwy::TargetName(target)) << "this is not the set that was asked for";
  }
  std::vector<std::byte> memory(kMostBytes + 64);
  auto scratch = std::make_unique<std::byte[]>(kMostBytes);
  uint64_t seed = 0;
  for (const Kernel& kernel : all_kernels()) {
    SCOPED_TRACE(kernel.name);
    const size_t size = size_of(kernel.dtype);
    for (size_t n : lengths(kernel, test::kSanitized ? 5 : 60)) {
      std::byte* in = memory.data() + ++seed % (64 / size) * size;
      fill(kernel.dtype, in, n, seed, seed % 2);
      std::vector<uint64_t> expected;
      for (int64_t target : sets) {
        const OnTarget on(target);
        const std::vector<uint64_t> got = kernel.run(in, n, scratch.get());
        if (expected.empty()) expected = got;
        ASSERT_EQ(got, expected) << hwy::TargetName(target) << " and " << hwy::TargetName(sets[0])
                                 << ", n = " << n;
      }
    }
  }
}

TEST(Kernels, SameBitsFromEveryStart) {
  std::vector<std::byte> memory(kMostBytes + 128);
  auto scratch = std::make_unique<std::byte[]>(kMostBytes);
  for (const Kernel& kernel : all_kernels()) {
    SCOPED_TRACE(kernel.name);
    const size_t size = size_of(kernel.dtype);
    for (size_t n : {size_t{3}, size_t{67}, kernel.most / 4 + 5}) {
      std::vector<uint64_t> expected;
      for (size_t shift = 0; shift <= 64; shift += size) {
        fill(kernel.dtype, memory.data() + shift, n, n, true);
        const std::vector<uint64_t> got = kernel.run(memory.data() + shift, n, scratch.get());
        if (expected.empty()) expected = got;
        ASSERT_EQ(got, expected) << "n = " << n << ", start at " << shift;
      }
    }
  }
}

// A read outside ends the program.
TEST(Kernels, ReadNothingOutside) {
  Guarded memory(kMostBytes), scratch(kMostBytes);
  for (const Kernel& kernel : all_kernels()) {
    SCOPED_TRACE(kernel.name);
    const size_t size = size_of(kernel.dtype);
    for (int64_t target : targets()) {
      const OnTarget on(target);
      for (size_t n : lengths(kernel, 3)) {
        for (std::byte* in : {memory.first(), memory.last(n * size)}) {
          fill(kernel.dtype, in, n, n, false);
          // The scratch ends where n numbers end; a float kernel's numbers are at least as wide as what it
          // reads.
          const size_t number = kernel.name.find("f64") != std::string::npos ? 8 : 4;
          kernel.run(in, n, scratch.last(n * number));
        }
      }
    }
  }
}

// What the kernels give is what the page says, here taken from the plain version in core/order.h.
template <class A>
void expect_folds_by_the_page() {
  std::mt19937 random(1);
  for (size_t v : {16 / sizeof(A), size_t{8}}) {
    for (int i = 0; i < 50; ++i) {
      const size_t n = 1 + random() % (order::kRounds * order::kSlots * v);
      std::vector<A> x(n);
      fill(sizeof(A) == 4 ? WPRIM_F32 : WPRIM_F64, reinterpret_cast<std::byte*>(x.data()), n, n, false);
      std::vector<A> states = x;
      const A sum = order::fold_chunk(states.data(), n, v, [](A a, A b) { return a + b; });
      EXPECT_EQ(fold_kernel<A>(Fold::sum)(x.data(), n, v), sum);
      std::vector<Moments<A>> moments;
      for (A value : x) moments.push_back({1, value, 0});
      const auto expected =
          order::fold_chunk(moments.data(), n, v, [](auto& a, auto& b) { return merge(a, b); });
      const auto got = moments_kernel<A>(false)(x.data(), n, v);
      EXPECT_EQ(got.n, n);
      EXPECT_EQ(got.mean, expected.mean);
      EXPECT_EQ(got.m2, expected.m2);
    }
  }
}

TEST(Kernels, FollowThePage) {
  expect_folds_by_the_page<float>();
  expect_folds_by_the_page<double>();
}

// f16 has an instruction of its own on some processors: every value, NaNs and subnormals included.
TEST(Kernels, EveryF16Converts) {
  std::vector<f16> x(0x10000);
  for (uint32_t i = 0; i < 0x10000; ++i) x[i].bits = static_cast<uint16_t>(i);
  for (int64_t target : targets()) {
    const OnTarget on(target);
    for (size_t first = 0; first < x.size(); first += order::chunk_elements(2)) {
      std::vector<float> out(order::chunk_elements(2));
      convert_kernel<float>(WPRIM_F16)(&x[first], out.size(), false, 0.0f, out.data());
      for (size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(bits_of(out[i]), bits_of(to_f32(x[first + i])))
            << hwy::TargetName(target) << ' ' << first + i;
      }
    }
  }
}

}  // namespace
}  // namespace wprim::cpu::simd
