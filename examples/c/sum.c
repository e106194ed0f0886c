/* The shortest whole program: the sum of an array, on the CPU. */
#include <stdio.h>
#include <warpprim.h>

int main(void) {
  float x[1000], sum = 0;
  for (int i = 0; i < 1000; ++i) x[i] = 0.5f;

  wprim_context* ctx;
  wprim_stream* stream;
  if (wprim_context_create(WPRIM_CPU, 0, &ctx) != WPRIM_OK ||
      wprim_stream_create(ctx, NULL, &stream) != WPRIM_OK) {
    fprintf(stderr, "%s\n", wprim_last_error());
    return 1;
  }

  wprim_status status = wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x, 1000, &sum);
  if (status == WPRIM_OK) status = wprim_stream_synchronize(stream);
  if (status == WPRIM_OK) {
    printf("the sum of 1000 halves is %g\n", (double)sum);
  } else {
    fprintf(stderr, "%s\n", wprim_last_error());
  }

  wprim_stream_destroy(stream);
  wprim_context_destroy(ctx);
  return status == WPRIM_OK && sum == 500.0f ? 0 : 1;
}
