// Calls captured by somebody else's graph: they work, replay correctly, and share nothing with eager work.
#include "support.h"

namespace {

using namespace gpu_test;

struct Op {
  wprim_reduce_desc desc;
  Bytes input;
  Bytes expected;
  std::unique_ptr<DeviceMemory> in, out;
};

std::vector<Op> some_ops(uint64_t seed, int n) {
  std::vector<Op> ops;
  for (int i = 0; i < n; ++i) {
    std::mt19937_64 random(seed + static_cast<uint64_t>(i));
    Op op{random_desc(random, i % 3 ? 1 << 17 : 1 << 22), {}, {}, {}, {}};
    op.input = random_input(random, op.desc);
    op.expected = on_cpu(op.desc, op.input);
    op.in = std::make_unique<DeviceMemory>(op.input);
    op.out = std::make_unique<DeviceMemory>(output_bytes(op.desc));
    op.desc.in = op.in->get();
    op.desc.out = op.out->get();
    ops.push_back(std::move(op));
  }
  return ops;
}

void submit(wprim_stream* stream, std::vector<Op>& ops) {
  for (Op& op : ops) ASSERT_OK(wprim_reduce_ex(stream, &op.desc));
}

void expect_results(const std::vector<Op>& ops) {
  for (const Op& op : ops) EXPECT_EQ(op.out->read(op.expected.size()), op.expected);
}

void poison(std::vector<Op>& ops) {
  for (Op& op : ops) ASSERT_CUDA(cudaMemset(op.out->get(), 0xa5, op.expected.size()));
  ASSERT_CUDA(cudaDeviceSynchronize());
}

TEST(Capture, ReplaysBesideEagerWorkAndAfterTheStreamIsGone) {
  std::vector<Op> captured = some_ops(100, 12), eager = some_ops(200, 12);
  cudaStream_t native, other;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  ASSERT_CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  wprim_stream *stream, *beside;
  ASSERT_OK(wprim_stream_wrap(cuda(), native, &stream));
  ASSERT_OK(wprim_stream_create(cuda(), nullptr, &beside));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  ASSERT_CUDA(cudaStreamBeginCapture(native, cudaStreamCaptureModeGlobal));
  submit(stream, captured);
  ASSERT_CUDA(cudaStreamEndCapture(native, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  ASSERT_CUDA(cudaGraphDestroy(graph));

  submit(stream, captured);  // the same ops eagerly, on the stream that captured
  ASSERT_OK(wprim_stream_synchronize(stream));
  expect_results(captured);
  ASSERT_OK(wprim_stream_destroy(stream));
  ASSERT_CUDA(cudaStreamDestroy(native));

  for (int round = 0; round < 20; ++round) {
    poison(captured);
    poison(eager);
    for (int i = 0; i < 50; ++i) {
      ASSERT_CUDA(cudaGraphLaunch(exec, other));
      submit(beside, eager);
    }
    ASSERT_CUDA(cudaStreamSynchronize(other));
    ASSERT_OK(wprim_stream_synchronize(beside));
    expect_results(captured);
    expect_results(eager);
  }
  ASSERT_CUDA(cudaGraphExecDestroy(exec));
  ASSERT_OK(wprim_stream_destroy(beside));
  ASSERT_CUDA(cudaStreamDestroy(other));
}

TEST(Capture, GraphsComeAndGo) {
  std::vector<Op> ops = some_ops(300, 5);
  cudaStream_t native;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  wprim_stream* stream;
  ASSERT_OK(wprim_stream_wrap(cuda(), native, &stream));
  for (int i = 0; i < 50; ++i) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    ASSERT_CUDA(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal));
    submit(stream, ops);
    ASSERT_CUDA(cudaStreamEndCapture(native, &graph));
    ASSERT_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    poison(ops);
    ASSERT_CUDA(cudaGraphLaunch(exec, native));
    ASSERT_CUDA(cudaStreamSynchronize(native));
    expect_results(ops);
    ASSERT_CUDA(cudaGraphExecDestroy(exec));
    ASSERT_CUDA(cudaGraphDestroy(graph));
  }
  ASSERT_OK(wprim_stream_destroy(stream));
  ASSERT_CUDA(cudaStreamDestroy(native));
}

TEST(Capture, SynchronizeIsRefusedAndTheCaptureGoesOn) {
  std::vector<Op> ops = some_ops(400, 2);
  cudaStream_t native;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  wprim_stream* stream;
  ASSERT_OK(wprim_stream_wrap(cuda(), native, &stream));
  cudaGraph_t graph;
  ASSERT_CUDA(cudaStreamBeginCapture(native, cudaStreamCaptureModeRelaxed));
  submit(stream, ops);
  EXPECT_EQ(wprim_stream_synchronize(stream), WPRIM_ERROR_UNSUPPORTED);
  EXPECT_EQ(wprim_stream_query(stream), WPRIM_ERROR_UNSUPPORTED);
  submit(stream, ops);
  ASSERT_CUDA(cudaStreamEndCapture(native, &graph));
  ASSERT_CUDA(cudaGraphDestroy(graph));
  ASSERT_OK(wprim_stream_destroy(stream));
  ASSERT_CUDA(cudaStreamDestroy(native));
}

}  // namespace
