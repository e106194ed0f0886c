/* A matrix of scores, one row a sample, with unused columns at the end of each row: for every row the best class, its
 * softmax probability, and the mean of the scores. One call an op, all rows at once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <warpprim.h>

enum { ROWS = 64, CLASSES = 1000, STRIDE = 1024 };

static void check(wprim_status status) {
  if (status == WPRIM_OK) return;
  fprintf(stderr, "%s\n", wprim_last_error());
  exit(1);
}

static float scores[ROWS][STRIDE], top[ROWS], total[ROWS], mean[ROWS];
static int64_t best[ROWS];

int main(void) {
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < STRIDE; ++c) scores[r][c] = c < CLASSES ? 0.25f * (float)((r + c) % 8) : 1e9f;
    scores[r][7 * r] = 10;
  }

  wprim_context* ctx;
  wprim_stream* stream;
  check(wprim_context_create(WPRIM_CPU, 0, &ctx));
  check(wprim_stream_create(ctx, NULL, &stream));

  wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
  d.dtype = WPRIM_F32;
  d.in = scores, d.rows = ROWS, d.cols = CLASSES, d.row_stride = STRIDE;
  d.op = WPRIM_ARGMAX, d.out = best, check(wprim_reduce_ex(stream, &d));
  d.op = WPRIM_MAX, d.out = top, check(wprim_reduce_ex(stream, &d));
  d.op = WPRIM_LOGSUMEXP, d.out = total, check(wprim_reduce_ex(stream, &d));
  d.op = WPRIM_MEAN, d.out = mean, check(wprim_reduce_ex(stream, &d));
  check(wprim_stream_synchronize(stream));

  int wrong = 0;
  for (int r = 0; r < ROWS; ++r) {
    double sum = 0, exps = 0;
    for (int c = 0; c < CLASSES; ++c) sum += scores[r][c], exps += exp(scores[r][c] - 10.0);
    const double p = exp(top[r] - total[r]);
    wrong += best[r] != 7 * r || fabs(p - 1 / exps) > 1e-5 || fabs(mean[r] - sum / CLASSES) > 1e-6;
    if (r < 4)
      printf("row %d: class %3d, probability %.4f, mean %.4f\n", r, (int)best[r], p, (double)mean[r]);
  }
  printf("%d of %d rows are wrong\n", wrong, ROWS);

  wprim_stream_destroy(stream);
  wprim_context_destroy(ctx);
  return wrong != 0;
}
