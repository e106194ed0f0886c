/* The same sums in four ways: called, prepared once (a plan), recorded and launched as one (a graph), and posted (a
 * resident stream). Each time with other memory. The results have the same bits. */
#include <stdio.h>
#include <stdlib.h>
#include <warpprim.h>

enum { N = 1000, TIMES = 3 };
static const char* const names[] = {"eager", "plan", "graph", "resident"};
static float x[TIMES][N], sums[4][TIMES];
static void check(wprim_status status) {
  if (status == WPRIM_OK) return;
  fprintf(stderr, "%s\n", wprim_last_error());
  exit(1);
}

int main(void) {
  wprim_context* ctx;
  wprim_stream *stream, *resident;
  wprim_stream_desc posts = {sizeof posts, 0, WPRIM_STREAM_RESIDENT};
  check(wprim_context_create(WPRIM_CPU, 0, &ctx));
  check(wprim_stream_create(ctx, NULL, &stream));
  check(wprim_stream_create(ctx, &posts, &resident));

  wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT; /* a sum of f32 */
  d.in = x[0], d.cols = N, d.out = &sums[1][0];
  wprim_plan* plan;
  check(wprim_plan_reduce(ctx, &d, &plan));

  wprim_graph* graph;
  check(wprim_graph_begin(stream)); /* what is called now is a node each, and runs later */
  check(wprim_fill(stream, WPRIM_F32, x[0], N, sums));
  check(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x[0], N, &sums[2][0]));
  check(wprim_graph_end(stream, &graph));

  for (int i = 0; i < TIMES; ++i) {
    const float value = 0.1f * (float)(i + 1);
    check(wprim_fill(stream, WPRIM_F32, x[i], N, &value));
    check(wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x[i], N, &sums[0][i]));
    wprim_binding now[] = {{0, WPRIM_SLOT_IN, x[i]}, {0, WPRIM_SLOT_OUT, &sums[1][i]}};
    check(wprim_plan_rebind_many(plan, now, 2));
    check(wprim_plan_launch(plan, stream));
    wprim_binding then[] = {
        {0, WPRIM_SLOT_OUT, x[i]}, {1, WPRIM_SLOT_IN, x[i]}, {1, WPRIM_SLOT_OUT, &sums[2][i]}};
    check(wprim_graph_rebind_many(graph, then, 3));
    check(wprim_graph_rebind(graph, 0, WPRIM_SLOT_VALUE, &value));
    check(wprim_graph_launch(graph, stream));
    check(wprim_stream_synchronize(stream)); /* before another stream uses the memory */
    check(wprim_reduce(resident, WPRIM_SUM, WPRIM_F32, x[i], N, &sums[3][i]));
    check(wprim_stream_synchronize(resident));
  }
  int same = 1;
  for (int way = 0; way < 4; ++way) {
    printf("%-8s %g %g %g\n", names[way], sums[way][0], sums[way][1], sums[way][2]);
    for (int i = 0; i < TIMES; ++i) same = same && sums[way][i] == sums[0][i];
  }
  wprim_graph_destroy(graph), wprim_plan_destroy(plan);
  wprim_stream_destroy(resident), wprim_stream_destroy(stream), wprim_context_destroy(ctx);
  return !same;
}
