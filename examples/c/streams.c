/* Two streams: one makes data with a host callback, the other sums it once an event says that it is there. Then an
 * error of each kind: one told by the call itself, one told late, when the work has run. */
#include <stdio.h>
#include <stdlib.h>
#include <warpprim.h>

enum { N = 1 << 20 };
static int32_t data[N];

static void check(wprim_status status) {
  if (status == WPRIM_OK) return;
  fprintf(stderr, "%s\n", wprim_last_error());
  exit(1);
}

/* Host callbacks run on a thread of the library, in the order of their stream. They must not call warpprim. */
static wprim_status produce(void* user) {
  for (int i = 0; i < N; ++i) data[i] = i % *(const int*)user;
  return WPRIM_OK;
}

static wprim_status give_up(void* user) {
  (void)user;
  return WPRIM_ERROR_CALLBACK;
}

int main(void) {
  wprim_context* ctx;
  wprim_stream *producer, *consumer;
  wprim_event* ready;
  check(wprim_context_create(WPRIM_CPU, 0, &ctx));
  check(wprim_stream_create(ctx, NULL, &producer));
  check(wprim_stream_create(ctx, NULL, &consumer));
  check(wprim_event_create(ctx, &ready));

  int modulus = 8;
  int64_t sum = 0; /* integers sum to 64 bits unless out_dtype says otherwise */
  check(wprim_stream_call(producer, produce, &modulus));
  check(wprim_event_record(ready, producer));
  check(wprim_stream_wait(consumer, ready)); /* nothing has waited yet: all of this only enqueues */
  check(wprim_reduce(consumer, WPRIM_SUM, WPRIM_I32, data, N, &sum));
  check(wprim_stream_synchronize(consumer));
  printf("sum %lld\n", (long long)sum);

  wprim_status now = wprim_reduce(consumer, WPRIM_XOR, WPRIM_F32, data, N, &sum);
  printf("told at once: %s\n  %s\n", wprim_status_name(now), wprim_last_error());

  check(wprim_stream_call(producer, give_up, NULL));
  wprim_status late = wprim_stream_synchronize(producer), after = wprim_stream_synchronize(producer);
  printf("told late:    %s\n  %s\n", wprim_status_name(late), wprim_last_error());

  wprim_event_destroy(ready);
  wprim_stream_destroy(consumer);
  wprim_stream_destroy(producer);
  wprim_context_destroy(ctx);
  return !(sum == 3670016 && now == WPRIM_ERROR_UNSUPPORTED && late == WPRIM_ERROR_CALLBACK &&
           after == WPRIM_OK);
}
