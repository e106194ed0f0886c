// The resident kernel and a host that posts to it. Block 0 is the GPU, which runs one kernel after the other as it is asked
// to; thread 0 of block 1 is the host, and does what src/cuda/resident.cpp does.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "core/reduce.h"
#include "cuda/instances/find.h"
#include "cuda/kernels/resident.cuh"
#include "cuda/reduce.h"
#include "support.h"

namespace {

using namespace simt;
using namespace wprim::cuda;
using wprim::cuda::Launch;
namespace machine = wprim::machine;

constexpr unsigned kOps = 14, kMostElements = 64;
constexpr uint32_t kRecordsUsed = 3;  // so that they are written again
constexpr uint64_t kEnd = ~0ull;

// What the host does for an op, beside posting it.
struct Step {
  bool waits;       // for all posts, before it
  bool sends_away;  // the kernel, before it
};

struct Pair {
  Mailbox* mailbox;
  uint64_t* asked;  // for each kernel that the GPU shall run, the post that it begins with; 0: not yet
  uint64_t* in;     // kMostElements for each op
  const Launch* launches;
  const Step* steps;
  uint64_t idle, stay;
};

void be_gpu(const Pair& pair) {
  WPRIM_SHARED(order, uint64_t[1]);
  for (uint64_t number = 1;; ++number) {
    if (machine::thread_index() == 0) {
      uint64_t asked;
      do asked = machine::load_cell(&pair.asked[number]);
      while (asked == 0);
      machine::fence_system();
      order[0] = asked;
    }
    machine::block_barrier();  // what was asked for is there
    const uint64_t asked = order[0];
    if (asked == kEnd) return;
    reside({pair.mailbox, number, asked, pair.idle, pair.stay});
    machine::block_barrier();  // the kernel is over
  }
}

class Host {
 public:
  explicit Host(const Pair& pair) : pair_(pair), mailbox_(*pair.mailbox) {}

  void post(unsigned op) {
    const uint32_t index = op % kRecordsUsed;
    wait_for(used_[index]);
    Record& record = mailbox_.records[index];
    record.function = pair_.launches[op].resident;
    std::memcpy(record.parameters, pair_.launches[op].parameters, kRecordBytes);
    for (unsigned i = 0; i < kMostElements; ++i) pair_.in[op * kMostElements + i] = op + i;
    make_post((op + 1) * kRecords + index);
    used_[index] = posted_;
  }

  void wait_for_all() { wait_for(posted_); }

  void send_away() {
    if (present_ && !is_gone()) make_post(kLeave);
    present_ = false;
  }

  void end() {
    machine::fence_system();
    machine::store_system(&pair_.asked[kernels_ + 1], kEnd);
  }

 private:
  void make_post(uint32_t what) {
    ++posted_;
    machine::fence_system();
    machine::store_system(&mailbox_.posts[posted_ % kPosts], posted_ << 32 | what);
    machine::fence_system();  // posted before the kernel is asked whether it is there
    if ((!present_ || is_gone()) && what != kLeave) {
      machine::store_system(&pair_.asked[++kernels_], posted_);
      present_ = true;
    }
  }
  bool is_gone() const {
    uint64_t state;
    do state = machine::load_cell(&mailbox_.state);
    while (state == state_leaving(kernels_));
    return state == state_gone(kernels_);
  }
  void wait_for(uint64_t posts) const {
    while (machine::load_cell(&mailbox_.done) < posts) {
    }
    machine::fence_system();
  }

  const Pair& pair_;
  Mailbox& mailbox_;
  uint64_t posted_ = 0, kernels_ = 0;
  uint64_t used_[kRecordsUsed] = {};
  bool present_ = false;
};

void be_host(const Pair& pair) {
  Host host(pair);
  for (unsigned op = 0; op < kOps; ++op) {
    if (pair.steps[op].waits) host.wait_for_all();
    if (pair.steps[op].sends_away) host.send_away();
    host.post(op);
  }
  host.wait_for_all();
  host.send_away();
  host.end();
}

void run_pair(const Pair& pair) {
  if (machine::block_index() == 0) {
    be_gpu(pair);
  } else if (machine::thread_index() == 0) {
    be_host(pair);
  }
}

void check_pair(uint64_t seed) {
  std::mt19937_64 random(seed);
  const Array box("the mailbox", sizeof(Mailbox), Content::zero),
      asked("the GPU's orders", (kOps + 2) * 8, Content::zero),
      in("the input", kOps * kMostElements * 8, Content::poison),
      out("the output", kOps * 8, Content::poison);
  Launch launches[kOps];
  Step steps[kOps];
  uint64_t expected[kOps];
  for (unsigned op = 0; op < kOps; ++op) {
    wprim_reduce_desc d = WPRIM_REDUCE_DESC_INIT;
    d.dtype = WPRIM_U64;
    d.in = in.get() + 8 * kMostElements * op;
    d.cols = 1 + random() % kMostElements;
    d.out = out.get() + 8 * op;
    wprim::Reduce reduce;
    ASSERT_TRUE(wprim::check_reduce(&d, "cols", &reduce).ok());
    prepare_reduce(reduce, 1, &launches[op]);
    steps[op] = {random() % 3 == 0, random() % 4 == 0};
    expected[op] = d.cols * op + d.cols * (d.cols - 1) / 2;
  }
  const Pair pair{reinterpret_cast<Mailbox*>(box.get()),
                  reinterpret_cast<uint64_t*>(asked.get()),
                  reinterpret_cast<uint64_t*>(in.get()),
                  launches,
                  steps,
                  random() % 4,  // so short that kernels leave by themselves, often just when a post comes
                  random() % 40};
  pair.mailbox->state = state_gone(0);
  const Schedule schedule = Schedule::of_seed(seed);
  Launch both;
  both.kernel = resident_kernel_address();
  both.blocks = 2;
  both.threads = kThreads;
  const auto finding = run(both, {schedule, 2}, [&] { run_pair(pair); }).finding;
  ASSERT_FALSE(finding) << finding->text << "\n" << schedule.describe();
  for (unsigned op = 0; op < kOps; ++op) {
    ASSERT_EQ(reinterpret_cast<const uint64_t*>(out.get())[op], expected[op])
        << "op " << op << ", " << schedule.describe();
  }
}

// Many for each seed: a post must come between two steps of a kernel that leaves, or nothing could go wrong.
TEST(Mailbox, EachPostIsDoneOnceAndInOrder) {
  constexpr uint64_t kPairs = 100;
  for (const uint64_t seed : seeds()) {
    for (uint64_t i = 0; i < kPairs && !HasFatalFailure(); ++i) check_pair(seed * kPairs + i);
    ASSERT_FALSE(HasFatalFailure()) << "to replay: WARPPRIM_SIMT_SEED=" << seed;
  }
}

}  // namespace
