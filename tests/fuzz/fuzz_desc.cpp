// Fuzz target: bytes become calls of wprim_reduce_ex, wprim_reduce, wprim_fill and wprim_copy, of which many
// are valid and many are not: at once, from a plan or a graph, on a launched or a resident stream. The rules of the header are written down here a second time, as "is this call
// valid?"; the library must agree, must leave everything alone when it refuses, and must write only the
// output when it does not.
//
// A valid call for memory that is not ours (the header allows any pointer) is not made.
#include <warpprim.h>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "input.h"
#include "rules.h"

#if !defined(__SANITIZE_ADDRESS__) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__  // clang's way to say it
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(begin, size) ((void)(begin), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(begin, size) ((void)(begin), (void)(size))
#endif

namespace {

using namespace rules;

[[noreturn]] void complain(const char* what, const std::string& call, wprim_status status) {
  std::fprintf(stderr, "fuzz_desc: %s\n  %s\n  status %s, last error: %s\n", what, call.c_str(),
               wprim_status_name(status), wprim_last_error());
  std::abort();
}

// The memory that calls play in, with a copy to compare with.
constexpr size_t kArena = 48 << 10;
alignas(64) unsigned char arena[kArena];
unsigned char before[kArena];

bool in_arena(uintptr_t address, Wide bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(arena);
  return address >= begin && address - begin + bytes <= kArena;
}

// Everything outside of what the call may touch is poisoned, where there is a sanitizer to notice.
void allow_only(std::initializer_list<Extent> extents) {
  ASAN_POISON_MEMORY_REGION(arena, kArena);
  for (const Extent& e : extents) {
    ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<void*>(e.address), static_cast<size_t>(e.bytes()));
  }
}

bool in_arena(const Extent& e) { return e.elements == 0 || in_arena(e.address, e.bytes()); }

// ---- Making up calls.

const int64_t kWildNumbers[] = {-1, INT32_MIN, INT32_MAX, 0, 14, 15, 100, 101, 120, 121, 255, 1 << 16};

int32_t some_dtype(Input& input) {
  if (input.once_in(32)) return static_cast<int32_t>(kWildNumbers[input.below(std::size(kWildNumbers))]);
  return 1 + static_cast<int32_t>(input.below(13));
}
int32_t some_op(Input& input) {
  if (input.once_in(32)) return static_cast<int32_t>(kWildNumbers[input.below(std::size(kWildNumbers))]);
  return WPRIM_SUM + static_cast<int32_t>(input.below(20));
}

// Mostly a number up to `most`; now and then one where products wrap.
uint64_t some_count(Input& input, uint64_t most) {
  switch (input.below(24)) {
    case 0: return uint64_t{1} << input.below(64);
    case 1: return (uint64_t{1} << input.below(64)) + input.below(3) - 1;
    case 2: return UINT64_MAX - input.below(10);
    case 3: return input.take(8);
    case 4:
    case 5: return input.below(3);
    default: return input.below(most + 1);
  }
}

// Mostly a place in the arena, aligned to `size`.
unsigned char* some_place(Input& input, size_t size) {
  switch (input.below(32)) {
    case 0: return nullptr;
    case 1: return reinterpret_cast<unsigned char*>(UINTPTR_MAX - input.below(64));
    case 2: return arena + input.below(kArena);
    default: return arena + input.below(kArena / 8) * 8 / size * size;
  }
}

// ---- Calls. Each says what it is, whether it is valid, and what it may write.

class Player {
 public:
  void play(Input& input) {
    // Some of the work runs on the stream's thread, behind a callback; the rest at once.
    queued_ = input.once_in(4);
    way_ = static_cast<Way>(input.below(4));
    stream_ = way_ == Way::resident ? resident_ : launched_;
    switch (input.below(8)) {
      case 0: return fill(input);
      case 1: return copy(input);
      case 2: return simple_reduce(input);
      default: return reduce(input);
    }
  }

 private:
  enum class Way { eager, plan, graph, resident };

  // A reduce in the way of the turn. What is refused, is refused in each.
  template <class Call>
  wprim_status make(const wprim_reduce_desc* desc, Call call) {
    if (way_ == Way::plan && desc) {
      wprim_plan* plan = nullptr;
      wprim_status status = wprim_plan_reduce(context_, desc, &plan);
      if (status == WPRIM_OK) status = wprim_plan_launch(plan, stream_);
      if (wprim_plan_destroy(plan) != WPRIM_OK) std::abort();
      return status;
    }
    if (way_ != Way::graph) return call();
    wprim_graph* graph = nullptr;
    if (wprim_graph_begin(stream_) != WPRIM_OK) std::abort();
    const wprim_status status = call();
    if (wprim_graph_end(stream_, &graph) != WPRIM_OK) std::abort();
    if (wprim_graph_launch(graph, stream_) != WPRIM_OK) std::abort();
    if (wprim_graph_destroy(graph) != WPRIM_OK) std::abort();
    return status;
  }

  void reduce(Input& input) {
    // A desc of an older or newer header is a prefix of this.
    struct {
      wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
      unsigned char more[64] = {};
    } user;
    wprim_reduce_desc& d = user.desc;
    make_up(input, &d);
    d.nan = static_cast<wprim_nan>(input.once_in(32) ? input.below(5) : input.below(2));
    const bool has_ddof = d.op == WPRIM_VAR || d.op == WPRIM_STD;
    d.ddof = has_ddof ? static_cast<uint32_t>(input.below(4)) : input.once_in(32);
    bool known = true;  // the desc's version
    switch (input.below(24)) {
      case 0:
        d.struct_size = static_cast<uint32_t>(input.below(offsetof(wprim_reduce_desc, nan)));
        known = false;
        break;
      case 1: d.struct_size = offsetof(wprim_reduce_desc, nan); break;
      case 2: d.struct_size = offsetof(wprim_reduce_desc, ddof); break;
      case 3: d.struct_size = sizeof user - static_cast<uint32_t>(input.below(32)); break;
      case 4:
        d.struct_size = sizeof user - static_cast<uint32_t>(input.below(32));
        user.more[input.below(32)] = 1;
        known = false;
        break;
      default: break;
    }
    // What an older desc does not have is the default.
    const auto nan = d.struct_size > offsetof(wprim_reduce_desc, nan) ? d.nan : WPRIM_NAN_PROPAGATE;
    const uint32_t ddof = d.struct_size > offsetof(wprim_reduce_desc, ddof) ? d.ddof : 0;
    bool valid = known && (nan == WPRIM_NAN_PROPAGATE || nan == WPRIM_NAN_IGNORE) && (ddof == 0 || has_ddof);
    const wprim_reduce_desc* desc = input.once_in(64) ? nullptr : &d;
    valid = valid && desc;
    // A size that ends inside the pointer is not made.
    wprim_reduce_desc seen = d;
    if (d.struct_size <= offsetof(wprim_reduce_desc, n_on_device)) seen.n_on_device = nullptr;
    Extent in, out, number;
    valid = check_reduce(seen, &in, &out, &number) && valid;
    const auto call = [&] { return make(desc, [&] { return wprim_reduce_ex(stream_, desc); }); };
    run("wprim_reduce_ex " + describe(d), valid, {in, number}, out, call);
  }

  void simple_reduce(Input& input) {
    wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
    make_up(input, &d);
    d.out_dtype = WPRIM_DTYPE_DEFAULT;
    d.rows = 1;
    d.row_stride = 0;
    d.n_on_device = nullptr;
    Extent in, out, number;
    const bool valid = check_reduce(d, &in, &out, &number);
    const auto simple = [&] { return wprim_reduce(stream_, d.op, d.dtype, d.in, d.cols, d.out); };
    run("wprim_reduce " + describe(d), valid, {in}, out, [&] { return make(nullptr, simple); });
  }

  void fill(Input& input) {
    const int32_t dtype = some_dtype(input);
    const size_t size = std::max<size_t>(1, size_of(dtype));
    const uint64_t n = some_count(input, kArena / 2 / size);
    unsigned char* dst = some_place(input, size);
    const uint64_t bits = input.take(8);
    const void* value = input.once_in(32) ? nullptr : &bits;
    const Extent out = array(dst, 1, n, n, size);
    const bool valid = size_of(dtype) && value && out.valid();
    const auto call = [&] { return wprim_fill(stream_, static_cast<wprim_dtype>(dtype), dst, n, value); };
    run("wprim_fill dtype " + std::to_string(dtype) + " n " + std::to_string(n) + place(" dst ", dst), valid,
        {}, out, call);
    if (valid && made_) {
      for (uint64_t i = 0; i < n * size; ++i) {
        if (dst[i] != reinterpret_cast<const unsigned char*>(&bits)[i % size])
          complain("fill: wrong", "", WPRIM_OK);
      }
    }
  }

  void copy(Input& input) {
    const uint64_t bytes = some_count(input, kArena / 3);
    unsigned char *dst = some_place(input, 1), *src = some_place(input, 1);
    const Extent in = array(src, 1, bytes, bytes, 1), out = array(dst, 1, bytes, bytes, 1);
    const bool valid = in.valid() && out.valid() && !overlap(in, out);
    const auto call = [&] { return wprim_copy(stream_, dst, src, bytes); };
    run("wprim_copy bytes " + std::to_string(bytes) + place(" dst ", dst) + place(" src ", src), valid, {in},
        out, call);
    if (valid && made_ && bytes > 0 && std::memcmp(dst, src, bytes) != 0)
      complain("copy: wrong", "", WPRIM_OK);
  }

  static void make_up(Input& input, wprim_reduce_desc* d) {
    d->op = static_cast<wprim_op>(some_op(input));
    d->dtype = static_cast<wprim_dtype>(some_dtype(input));
    d->out_dtype = static_cast<wprim_dtype>(input.once_in(3) ? some_dtype(input) : 0);
    const size_t size = std::max<size_t>(1, size_of(d->dtype));
    const uint64_t room = kArena / 2 / size;  // elements that are likely to fit
    switch (input.below(4)) {
      case 0:  // one row, of any length
        d->cols = some_count(input, room);
        break;
      case 1:  // many short ones
        d->cols = some_count(input, 40);
        d->rows = some_count(input, 60);
        break;
      default: d->rows = some_count(input, 8); d->cols = some_count(input, room / 8);
    }
    if (input.once_in(3))
      d->row_stride = input.once_in(8) ? some_count(input, 100) : d->cols + some_count(input, 20);
    if (input.once_in(6)) {
      d->n_on_device = reinterpret_cast<const uint64_t*>(some_place(input, 8));
      if (!input.once_in(8)) d->rows = 1;
    }
    d->in = some_place(input, size);
    d->out = some_place(input, 8);
    // Outputs behind the input, where they do not overlap.
    if (!input.once_in(4))
      d->out = arena + kArena - 16 * std::min<uint64_t>(d->rows, 60) - 16 * input.below(20);
  }

  template <class Call>
  void run(const std::string& what, bool valid, std::initializer_list<Extent> ins, const Extent& out,
           Call call) {
    // Valid, but of memory that is not ours or of more rows than we have time for.
    const auto ours = [](const Extent& e) { return in_arena(e); };
    made_ = !valid || (std::all_of(ins.begin(), ins.end(), ours) && ours(out));
    if (!made_) return;
    std::memcpy(before, arena, kArena);
    if (queued_ && wprim_stream_call(stream_, [](void*) { return WPRIM_OK; }, nullptr) != WPRIM_OK)
      std::abort();
    if (valid) {
      allow_only(ins);
      ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<void*>(out.address), static_cast<size_t>(out.bytes()));
    } else {
      allow_only({});
    }
    const wprim_status status = call();
    const wprim_status done = wprim_stream_synchronize(stream_);
    ASAN_UNPOISON_MEMORY_REGION(arena, kArena);
    if (valid && status != WPRIM_OK) complain("a valid call was refused", what, status);
    if (!valid && status != WPRIM_ERROR_INVALID_ARGUMENT && status != WPRIM_ERROR_UNSUPPORTED) {
      complain("an invalid call was not refused", what, status);
    }
    if (!valid && *wprim_last_error() == '\0') complain("refused without a word", what, status);
    if (done != WPRIM_OK) complain("a late error", what, done);
    const size_t begin = valid && out.elements ? out.address - reinterpret_cast<uintptr_t>(arena) : 0;
    const size_t end = valid && out.elements ? begin + static_cast<size_t>(out.bytes()) : 0;
    if (std::memcmp(arena, before, begin) != 0 || std::memcmp(arena + end, before + end, kArena - end) != 0) {
      complain("memory changed that is not the output", what, status);
    }
    ++(valid ? valid_ : invalid_);
  }

  static std::string place(const char* name, const void* pointer) {
    char text[64];
    std::snprintf(text, sizeof text, "%sarena%+" PRIdPTR, name,
                  reinterpret_cast<intptr_t>(pointer) - reinterpret_cast<intptr_t>(arena));
    return text;
  }

  static std::string describe(const wprim_reduce_desc& d) {
    char text[256];
    std::snprintf(text, sizeof text,
                  "size %u op %d dtype %d out %d rows %" PRIu64 " cols %" PRIu64 " stride %" PRIu64
                  " nan %d ddof %u",
                  d.struct_size, d.op, d.dtype, d.out_dtype, d.rows, d.cols, d.row_stride, d.nan, d.ddof);
    return text + place(" in ", d.in) + place(" out ", d.out) + place(" n_on_device ", d.n_on_device);
  }

 public:
  Player() {
    if (wprim_context_create(WPRIM_CPU, 0, &context_) != WPRIM_OK) std::abort();
    if (wprim_stream_create(context_, nullptr, &launched_) != WPRIM_OK) std::abort();
    wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
    desc.kind = WPRIM_STREAM_RESIDENT;
    if (wprim_stream_create(context_, &desc, &resident_) != WPRIM_OK) std::abort();
    for (size_t i = 0; i < kArena; ++i) arena[i] = static_cast<unsigned char>(i * 7 + (i >> 8) * 13);
  }
  ~Player() {
    wprim_stream_destroy(launched_);
    wprim_stream_destroy(resident_);
    wprim_context_destroy(context_);
  }
  uint64_t valid_ = 0, invalid_ = 0;  // calls made

 private:
  wprim_context* context_ = nullptr;
  wprim_stream *launched_ = nullptr, *resident_ = nullptr;
  wprim_stream* stream_ = nullptr;  // one of them, by the way of the turn
  Way way_ = Way::eager;
  bool queued_ = false;
  bool made_ = false;
};

Player& player() {
  static Player one;
  return one;
}

}  // namespace

// For the driver: how many calls were made.
void fuzz_calls(uint64_t* valid, uint64_t* invalid) {
  *valid = player().valid_;
  *invalid = player().invalid_;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  do player().play(input);
  while (!input.empty());
  return 0;
}
