// The calls that Rust is compared with: a small sum and the wait for it, `times` times, in each way.
#include <warpprim.h>

int c_call(wprim_stream* stream, const float* x, uint64_t n, float* sum, uint64_t times) {
  for (uint64_t i = 0; i < times; ++i) {
    wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
    d.in = x;
    d.cols = n;
    d.out = sum;
    d.out_dtype = WPRIM_F32;
    if (wprim_reduce_ex(stream, &d) != WPRIM_OK || wprim_stream_synchronize(stream) != WPRIM_OK) return 1;
  }
  return 0;
}

int c_plan(wprim_plan* plan, wprim_stream* stream, uint64_t times) {
  for (uint64_t i = 0; i < times; ++i) {
    if (wprim_plan_launch(plan, stream) != WPRIM_OK || wprim_stream_synchronize(stream) != WPRIM_OK) return 1;
  }
  return 0;
}

int c_graph(wprim_graph* graph, wprim_stream* stream, uint64_t times) {
  for (uint64_t i = 0; i < times; ++i) {
    if (wprim_graph_launch(graph, stream) != WPRIM_OK || wprim_stream_synchronize(stream) != WPRIM_OK)
      return 1;
  }
  return 0;
}
