#include <stdio.h>
#include <warpprim.h>

int main(void) {
  float x[1000], sum = 0;
  for (int i = 0; i < 1000; ++i) x[i] = 0.5f;
  if (wprim_version() != WPRIM_VERSION) return 1;

  wprim_context* ctx;
  wprim_stream* stream;
  if (wprim_context_create(WPRIM_CPU, 0, &ctx) || wprim_stream_create(ctx, NULL, &stream) ||
      wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x, 1000, &sum) || wprim_stream_synchronize(stream)) {
    fprintf(stderr, "%s\n", wprim_last_error());
    return 1;
  }
  printf("%g\n", (double)sum);
  wprim_stream_destroy(stream);
  wprim_context_destroy(ctx);
  return sum == 500 ? 0 : 1;
}
