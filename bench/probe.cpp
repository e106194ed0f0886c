// What bench/cpu_reduce.py times, outside Python: calls of the library by its own C interface, and the streaming loops that
// stand for the read limit of the machine. The script compiles this with -O3 -march=native -ffast-math -fopenmp.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include "warpprim.h"

namespace {

// A thread's part of the array: a multiple of 4096 elements but for the last.
template <class Body>
void share(uint64_t n, int threads, Body body) {
  constexpr uint64_t kBlock = 4096;
  const uint64_t blocks = n / kBlock;
#pragma omp parallel num_threads(threads)
  {
    const uint64_t t = static_cast<uint64_t>(omp_get_thread_num()),
                   of = static_cast<uint64_t>(omp_get_num_threads());
    const uint64_t begin = blocks * t / of * kBlock, end = t + 1 == of ? n : blocks * (t + 1) / of * kBlock;
    body(static_cast<int>(t), begin, end);
  }
}

constexpr int kMaxThreads = 1024;
constexpr int kLanes = 128;  // enough independent accumulators to hide the latency of an addition

template <class Op>
float fold(const float* x, uint64_t n, float identity, Op op) {
  float lanes[kLanes];
  for (float& lane : lanes) lane = identity;
  uint64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) lanes[j] = op(lanes[j], x[i + static_cast<uint64_t>(j)]);
  }
  float all = identity;
  for (float lane : lanes) all = op(all, lane);
  for (; i < n; ++i) all = op(all, x[i]);
  return all;
}

template <class Op>
float fold_all(const float* x, uint64_t n, int threads, float identity, Op op) {
  float parts[kMaxThreads];
  std::fill_n(parts, threads, identity);
  share(n, threads,
        [&](int t, uint64_t begin, uint64_t end) { parts[t] = fold(x + begin, end - begin, identity, op); });
  float all = identity;
  for (int t = 0; t < threads; ++t) all = op(all, parts[t]);
  return all;
}

const auto add = [](float a, float b) { return a + b; };
const auto smaller = [](float a, float b) { return a < b ? a : b; };
const auto larger = [](float a, float b) { return a > b ? a : b; };
constexpr float kLargest = std::numeric_limits<float>::max();

}  // namespace

extern "C" {

float limit_sum(const float* x, uint64_t n, int threads) { return fold_all(x, n, threads, 0, add); }
float limit_min(const float* x, uint64_t n, int threads) {
  return fold_all(x, n, threads, kLargest, smaller);
}
float limit_max(const float* x, uint64_t n, int threads) {
  return fold_all(x, n, threads, -kLargest, larger);
}

// The maximum block by block; only a block that raises it is looked into.
float limit_argmax(const float* x, uint64_t n, int threads) {
  constexpr uint64_t kBlock = 4096;
  struct Best {
    float value;
    uint64_t index;
  } parts[kMaxThreads];
  std::fill_n(parts, threads, Best{-kLargest, 0});
  share(n, threads, [&](int t, uint64_t begin, uint64_t end) {
    Best best{-kLargest, begin};
    for (uint64_t b = begin; b < end; b += kBlock) {
      const uint64_t length = std::min(kBlock, end - b);
      const float m = fold(x + b, length, -kLargest, larger);
      if (m > best.value) best = {m, static_cast<uint64_t>(std::find(x + b, x + b + length, m) - x)};
    }
    parts[t] = best;
  });
  Best best = parts[0];
  for (int t = 1; t < threads; ++t) {
    if (parts[t].value > best.value) best = parts[t];
  }
  return static_cast<float>(best.index);
}

// Nanoseconds of one call, as a mean over `calls`.
double time_limit(float (*loop)(const float*, uint64_t, int), const float* x, uint64_t n, int threads,
                  int calls) {
  volatile float sink;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) sink = loop(x, n, threads);
  const auto end = std::chrono::steady_clock::now();
  (void)sink;
  return std::chrono::duration<double, std::nano>(end - start).count() / calls;
}

// Nanoseconds of one call and the wait for it, as a mean over `calls`. Negative: a call failed.
double time_reduce(wprim_status (*reduce)(wprim_stream*, const wprim_reduce_desc*),
                   wprim_status (*synchronize)(wprim_stream*), wprim_stream* stream,
                   const wprim_reduce_desc* desc, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) {
    if (reduce(stream, desc) != WPRIM_OK || synchronize(stream) != WPRIM_OK) return -1;
  }
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(end - start).count() / calls;
}
}
