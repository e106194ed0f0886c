/* warpprim.h - parallel primitives for the GPU and the CPU: one header, the same bits everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Read this file from top to bottom and you know the library. The shortest whole program:
 *
 *     #include <stdio.h>
 *     #include <warpprim.h>
 *
 *     int main(void) {
 *       float x[1000], sum;
 *       for (int i = 0; i < 1000; ++i) x[i] = 0.5f;
 *
 *       wprim_context* ctx;
 *       wprim_stream* stream;
 *       wprim_context_create(WPRIM_CPU, 0, &ctx);
 *       wprim_stream_create(ctx, NULL, &stream);
 *
 *       wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x, 1000, &sum);
 *       wprim_stream_synchronize(stream);
 *       printf("%g\n", sum);
 *
 *       wprim_stream_destroy(stream);
 *       wprim_context_destroy(ctx);
 *     }
 *
 * Rules that hold for every function, so that they are said once:
 *
 *   Status      Every function that can fail returns a wprim_status; WPRIM_OK is 0. On failure wprim_last_error()
 *               has the whole story: function, argument, value, rule. A failed call enqueued nothing, created
 *               nothing and touched no output.
 *   Outputs     Objects come out through the last argument, which is set to NULL on failure.
 *   Order       Functions that take a stream only enqueue, and return before the work is done, unless their
 *               comment says otherwise. Work on one stream runs in order. Memory that enqueued work reads or
 *               writes must stay valid, and not be changed, until that work is done. (The CPU backend may do a
 *               small op at once, on the calling thread, when the stream has nothing before it: handing it over
 *               would take longer. And who synchronises a stream of the CPU may be given its work to do.)
 *   Late errors An error that shows only when the work runs is reported, once, by the next
 *               wprim_stream_synchronize or wprim_stream_query of that stream that comes after it. Work enqueued
 *               behind it still runs.
 *   Lost GPU    Work with a bad address, the program's own kernels included, ends a process's use of the GPU: from then
 *               on every call for it gives WPRIM_ERROR_DEVICE, and the text says so. Nothing hangs, objects can be
 *               destroyed, and CPU contexts go on.
 *   Descs       A desc's first field is its struct_size; start from the matching _INIT macro, which fills it, and
 *               set what differs. Descs are read before the call returns and never kept. A desc compiled against
 *               an older header is accepted; one of a newer header is accepted if the fields that this library
 *               does not know are zero.
 *   Handles     Destroying NULL does nothing. Objects may be destroyed in any order, with work still in flight:
 *               that work completes, and what it needs lives until then. A destroyed handle, or one of another
 *               kind, is told as WPRIM_ERROR_INVALID_HANDLE.
 *   Threads     A context may be used by many threads at once, a stream or an event by one at a time. Different
 *               streams are independent. A plan or a graph may be launched by many threads at once, but not while
 *               one rebinds it.
 *   Modes       An op runs when it is called (eager), prepared once and launched often (a plan), as one of many
 *               that are launched together (a graph), or by a kernel that is already there (a resident stream).
 *               The result has the same bits.
 *   Counts      are uint64_t and count elements; strides too. Pointers must be aligned to their element.
 *   Exit        A process that ends does not wait for work in flight: synchronize first.
 *   Output      Nothing is ever printed, unless WARPPRIM_LOG or wprim_set_log asks for it.
 *   Environment WARPPRIM_LOG (warn, info, debug), WARPPRIM_NUM_THREADS, WARPPRIM_CPU_TARGET (SSE4, AVX2, or AVX3,
 *               which is AVX-512: keeps the CPU backend from using a better instruction set), WARPPRIM_CHECK (0 or
 *               1: whether a GPU context looks pointers up) and WARPPRIM_RESIDENT_IDLE_US (see resident streams)
 *               are read when a context is created.
 *
 * What each op computes, to the bit, is in docs/numerics.md.
 */
#ifndef WARPPRIM_H
#define WARPPRIM_H

#include <stddef.h>
#include <stdint.h>

#define WPRIM_VERSION_MAJOR 0
#define WPRIM_VERSION_MINOR 1
#define WPRIM_VERSION_PATCH 0
/* 10000 * major + 100 * minor + patch, to compare with wprim_version(). */
#define WPRIM_VERSION (WPRIM_VERSION_MAJOR * 10000 + WPRIM_VERSION_MINOR * 100 + WPRIM_VERSION_PATCH)

#ifndef WPRIM_API
#define WPRIM_API __attribute__((visibility("default")))
#endif

/* Every enum is 32 bits wide; in C++ any value may be passed, and one this header does not name is an
 * error, not undefined behaviour. */
#ifdef __cplusplus
#define WPRIM_ENUM_BASE : int32_t
extern "C" {
#else
#define WPRIM_ENUM_BASE
#endif

/* ---------------------------------------------------------------------------------------------------------
 * Statuses, errors, version, log
 */

typedef enum wprim_status WPRIM_ENUM_BASE {
  WPRIM_OK = 0,
  WPRIM_NOT_READY = 1,              /* a query: the work is not done yet; no failure, no new last error */
  WPRIM_ERROR_INVALID_ARGUMENT = 2, /* an argument breaks a rule */
  WPRIM_ERROR_INVALID_HANDLE = 3,   /* not an object of this kind, already destroyed, or of another context */
  WPRIM_ERROR_UNSUPPORTED = 4,   /* well formed, but without meaning (and of floats), or not in this build */
  WPRIM_ERROR_NO_DEVICE = 5,     /* no such device, or its driver is missing or too old */
  WPRIM_ERROR_OUT_OF_MEMORY = 6, /* host or device memory is exhausted */
  WPRIM_ERROR_CALLBACK = 7,      /* a host callback returned a failure */
  WPRIM_ERROR_DEVICE = 8,        /* the device reported an error */
  WPRIM_ERROR_INTERNAL = 9       /* a bug in warpprim: please report it */
} wprim_status;

/* The status as written above ("WPRIM_OK"), or "unknown wprim_status". Never NULL, never fails. */
WPRIM_API const char* wprim_status_name(wprim_status status);

/* The text of this thread's newest failure, "" before the first. Valid until the next failing call of this
 * thread. A call that succeeds does not change it. */
WPRIM_API const char* wprim_last_error(void);

/* The version of the library that is loaded; WPRIM_VERSION is that of the header. */
WPRIM_API uint32_t wprim_version(void);

/* One line on how the library was built: version, backends, compiler. Static memory. */
WPRIM_API const char* wprim_build_info(void);

typedef enum wprim_log_level WPRIM_ENUM_BASE {
  WPRIM_LOG_OFF = 0,
  WPRIM_LOG_WARN = 1, /* something is likely not as you want it */
  WPRIM_LOG_INFO = 2, /* one line an object: what was created, what was chosen once */
  WPRIM_LOG_DEBUG = 3 /* one line a call: what was chosen and why */
} wprim_log_level;

/* Receives one event as one line without a line break. May be called by any thread, also at the same time
 * as itself; must not call warpprim. */
typedef void (*wprim_log_fn)(wprim_log_level level, const char* line, void* user);

/* Sends events up to `level` to `fn`, or to stderr if `fn` is NULL. Replaces what WARPPRIM_LOG (warn, info
 * or debug) asked for. Returns when no other thread is inside the former callback any more.
 * INVALID_ARGUMENT: unknown level. */
WPRIM_API wprim_status wprim_set_log(wprim_log_level level, wprim_log_fn fn, void* user);

/* ---------------------------------------------------------------------------------------------------------
 * Devices and contexts
 */

typedef enum wprim_device_kind WPRIM_ENUM_BASE {
  WPRIM_CPU = 1, /* always there, as one device: ordinal 0 */
  WPRIM_CUDA = 2 /* ordinals as CUDA counts them */
} wprim_device_kind;

/* A device with its memory; everything else belongs to one. */
typedef struct wprim_context wprim_context;
/* An ordered queue of work. */
typedef struct wprim_stream wprim_stream;
/* A point in a stream. */
typedef struct wprim_event wprim_event;
/* One op, checked and prepared. */
typedef struct wprim_plan wprim_plan;
/* Several ops that are launched as one. */
typedef struct wprim_graph wprim_graph;

/* Number of devices of a kind; 0, not an error, where there is none (wprim_context_create then says why).
 * INVALID_ARGUMENT: unknown kind, count is NULL. */
WPRIM_API wprim_status wprim_device_count(wprim_device_kind kind, int32_t* count);

/* Opens a device. The CPU context starts no thread before there is work; it uses WARPPRIM_NUM_THREADS
 * threads in all for parallel ops, by default as many as the process may run on. On success the caller
 * owns *ctx.
 * INVALID_ARGUMENT: unknown kind, ctx is NULL. NO_DEVICE: no such device; the text tells no driver, a driver
 * too old and no GPU apart. UNSUPPORTED: the build has no such backend, or was not compiled for this GPU.
 * OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_context_create(wprim_device_kind kind, int32_t ordinal, wprim_context** ctx);

typedef struct wprim_context_info_desc {
  uint32_t struct_size;   /* in: sizeof(wprim_context_info_desc) */
  wprim_device_kind kind; /* out, as all below */
  int32_t ordinal;
  int32_t parallelism; /* threads that an op may use, or multiprocessors */
  uint64_t memory;     /* bytes of memory of the device */
  char name[128];      /* the processor or the GPU */
  char detail[128];    /* what was chosen for it: instruction set, or compute capability */
} wprim_context_info_desc;
#define WPRIM_CONTEXT_INFO_DESC_INIT {sizeof(wprim_context_info_desc), WPRIM_CPU, 0, 0, 0, {0}, {0}}

/* Describes a context. Fills the fields that this library knows; those of a newer header are left as they
 * were.
 * INVALID_ARGUMENT: info is NULL, its struct_size is too small. INVALID_HANDLE: ctx. */
WPRIM_API wprim_status wprim_context_info(wprim_context* ctx, wprim_context_info_desc* info);

/* Gives the handle up. The device stays open until the streams and events made from it are gone too; memory
 * made from it goes with it.
 * INVALID_HANDLE: ctx is not a context. */
WPRIM_API wprim_status wprim_context_destroy(wprim_context* ctx);

/* ---------------------------------------------------------------------------------------------------------
 * Streams
 */

typedef enum wprim_stream_kind WPRIM_ENUM_BASE {
  WPRIM_STREAM_LAUNCHED = 0, /* each op is launched */
  /* Small ops are posted to a kernel that stays on the GPU and waits for them: their results are there in about
   * half the time of a launch. Others are launched, in their place. For many small ops one after the other whose
   * results the host waits for; it costs a block's place on one multiprocessor. The kernel leaves when nothing
   * was posted for WARPPRIM_RESIDENT_IDLE_US microseconds (200), and now and then in any case, and comes back
   * with the next post: whoever waits for the whole device (cudaDeviceSynchronize, cudaFree, loading a module)
   * waits so much longer at most. A CPU has a thread that spins for as long. */
  WPRIM_STREAM_RESIDENT = 1
} wprim_stream_kind;

typedef struct wprim_stream_desc {
  uint32_t struct_size;
  /* A hint; lower is more urgent, as in CUDA, clamped to what the device has. The CPU ignores it. */
  int32_t priority;
  wprim_stream_kind kind;
} wprim_stream_desc;
#define WPRIM_STREAM_DESC_INIT {sizeof(wprim_stream_desc), 0, WPRIM_STREAM_LAUNCHED}

/* Creates a stream. desc may be NULL for the defaults. On success the caller owns *stream.
 * INVALID_ARGUMENT: stream is NULL, desc is malformed, unknown kind. INVALID_HANDLE: ctx. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_stream_create(wprim_context* ctx, const wprim_stream_desc* desc,
                                           wprim_stream** stream);

/* Makes a stream out of one that the program already has: `native` is a cudaStream_t of the context's
 * device, or one of CUDA's default streams. The native stream stays the caller's; it must outlive *stream,
 * and destroying *stream leaves it as it is. (cudaStreamPerThread is another stream in each thread: wrap it
 * in the thread that uses it.)
 * UNSUPPORTED: the device has no native streams (the CPU). INVALID_ARGUMENT: stream is NULL, native is a
 * stream of another device. INVALID_HANDLE: ctx. */
WPRIM_API wprim_status wprim_stream_wrap(wprim_context* ctx, void* native, wprim_stream** stream);

/* Waits until all work enqueued so far is done, and reports the first late error since the last report. On
 * every status the stream is idle and usable, unless the text says that the device is lost to the process.
 * INVALID_ARGUMENT: called from one of the stream's own host callbacks, which would never end.
 * INVALID_HANDLE: stream. Otherwise the status of the late error. */
WPRIM_API wprim_status wprim_stream_synchronize(wprim_stream* stream);

/* Like synchronize, without waiting: NOT_READY while work is left. */
WPRIM_API wprim_status wprim_stream_query(wprim_stream* stream);

/* Work enqueued on `stream` from now on runs after the point that `event` recorded last, on whatever
 * stream. Nothing if it never recorded.
 * INVALID_HANDLE: stream, event, or they belong to different devices. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_stream_wait(wprim_stream* stream, wprim_event* event);

/* A function of the host. What it returns other than WPRIM_OK becomes a late error of the stream,
 * WPRIM_ERROR_CALLBACK. It must not call warpprim. */
typedef wprim_status (*wprim_host_fn)(void* user);

/* Enqueues a call of fn(user), on a thread of the library. The stream waits for it to return.
 * INVALID_ARGUMENT: fn is NULL. INVALID_HANDLE: stream. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_stream_call(wprim_stream* stream, wprim_host_fn fn, void* user);

/* Gives the handle up and returns at once. Work already enqueued still runs; late errors of it are lost. A recording
 * that was begun on the stream is given up.
 * INVALID_HANDLE: stream is not a stream. */
WPRIM_API wprim_status wprim_stream_destroy(wprim_stream* stream);

/* ---------------------------------------------------------------------------------------------------------
 * Events
 */

/* Creates an event that has not recorded. On success the caller owns *event.
 * INVALID_ARGUMENT: event is NULL. INVALID_HANDLE: ctx. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_event_create(wprim_context* ctx, wprim_event** event);

/* The event now stands for the end of all work enqueued on the stream so far; what it recorded before is
 * forgotten.
 * INVALID_HANDLE: event, stream, or they are of different contexts. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_event_record(wprim_event* event, wprim_stream* stream);

/* Waits on the host for the recorded point. Returns at once if nothing was recorded. Late errors stay with
 * the stream.
 * INVALID_HANDLE: event. */
WPRIM_API wprim_status wprim_event_synchronize(wprim_event* event);

/* OK if the recorded point is reached or nothing was recorded, else NOT_READY. INVALID_HANDLE: event. */
WPRIM_API wprim_status wprim_event_query(wprim_event* event);

/* Time from `start` to `end` in milliseconds. NOT_READY, with *milliseconds untouched: one of them is not
 * reached yet.
 * INVALID_ARGUMENT: milliseconds is NULL, one of them never recorded. INVALID_HANDLE: start, end, or they
 * are of different contexts. */
WPRIM_API wprim_status wprim_event_elapsed(wprim_event* start, wprim_event* end, float* milliseconds);

/* Gives the handle up; waits already enqueued still hold. INVALID_HANDLE: event is not an event. */
WPRIM_API wprim_status wprim_event_destroy(wprim_event* event);

/* ---------------------------------------------------------------------------------------------------------
 * Element types
 */

typedef enum wprim_dtype WPRIM_ENUM_BASE {
  WPRIM_DTYPE_DEFAULT = 0, /* for an output: what the op gives by itself */
  WPRIM_F32 = 1,
  WPRIM_F64 = 2,
  WPRIM_F16 = 3,
  WPRIM_BF16 = 4,
  WPRIM_I8 = 5,
  WPRIM_I16 = 6,
  WPRIM_I32 = 7,
  WPRIM_I64 = 8,
  WPRIM_U8 = 9,
  WPRIM_U16 = 10,
  WPRIM_U32 = 11,
  WPRIM_U64 = 12,
  WPRIM_BOOL = 13 /* one byte; zero is false, anything else is true; written as 0 or 1 */
} wprim_dtype;

/* Bytes of an element, 0 for a value that is no element type. Never fails. */
WPRIM_API size_t wprim_dtype_size(wprim_dtype dtype);

/* ---------------------------------------------------------------------------------------------------------
 * Memory: conveniences. Any memory that the device can reach will do: for the CPU all host memory; for a GPU its
 * own, pinned host memory, managed memory, that of a peer, and where it reaches all of the process (HMM, or one
 * memory for both) any. A pointer that a GPU cannot reach is INVALID_ARGUMENT, in place of a GPU lost to the
 * process; WARPPRIM_CHECK=0 saves the look-up. The first byte counts: an array too short is not found.
 */

/* Allocates device memory, usable by work enqueued on `stream` from now on. The address is there on
 * return, aligned to 256 bytes; the bytes are not initialised. 0 bytes give NULL. On success the caller
 * owns *ptr and returns it with wprim_free; what is never freed goes with the context.
 * INVALID_ARGUMENT: ptr is NULL. INVALID_HANDLE: stream. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_malloc(wprim_stream* stream, uint64_t bytes, void** ptr);

/* Frees memory of wprim_malloc once the work enqueued on `stream` so far is done. A NULL ptr does nothing.
 * On failure the memory is still the caller's.
 * INVALID_ARGUMENT: ptr did not come from wprim_malloc of this context, or was freed. INVALID_HANDLE:
 * stream. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_free(wprim_stream* stream, void* ptr);

/* Allocates host memory that the device reads and writes directly (pinned, for a GPU). 0 bytes give NULL.
 * Owned as by wprim_malloc.
 * INVALID_ARGUMENT: ptr is NULL. INVALID_HANDLE: ctx. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_malloc_host(wprim_context* ctx, uint64_t bytes, void** ptr);

/* Frees memory of wprim_malloc_host, at once: no work may still use it. A NULL ptr does nothing.
 * INVALID_ARGUMENT: ptr did not come from wprim_malloc_host of this context, or was freed. INVALID_HANDLE:
 * ctx. */
WPRIM_API wprim_status wprim_free_host(wprim_context* ctx, void* ptr);

/* Copies bytes from src to dst, which must not overlap; each may be any memory of the host or of a device.
 * INVALID_ARGUMENT: a pointer is NULL with bytes > 0, the ranges overlap or wrap. INVALID_HANDLE: stream.
 * OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_copy(wprim_stream* stream, void* dst, const void* src, uint64_t bytes);

/* Sets n elements at dst to *value, which is read before the call returns.
 * INVALID_ARGUMENT: unknown dtype, value is NULL, dst is NULL with n > 0 or misaligned, n elements exceed
 * the address space. INVALID_HANDLE: stream. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_fill(wprim_stream* stream, wprim_dtype dtype, void* dst, uint64_t n,
                                  const void* value);

/* ---------------------------------------------------------------------------------------------------------
 * Reduce: many values to one, for a whole array or for each row of a matrix.
 */

/* Ops of every family. The numbers differ from those of wprim_dtype, so that swapped arguments are found. */
typedef enum wprim_op WPRIM_ENUM_BASE {
  WPRIM_SUM = 101,
  WPRIM_PROD = 102,
  WPRIM_MIN = 103,
  WPRIM_MAX = 104,
  WPRIM_ARGMIN = 105, /* index in the row; the lowest of equals */
  WPRIM_ARGMAX = 106,
  WPRIM_MINMAX = 107, /* two values a row: the minimum, then the maximum */
  WPRIM_AND = 108,    /* and, or, xor: bitwise on integers, logical on bool */
  WPRIM_OR = 109,
  WPRIM_XOR = 110,
  WPRIM_ANY = 111, /* is any, are all elements non-zero */
  WPRIM_ALL = 112,
  WPRIM_COUNT_NONZERO = 113,
  WPRIM_MEAN = 114,
  WPRIM_VAR = 115, /* see wprim_reduce_desc.ddof */
  WPRIM_STD = 116,
  WPRIM_L1 = 117,       /* sum of |x| */
  WPRIM_L2 = 118,       /* square root of the sum of squares */
  WPRIM_AMAX = 119,     /* largest |x| */
  WPRIM_LOGSUMEXP = 120 /* log of the sum of exp(x) */
} wprim_op;

typedef enum wprim_nan WPRIM_ENUM_BASE {
  WPRIM_NAN_PROPAGATE = 0, /* a NaN makes the result NaN; argmin and argmax give the first NaN's index */
  WPRIM_NAN_IGNORE = 1     /* NaNs do not take part */
} wprim_nan;

/* The output type of an op, by default and (after "or") on request:
 *
 *     sum prod l1                float: the same, or any float. Signed integers: i64 (l1: u64), unsigned and bool:
 *                                u64, or any integer (which wraps), or any float.
 *     l2 mean var std logsumexp  float: the same, or any float. Integers and bool: f64, or any float.
 *     min max minmax             the same.
 *     argmin argmax              i64, or i32 u32 u64.
 *     and or xor                 the same (integers and bool only).
 *     any all                    bool.
 *     count_nonzero              u64, or i64 i32 u32.
 *     amax                       the same; signed integers: the unsigned type of that width.
 *
 * f16 and bf16 accumulate in f32, f32 in f32 (in f64 if out_dtype is f64), and a float result is rounded once. Sums of
 * floats follow one fixed order, so the bits never depend on the device, the threads or the timing. Empty rows give the
 * identity: sum 0, prod 1, min +inf or the largest value, any 0, all 1, arg index -1, mean NaN, logsumexp -inf. */

/* out[0] = op over in[0 .. n). The default output type; `out` must not overlap the extent of `in`, gaps
 * between rows included. Sugar over wprim_reduce_ex.
 * INVALID_ARGUMENT: unknown op or dtype; in is NULL with n > 0; out is NULL; one is misaligned; they
 * overlap; n elements exceed the address space.
 * UNSUPPORTED: the op has no meaning for this type; the text names those that have. INVALID_HANDLE:
 * stream. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_reduce(wprim_stream* stream, wprim_op op, wprim_dtype dtype, const void* in,
                                    uint64_t n, void* out);

typedef struct wprim_reduce_desc {
  uint32_t struct_size;
  wprim_op op;
  wprim_dtype dtype;     /* of the input */
  wprim_dtype out_dtype; /* of the output; WPRIM_DTYPE_DEFAULT: see the table above */
  const void* in;        /* element (r, c) is in[r * row_stride + c]; may be NULL if there is none */
  void* out;             /* one value a row, packed (minmax: two); may be NULL if there is no row */
  uint64_t rows;         /* 1 for a whole array; 0 is fine and writes nothing */
  uint64_t cols;         /* elements of a row; 0 is fine and gives the op's empty value */
  /* Elements from one row to the next, at least cols. 0: packed, the same as cols. Not looked at where rows <= 1. */
  uint64_t row_stride;
  wprim_nan nan;
  /* var, std: the divisor is the number of elements - ddof. 0 (numpy's default) for a whole population, 1 (torch's
   * default) for a sample. Other ops: 0. */
  uint32_t ddof;
  /* If not NULL: where the op finds, when it runs, how many of the cols elements there are (more than cols counts as
   * cols). So an op can follow one that finds out. Memory of the device; only where rows = 1. */
  const uint64_t* n_on_device;
} wprim_reduce_desc;
#define WPRIM_REDUCE_DESC_INIT                                                                \
  {sizeof(wprim_reduce_desc), WPRIM_SUM, WPRIM_F32, WPRIM_DTYPE_DEFAULT, NULL, NULL, 1, 0, 0, \
   WPRIM_NAN_PROPAGATE,       0,         NULL}

/* One value for each of desc->rows rows.
 *
 *     wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
 *     d.op = WPRIM_ARGMAX;
 *     d.dtype = WPRIM_BF16;
 *     d.in = logits;  d.rows = batch;  d.cols = vocabulary;
 *     d.out = token;                                            // int64_t[batch]
 *     wprim_reduce_ex(stream, &d);
 *
 * Fails as wprim_reduce does. INVALID_ARGUMENT also: desc is NULL or its struct_size is wrong; unknown
 * nan; row_stride smaller than cols; ddof with an op that has none; cols too many for the output type of
 * argmin, argmax, count_nonzero; n_on_device misaligned, or with rows other than 1, or in out. UNSUPPORTED also:
 * out_dtype is none of the op's; the text names those that are. */
WPRIM_API wprim_status wprim_reduce_ex(wprim_stream* stream, const wprim_reduce_desc* desc);

/* ---------------------------------------------------------------------------------------------------------
 * Plans: one op, checked and prepared once, launched often.
 *
 *     wprim_plan_reduce(ctx, &d, &plan);
 *     for (;;) wprim_plan_launch(plan, stream);
 *
 * A plan may be in flight on several streams at once, and be destroyed while it is.
 */

/* Prepares what wprim_reduce_ex(stream, desc) would do on any stream of the context. On success the caller owns
 * *plan. A desc without rows makes a plan that does nothing.
 * Fails as wprim_reduce_ex does, at once for all that can be known ahead. INVALID_ARGUMENT also: plan is NULL.
 * INVALID_HANDLE: ctx. */
WPRIM_API wprim_status wprim_plan_reduce(wprim_context* ctx, const wprim_reduce_desc* desc,
                                         wprim_plan** plan);

/* Enqueues the op.
 * INVALID_HANDLE: plan, stream, or they are of different contexts. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_plan_launch(wprim_plan* plan, wprim_stream* stream);

/* What of an op can be exchanged. */
typedef enum wprim_slot WPRIM_ENUM_BASE {
  WPRIM_SLOT_IN = 201,    /* the input; of a copy: src */
  WPRIM_SLOT_OUT = 202,   /* the output; of a copy or a fill: dst */
  WPRIM_SLOT_COUNT = 203, /* n_on_device, where the op was given one */
  WPRIM_SLOT_VALUE = 204, /* of a fill: *pointer is read before the call returns */
  WPRIM_SLOT_USER = 205   /* of a host callback */
} wprim_slot;

typedef struct wprim_binding {
  uint64_t node; /* of a graph; a plan has one, 0 */
  wprim_slot slot;
  const void* pointer;
} wprim_binding;

/* The op uses other memory from the next launch on; launches before are not touched. On failure nothing has changed.
 * INVALID_ARGUMENT: the op has no such slot; with this pointer the op would be refused. INVALID_HANDLE: plan. */
WPRIM_API wprim_status wprim_plan_rebind(wprim_plan* plan, wprim_slot slot, const void* pointer);

/* Several at once, for memory that would overlap in between. */
WPRIM_API wprim_status wprim_plan_rebind_many(wprim_plan* plan, const wprim_binding* bindings,
                                              uint32_t count);

typedef enum wprim_format WPRIM_ENUM_BASE {
  WPRIM_TEXT = 301, /* lines of "name: value" */
  WPRIM_JSON = 302  /* one object */
} wprim_format;

/* What a launch will do: the kernel, its grid, block, shared memory and registers, the blocks that a multiprocessor
 * holds, the bytes read and written, and why it was chosen. For people: names and values may change. Writes at most
 * `room` bytes with the final 0, and to *length the length of the whole without it.
 * INVALID_ARGUMENT: unknown format, length is NULL, text is NULL with room > 0. INVALID_HANDLE: plan. */
WPRIM_API wprim_status wprim_plan_describe(wprim_plan* plan, wprim_format format, char* text, uint64_t room,
                                           uint64_t* length);

/* Gives the handle up; launches in flight complete. INVALID_HANDLE: plan is not a plan. */
WPRIM_API wprim_status wprim_plan_destroy(wprim_plan* plan);

/* ---------------------------------------------------------------------------------------------------------
 * Graphs: calls that are recorded in place of being enqueued, and launched together as often as one likes.
 *
 *     wprim_graph_begin(stream);
 *     wprim_fill(stream, WPRIM_F32, x, n, &zero);           // node 0
 *     wprim_reduce(stream, WPRIM_SUM, WPRIM_F32, x, n, y);  // node 1
 *     wprim_graph_end(stream, &graph);
 *     for (;;) wprim_graph_launch(graph, stream);
 *
 * Reduces, copies, fills, host callbacks and launches of plans are recorded: the nodes, counted from 0 in the order
 * of the calls. A stream of the same context that waits for an event of a recording joins it, so work can fork and
 * join; by the end all of it must have come back to the first stream. Allocating, freeing, synchronising, querying,
 * launching a graph and asking an event of the recording are refused meanwhile, and the recording goes on.
 *
 * Only calls of this library are recorded, and CUDA does not know of it. Where others' work on a borrowed stream is
 * to be part of the graph, use CUDA's own capture: every call of this library that enqueues can be captured, by
 * cudaStreamBeginCapture, PyTorch or CuPy, and what it needs lives as long as that graph.
 */

/* From now on calls for this stream are recorded.
 * INVALID_ARGUMENT: it is recorded already. UNSUPPORTED: a resident stream. INVALID_HANDLE: stream. */
WPRIM_API wprim_status wprim_graph_begin(wprim_stream* stream);

/* Ends the recording, and makes a graph of it. On success the caller owns *graph. A call refused as INVALID_ARGUMENT
 * or INVALID_HANDLE leaves the recording going on; after any other failure it is over.
 * INVALID_ARGUMENT: graph is NULL; no recording was begun on this stream; work has not come back. INVALID_HANDLE:
 * stream. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_graph_end(wprim_stream* stream, wprim_graph** graph);

/* Enqueues all of it: the stream goes on when the last of it is done. Launches of one graph run one after the other,
 * on whatever streams.
 * INVALID_HANDLE: graph, stream, or they are of different contexts. UNSUPPORTED: stream is being recorded or
 * captured. OUT_OF_MEMORY. */
WPRIM_API wprim_status wprim_graph_launch(wprim_graph* graph, wprim_stream* stream);

/* As wprim_plan_rebind, for one node; nothing is built anew.
 * INVALID_ARGUMENT also: there is no such node. UNSUPPORTED: a copy within the device would become one to or from
 * the host, or the reverse. INVALID_HANDLE: graph. */
WPRIM_API wprim_status wprim_graph_rebind(wprim_graph* graph, uint64_t node, wprim_slot slot,
                                          const void* pointer);

/* Several at once, of one node or of many. */
WPRIM_API wprim_status wprim_graph_rebind_many(wprim_graph* graph, const wprim_binding* bindings,
                                               uint32_t count);

/* As wprim_plan_describe, for each node, with the nodes that it comes after. */
WPRIM_API wprim_status wprim_graph_describe(wprim_graph* graph, wprim_format format, char* text,
                                            uint64_t room, uint64_t* length);

/* Gives the handle up; launches in flight complete. INVALID_HANDLE: graph is not a graph. */
WPRIM_API wprim_status wprim_graph_destroy(wprim_graph* graph);

#ifdef __cplusplus
}
#endif
#endif /* WARPPRIM_H */
