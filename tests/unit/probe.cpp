// A program for the tests of what a process starts with: environment variables, affinity, floating-point
// settings. Runs a few reduces and prints what it saw, one "name=value" a line.
#include <warpprim.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif
#include <sched.h>

namespace {

void check(wprim_status status) {
  if (status == WPRIM_OK) return;
  std::printf("error=%s\n", wprim_last_error());
  std::exit(1);
}

template <class Out>
void print(const char* name, wprim_stream* stream, wprim_op op, wprim_dtype dtype, const void* in,
           uint64_t n) {
  Out out{};
  check(wprim_reduce(stream, op, dtype, in, n, &out));
  check(wprim_stream_synchronize(stream));
  uint64_t bits = 0;
  std::memcpy(&bits, &out, sizeof out);
  std::printf("%s=%llx\n", name, static_cast<unsigned long long>(bits));
}

// One call of each kind, and one that is refused.
void call_each(wprim_stream* stream) {
  const uint8_t bytes[12] = {};
  double means[3];
  float copies[3];
  const float one = 1;
  wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
  d.op = WPRIM_MEAN;
  d.dtype = WPRIM_U8;
  d.in = bytes;
  d.out = means;
  d.rows = 3;
  d.cols = 4;
  check(wprim_reduce_ex(stream, &d));
  check(wprim_copy(stream, copies, bytes, sizeof bytes));
  check(wprim_fill(stream, WPRIM_F32, copies, 3, &one));
  check(wprim_stream_call(stream, [](void*) -> wprim_status { return WPRIM_OK; }, nullptr));
  if (wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, nullptr, 77, copies) == WPRIM_OK) std::exit(1);
  check(wprim_stream_synchronize(stream));
}

}  // namespace

// Arguments: --trace=1 makes a call of each kind, --cuda=1 asks for CUDA devices first, --mxcsr=HEX sets the floating-point control before anything else, --affinity=1 keeps to one
// processor,
// --leave-running=1 ends the program with work in flight.
int main(int argc, char** argv) {
  bool leave_running = false, trace = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string value = argument.substr(argument.find('=') + 1);
    if (argument.rfind("--mxcsr=", 0) == 0) {
#if defined(__x86_64__)
      _mm_setcsr(static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 16)));
#endif
    } else if (argument.rfind("--affinity=", 0) == 0) {
      cpu_set_t allowed, one;
      sched_getaffinity(0, sizeof allowed, &allowed);
      int cpu = 0;
      while (!CPU_ISSET(cpu, &allowed)) ++cpu;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
    } else if (argument.rfind("--leave-running=", 0) == 0) {
      leave_running = true;
    } else if (argument.rfind("--trace=", 0) == 0) {
      trace = true;
    } else if (argument.rfind("--cuda=", 0) == 0) {
      int32_t count = -1;
      check(wprim_device_count(WPRIM_CUDA, &count));
      wprim_context* gpu;
      const wprim_status status = wprim_context_create(WPRIM_CUDA, 0, &gpu);
      std::printf("cuda_count=%d\ncuda_status=%s\ncuda_text=%s\n", count, wprim_status_name(status),
                  wprim_last_error());
    }
  }

  wprim_context* context;
  wprim_stream* stream;
  check(wprim_context_create(WPRIM_CPU, 0, &context));
  check(wprim_stream_create(context, nullptr, &stream));
  wprim_context_info_desc info = WPRIM_CONTEXT_INFO_DESC_INIT;
  check(wprim_context_info(context, &info));
  std::printf("parallelism=%d\ndetail=%s\n", info.parallelism, info.detail);

  // Integers only: how the numbers come about must not depend on the settings either. Subnormals, tiny and
  // middling.
  const size_t n = 700'001;
  std::vector<uint32_t> single(n);
  std::vector<uint64_t> twice(n);
  std::mt19937_64 random(1);
  for (size_t i = 0; i < n; ++i) {
    const uint64_t word = random();
    const uint32_t exponent = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 100 + static_cast<uint32_t>(word >> 58);
    single[i] = (static_cast<uint32_t>(word) & 0x807fffff) | exponent << 23;
    twice[i] = (word & 0x800fffffffffffff) | static_cast<uint64_t>(i % 2 ? 0 : 1000 + exponent) << 52;
  }
  for (size_t length : {size_t{1000}, n}) {
    print<float>("sum_f32", stream, WPRIM_SUM, WPRIM_F32, single.data(), length);
    print<double>("sum_f64", stream, WPRIM_SUM, WPRIM_F64, twice.data(), length);
    print<float>("l2_f32", stream, WPRIM_L2, WPRIM_F32, single.data(), length);
    print<float>("var_f32", stream, WPRIM_VAR, WPRIM_F32, single.data(), length);
    print<double>("std_f64", stream, WPRIM_STD, WPRIM_F64, twice.data(), length);
    print<double>("logsumexp_f64", stream, WPRIM_LOGSUMEXP, WPRIM_F64, twice.data(), length);
    print<float>("prod_f32", stream, WPRIM_PROD, WPRIM_F32, single.data(), 3);
    print<float>("sum_subnormal", stream, WPRIM_SUM, WPRIM_F32, single.data(), 1);
  }

  if (trace) call_each(stream);
  if (leave_running) {
    static uint64_t sums[100];
    const auto* kept =
        new std::vector<uint64_t>(std::move(twice));  // must outlive the work, so is never deleted
    for (uint64_t& sum : sums) check(wprim_reduce(stream, WPRIM_SUM, WPRIM_U64, kept->data(), n, &sum));
    std::exit(0);
  }
  check(wprim_stream_destroy(stream));
  check(wprim_context_destroy(context));
  return 0;
}
