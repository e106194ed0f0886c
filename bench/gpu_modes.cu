// Measures the four ways to run a small op, each beside the barest thing that could do the same: a launch of an empty kernel, a
// graph with an empty kernel, a mailbox that only answers.
//
//   gpu_modes [FILTER [COMMIT]] > result.json     a readable table goes to stderr
#include <atomic>
#include <chrono>
#include <cstring>

#include "gpu_timing.h"

namespace {

constexpr int kCount = 1024;
constexpr uint32_t kNotYet = 0xffffffffu;  // a NaN that no sum gives

std::string filter;
bool first_row = true;

void report(const std::string& name, double us) {
  std::fprintf(stderr, "%-60s %8.3f us\n", name.c_str(), us);
  std::printf("%s  {\"name\": \"%s\", \"us\": %.4f}", first_row ? "" : ",\n", name.c_str(), us);
  std::fflush(stdout);
  first_row = false;
}

bool wanted(const std::string& name) { return filter.empty() || name.find(filter) != std::string::npos; }

void row(const std::string& name, int batch, const std::function<void()>& f,
         const std::function<void()>& rest) {
  if (wanted(name)) report(name, gpu_timing::host_us(batch, f, rest));
}

__global__ void empty_kernel() {}

// Answers each number that it is posted; leaves at 0xffffffff.
__global__ void bare_mailbox(const uint4* post, uint64_t* answer) {
  uint32_t seen = 0;
  for (;;) {
    uint4 p;
    do {
      asm volatile("ld.volatile.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(p.x), "=r"(p.y), "=r"(p.z), "=r"(p.w)
                   : "l"(post));
    } while (p.w == seen);
    seen = p.w;
    asm volatile("st.volatile.u64 [%0], %1;" ::"l"(answer), "l"(static_cast<uint64_t>(seen)) : "memory");
    if (seen == 0xffffffff) return;
  }
}

struct Setup {
  wprim_context* context;
  wprim_stream *stream, *resident;
  cudaStream_t native;
  float *in, *out, *pinned;
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  wprim_plan* plan;

  Setup() {
    CUDA(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
    CUDA(cudaMalloc(reinterpret_cast<void**>(&in), 1 << 30));
    CUDA(cudaMemset(in, 0, 1 << 30));
    CUDA(cudaMalloc(reinterpret_cast<void**>(&out), 1 << 20));
    CUDA(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4096));
    CUDA(cudaDeviceSynchronize());
    WPRIM(wprim_context_create(WPRIM_CUDA, 0, &context));
    WPRIM(wprim_stream_wrap(context, native, &stream));
    wprim_stream_desc d = WPRIM_STREAM_DESC_INIT;
    d.kind = WPRIM_STREAM_RESIDENT;
    WPRIM(wprim_stream_create(context, &d, &resident));
    desc.in = in;
    desc.cols = kCount;
    desc.out = pinned;
    WPRIM(wprim_plan_reduce(context, &desc, &plan));
  }
  void spin() const {
    while (reinterpret_cast<std::atomic<uint32_t>*>(pinned)->load(std::memory_order_acquire) == kNotYet)
      continue;
  }
  void poison() const { reinterpret_cast<std::atomic<uint32_t>*>(pinned)->store(kNotYet); }
};

wprim_graph* graph_of(const Setup& s, int ops) {
  wprim_graph* graph;
  WPRIM(wprim_graph_begin(s.stream));
  for (int i = 0; i < ops; ++i) WPRIM(wprim_plan_launch(s.plan, s.stream));
  WPRIM(wprim_graph_end(s.stream, &graph));
  return graph;
}

cudaGraphExec_t bare_graph_of(const Setup& s, int nodes) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA(cudaStreamBeginCapture(s.native, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < nodes; ++i) empty_kernel<<<1, 32, 0, s.native>>>();
  CUDA(cudaStreamEndCapture(s.native, &graph));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

void measure_calls(const Setup& s) {
  const auto wait = [&] { CUDA(cudaStreamSynchronize(s.native)); };
  const cudaGraphExec_t bare = bare_graph_of(s, 1);
  wprim_graph* graph = graph_of(s, 1);
  row("call: a bare kernel launch", 200, [&] { empty_kernel<<<1, 32, 0, s.native>>>(); }, wait);
  row("call: eager, sum f32 1024", 200, [&] { WPRIM(wprim_reduce_ex(s.stream, &s.desc)); }, wait);
  row("call: plan, sum f32 1024", 200, [&] { WPRIM(wprim_plan_launch(s.plan, s.stream)); }, wait);
  row("call: a bare graph launch", 200, [&] { CUDA(cudaGraphLaunch(bare, s.native)); }, wait);
  row("call: graph, sum f32 1024", 200, [&] { WPRIM(wprim_graph_launch(graph, s.stream)); }, wait);
  const auto wait_resident = [&] { WPRIM(wprim_stream_synchronize(s.resident)); };
  row(
      "call: resident, sum f32 1024", 200, [&] { WPRIM(wprim_reduce_ex(s.resident, &s.desc)); },
      wait_resident);
  row(
      "call: resident plan, sum f32 1024", 200, [&] { WPRIM(wprim_plan_launch(s.plan, s.resident)); },
      wait_resident);
  WPRIM(wprim_graph_destroy(graph));
}

void measure_bare_mailbox(const Setup& s) {
  const std::string name = "value: a bare mailbox, post and spin";
  if (!wanted(name)) return;
  auto* post = reinterpret_cast<volatile uint32_t*>(s.pinned + 256);
  auto* answer = reinterpret_cast<volatile uint64_t*>(s.pinned + 512);
  std::memset(s.pinned + 256, 0, 2048);
  bare_mailbox<<<1, 32, 0, s.native>>>(reinterpret_cast<uint4*>(s.pinned + 256),
                                       reinterpret_cast<uint64_t*>(s.pinned + 512));
  uint32_t number = 0;
  const auto round_trip = [&] {
    post[3] = ++number;
    while (*answer != number) continue;
  };
  report(name, gpu_timing::host_us(20, round_trip, [] {}));
  post[3] = 0xffffffff;
  CUDA(cudaStreamSynchronize(s.native));
}

void measure_values(const Setup& s) {
  const auto wait = [] { CUDA(cudaDeviceSynchronize()); };
  wprim_graph* graph = graph_of(s, 1);
  struct Way {
    const char* name;
    wprim_stream* stream;
    std::function<void()> enqueue;
  };
  const Way ways[] = {
      {"eager", s.stream, [&] { WPRIM(wprim_reduce_ex(s.stream, &s.desc)); }},
      {"plan", s.stream, [&] { WPRIM(wprim_plan_launch(s.plan, s.stream)); }},
      {"graph", s.stream, [&] { WPRIM(wprim_graph_launch(graph, s.stream)); }},
      {"resident", s.resident, [&] { WPRIM(wprim_reduce_ex(s.resident, &s.desc)); }},
      {"resident plan", s.resident, [&] { WPRIM(wprim_plan_launch(s.plan, s.resident)); }},
  };
  for (const Way& way : ways) {
    const std::string name = std::string("value: ") + way.name + ", sum f32 1024, ";
    row(
        name + "synchronize", 20,
        [&] {
          way.enqueue();
          WPRIM(wprim_stream_synchronize(way.stream));
        },
        wait);
    row(
        name + "spin", 20,
        [&] {
          s.poison();
          way.enqueue();
          s.spin();
        },
        wait);
  }
  measure_bare_mailbox(s);
  WPRIM(wprim_graph_destroy(graph));
}

// Resident ops of several sizes against a plan's launch: where the launch wins.
void measure_sizes(const Setup& s) {
  for (const int n : {256, 4096, 8192, 16384, 32768}) {
    wprim_reduce_desc d = s.desc;
    d.cols = static_cast<uint64_t>(n);
    for (wprim_stream* stream : {s.stream, s.resident}) {
      const std::string way = stream == s.resident ? "resident" : "eager";
      row(
          "value: " + way + ", sum f32 " + std::to_string(n) + ", synchronize", 20,
          [&] {
            WPRIM(wprim_reduce_ex(stream, &d));
            WPRIM(wprim_stream_synchronize(stream));
          },
          [] {});
    }
  }
}

void measure_many(const Setup& s) {
  constexpr int kOps = 100;
  wprim_reduce_desc d = s.desc;
  d.out = s.out;
  wprim_plan* plan;
  WPRIM(wprim_plan_reduce(s.context, &d, &plan));
  Setup on_device = s;
  on_device.plan = plan;
  const cudaGraphExec_t bare = bare_graph_of(s, kOps);
  wprim_graph* graph = graph_of(on_device, kOps);
  if (wanted("many")) {
    report("many: one of 100 empty nodes of a graph, on the device",
           gpu_timing::batch_us(s.native, kOps, [&] { CUDA(cudaGraphLaunch(bare, s.native)); }));
    report("many: one of 100 sums f32 1024 of a graph, on the device",
           gpu_timing::batch_us(s.native, kOps, [&] { WPRIM(wprim_graph_launch(graph, s.stream)); }));
    constexpr int kInFlight = 20000;
    std::vector<double> times;
    for (int r = 0; r < 7; ++r) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < kInFlight; ++i) WPRIM(wprim_plan_launch(plan, s.resident));
      WPRIM(wprim_stream_synchronize(s.resident));
      const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
      if (r > 1) times.push_back(spent.count() / kInFlight);
    }
    report("many: one of 20000 resident sums f32 1024 in flight", gpu_timing::median(times));
  }
  WPRIM(wprim_graph_destroy(graph));
  WPRIM(wprim_plan_destroy(plan));
}

// What a resident kernel that waits costs a sum of 1 GiB beside it.
void measure_beside(const Setup& s) {
  if (!wanted("beside")) return;
  wprim_reduce_desc large = s.desc;
  large.cols = 1 << 28;
  large.out = s.out;
  const auto sums = [&] {
    for (int i = 0; i < 10; ++i) WPRIM(wprim_reduce_ex(s.stream, &large));
  };
  const auto sums_beside = [&] {
    WPRIM(wprim_reduce_ex(s.resident, &s.desc));  // its kernel stays for longer than the sums take
    WPRIM(wprim_stream_synchronize(s.resident));
    sums();
  };
  CUDA(cudaDeviceSynchronize());
  for (int round = 0; round < 2; ++round) {
    report("beside: sum f32 2^28, nothing resident", gpu_timing::batch_us(s.native, 10, sums));
    report("beside: sum f32 2^28, an idle resident stream", gpu_timing::batch_us(s.native, 10, sums_beside));
    CUDA(cudaDeviceSynchronize());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  gpu_timing::begin_report(argc > 2 ? argv[2] : "unknown");
  {
    const Setup s;
    measure_calls(s);
    measure_values(s);
    measure_sizes(s);
    measure_many(s);
  }
  setenv("WARPPRIM_RESIDENT_IDLE_US", "9000", 1);
  const Setup patient;
  measure_beside(patient);
  std::printf("\n]}\n");
  return 0;
}
