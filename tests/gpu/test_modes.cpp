// Plans, graphs and counts on the device, on the GPU: the CPU's bits, in order.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "child.h"
#include "op.h"

namespace {

using namespace gpu_test;

TEST(Plan, GivesTheBitsAndTakesOtherMemory) {
  wprim_stream* stream = new_stream();
  for (const Op& op : ops_of(1000, 40)) {
    wprim_plan* plan;
    ASSERT_OK(wprim_plan_reduce(cuda(), &op.desc, &plan));
    ASSERT_OK(wprim_plan_launch(plan, stream));
    ASSERT_OK(wprim_stream_synchronize(stream));
    op.expect();
    // The same input a few bytes further on, so that another kernel may be needed.
    const size_t size = wprim_dtype_size(op.desc.dtype);
    Bytes shifted(size + op.input.size());
    std::copy(op.input.begin(), op.input.end(), shifted.begin() + static_cast<long>(size));
    const DeviceMemory in(shifted), out(op.expected.size());
    const wprim_binding bindings[] = {{0, WPRIM_SLOT_IN, in.get() + size}, {0, WPRIM_SLOT_OUT, out.get()}};
    ASSERT_OK(wprim_plan_rebind_many(plan, bindings, 2));
    ASSERT_OK(wprim_plan_launch(plan, stream));
    ASSERT_OK(wprim_plan_destroy(plan));
    ASSERT_OK(wprim_stream_synchronize(stream));
    EXPECT_EQ(out.read(op.expected.size()), op.expected);
  }
  ASSERT_OK(wprim_stream_destroy(stream));
}

TEST(Plan, MayBeInFlightOnManyStreams) {
  const Op op(7, 1 << 22);
  wprim_plan* plan;
  ASSERT_OK(wprim_plan_reduce(cuda(), &op.desc, &plan));
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&] {
      wprim_stream* stream = new_stream();
      for (int i = 0; i < 200; ++i) EXPECT_OK(wprim_plan_launch(plan, stream));
      EXPECT_OK(wprim_stream_synchronize(stream));
      EXPECT_OK(wprim_stream_destroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  op.expect();
  ASSERT_OK(wprim_plan_destroy(plan));
}

TEST(Plan, RefusesMemoryOfTheHost) {
  const Op op(8, 1 << 10);
  wprim_plan* plan;
  ASSERT_OK(wprim_plan_reduce(cuda(), &op.desc, &plan));
  std::vector<uint64_t> host(op.input.size() + 8);
  EXPECT_EQ(wprim_plan_rebind(plan, WPRIM_SLOT_IN, host.data()), WPRIM_ERROR_INVALID_ARGUMENT);
  ASSERT_OK(wprim_plan_destroy(plan));
}

TEST(Plan, DescribesItsKernel) {
  const Op op(9, 1 << 20);
  wprim_plan* plan;
  ASSERT_OK(wprim_plan_reduce(cuda(), &op.desc, &plan));
  char text[4096];
  uint64_t length;
  ASSERT_OK(wprim_plan_describe(plan, WPRIM_TEXT, text, sizeof text, &length));
  for (const char* name : {"kernel: ", "grid: ", "block: ", "registers: ", "why: ", "bytes_read: "}) {
    EXPECT_NE(std::string(text).find(name), std::string::npos) << name << " is not in\n" << text;
  }
  EXPECT_EQ(std::string(text).find("registers: 0\n"), std::string::npos) << text;
  ASSERT_OK(wprim_plan_destroy(plan));
}

// Two chains side by side between a fill and a copy, on two streams.
TEST(Graph, ForksJoinsAndReplaysWithOtherMemory) {
  wprim_stream *a = new_stream(), *b = new_stream();
  wprim_event *fork, *join;
  ASSERT_OK(wprim_event_create(cuda(), &fork));
  ASSERT_OK(wprim_event_create(cuda(), &join));
  std::vector<Op> ops = ops_of(2000, 24), others = ops_of(2000, 24);
  ASSERT_OK(wprim_graph_begin(a));
  ASSERT_OK(wprim_event_record(fork, a));
  ASSERT_OK(wprim_stream_wait(b, fork));
  for (size_t i = 0; i < ops.size(); ++i) ASSERT_OK(wprim_reduce_ex(i % 2 ? b : a, &ops[i].desc));
  ASSERT_OK(wprim_event_record(join, b));
  ASSERT_OK(wprim_stream_wait(a, join));
  wprim_graph* graph;
  ASSERT_OK(wprim_graph_end(a, &graph));
  ASSERT_OK(wprim_stream_destroy(b));
  for (int round = 0; round < 50; ++round) ASSERT_OK(wprim_graph_launch(graph, a));
  ASSERT_OK(wprim_stream_synchronize(a));
  for (const Op& op : ops) op.expect();

  std::vector<wprim_binding> bindings;
  for (size_t i = 0; i < ops.size(); ++i) {
    ops[i].poison();
    bindings.push_back({i, WPRIM_SLOT_OUT, others[i].out->get()});
    bindings.push_back({i, WPRIM_SLOT_IN, others[i].in->get()});
  }
  ASSERT_CUDA(cudaDeviceSynchronize());
  ASSERT_OK(wprim_graph_rebind_many(graph, bindings.data(), static_cast<uint32_t>(bindings.size())));
  ASSERT_OK(wprim_graph_launch(graph, a));
  ASSERT_OK(wprim_graph_destroy(graph));
  ASSERT_OK(wprim_stream_synchronize(a));
  for (const Op& op : others) op.expect();
  for (const Op& op : ops) EXPECT_EQ(op.out->read(op.expected.size()), Bytes(op.expected.size(), 0xa5));
  ASSERT_OK(wprim_stream_destroy(a));
  ASSERT_OK(wprim_event_destroy(fork));
  ASSERT_OK(wprim_event_destroy(join));
}

wprim_status count_call(void* user) {
  return ++*static_cast<std::atomic<int>*>(user) % 3 == 0 ? WPRIM_ERROR_CALLBACK : WPRIM_OK;
}

TEST(Graph, HasCopiesFillsAndCallbacks) {
  wprim_stream* stream = new_stream();
  const DeviceMemory x(4096), y(4096);
  std::vector<uint32_t> back(1024), again(1024);
  std::atomic<int> calls{0}, other_calls{0};
  const uint32_t three = 3, five = 5;
  wprim_graph* graph;
  ASSERT_OK(wprim_graph_begin(stream));
  ASSERT_OK(wprim_fill(stream, WPRIM_U32, x.get(), 1024, &three));
  ASSERT_OK(wprim_copy(stream, y.get(), x.get(), 4096));
  ASSERT_OK(wprim_copy(stream, back.data(), y.get(), 4096));
  ASSERT_OK(wprim_stream_call(stream, count_call, &calls));
  ASSERT_OK(wprim_copy(stream, y.get(), x.get(), 0));
  ASSERT_OK(wprim_graph_end(stream, &graph));
  ASSERT_OK(wprim_graph_launch(graph, stream));
  ASSERT_OK(wprim_graph_launch(graph, stream));
  ASSERT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(back, std::vector<uint32_t>(1024, 3));
  ASSERT_OK(wprim_graph_launch(graph, stream));
  EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_CALLBACK);
  EXPECT_EQ(calls, 3);

  ASSERT_OK(wprim_graph_rebind(graph, 0, WPRIM_SLOT_VALUE, &five));
  ASSERT_OK(wprim_graph_rebind(graph, 2, WPRIM_SLOT_OUT, again.data()));
  ASSERT_OK(wprim_graph_rebind(graph, 3, WPRIM_SLOT_USER, &other_calls));
  // From a copy within the device to one from the host: refused, and nothing has changed.
  EXPECT_EQ(wprim_graph_rebind(graph, 1, WPRIM_SLOT_IN, back.data()), WPRIM_ERROR_UNSUPPORTED);
  ASSERT_OK(wprim_graph_launch(graph, stream));
  ASSERT_OK(wprim_stream_synchronize(stream));
  EXPECT_EQ(again, std::vector<uint32_t>(1024, 5));
  EXPECT_EQ(back, std::vector<uint32_t>(1024, 3));
  EXPECT_EQ(other_calls, 1);
  ASSERT_OK(wprim_graph_destroy(graph));
  ASSERT_OK(wprim_stream_destroy(stream));
}

TEST(Graph, IsNotLaunchedIntoACapture) {
  wprim_stream* stream = new_stream();
  const Op op(11, 1 << 10);
  wprim_graph* graph;
  ASSERT_OK(wprim_graph_begin(stream));
  ASSERT_OK(wprim_reduce_ex(stream, &op.desc));
  ASSERT_OK(wprim_graph_end(stream, &graph));
  cudaStream_t native;
  cudaGraph_t foreign;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  ASSERT_CUDA(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal));
  wprim_stream* wrapped;
  ASSERT_OK(wprim_stream_wrap(cuda(), native, &wrapped));  // also while it is captured
  EXPECT_EQ(wprim_graph_launch(graph, wrapped), WPRIM_ERROR_UNSUPPORTED);
  ASSERT_OK(wprim_reduce_ex(wrapped, &op.desc));
  ASSERT_CUDA(cudaStreamEndCapture(native, &foreign));
  ASSERT_CUDA(cudaGraphDestroy(foreign));
  ASSERT_OK(wprim_stream_destroy(wrapped));
  ASSERT_CUDA(cudaStreamDestroy(native));
  ASSERT_OK(wprim_graph_destroy(graph));
  ASSERT_OK(wprim_stream_destroy(stream));
}

// The count is what an op before it wrote, in each way to run.
TEST(Count, IsReadWhenTheOpRuns) {
  std::vector<float> values(300000);
  std::mt19937 random(3);
  for (float& x : values) x = static_cast<float>(random() % 1000) / 8 - 50;
  Bytes bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  const DeviceMemory in(bytes), out(8), count(8);
  for (const wprim_op op :
       {WPRIM_SUM, WPRIM_MEAN, WPRIM_ARGMAX, WPRIM_MIN, WPRIM_VAR, WPRIM_LOGSUMEXP, WPRIM_ALL}) {
    for (const uint64_t cols : {0, 1, 1000, 20000, 300000}) {
      for (const uint64_t n : {uint64_t{0}, uint64_t{1}, uint64_t{5}, cols / 3, cols, cols + 5}) {
        wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
        d.op = op;
        d.cols = std::min(n, cols);
        const Bytes expected = on_cpu(d, Bytes(bytes.begin(), bytes.begin() + static_cast<long>(4 * d.cols)));
        d.cols = cols;
        d.in = in.get();
        d.out = out.get();
        d.n_on_device = reinterpret_cast<const uint64_t*>(count.get());
        for (const wprim_stream_kind kind : {WPRIM_STREAM_LAUNCHED, WPRIM_STREAM_RESIDENT}) {
          wprim_stream* stream = new_stream(kind);
          ASSERT_OK(wprim_fill(stream, WPRIM_U64, count.get(), 1, &n));
          ASSERT_OK(wprim_reduce_ex(stream, &d));
          ASSERT_OK(wprim_stream_synchronize(stream));
          EXPECT_EQ(out.read(expected.size()), expected)
              << "op " << op << ", " << n << " of " << cols << ", kind " << kind;
          ASSERT_OK(wprim_stream_destroy(stream));
        }
      }
    }
  }
}

}  // namespace
