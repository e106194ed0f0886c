#include "cuda/resident.h"

#include <atomic>
#include <cstring>

#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/instances/find.h"
#include "cuda/plan.h"
#include "cuda/query.h"

namespace wprim::cuda {
namespace {

// Words that the GPU writes, or reads, at the same time.
uint64_t load(const uint64_t& word) {
  return std::atomic_ref(const_cast<uint64_t&>(word)).load(std::memory_order_acquire);
}
void store(uint64_t& word, uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_release); }

constexpr unsigned kThreads = 256;       // of the kernel
constexpr uint64_t kRoom = kPosts - 32;  // posts that may be on their way
constexpr uint32_t kWays = 4;            // records that an op may have
constexpr size_t kHashedBytes = 64;      // of the parameters: pointers and shape
static_assert(Launch::kMostBytes == kRecordBytes);
constexpr uint32_t kTurns = 4096;         // of waiting, until CUDA is asked whether all is well
constexpr uint64_t kStayNs = 10'000'000;  // a kernel that is never idle makes room now and then

}  // namespace

Status Residence::create(std::unique_ptr<Residence>* residence) {
  auto created = std::make_unique<Residence>();
  WPRIM_CUDA_TRY(
      cudaHostAlloc(reinterpret_cast<void**>(&created->mailbox), sizeof(Mailbox), cudaHostAllocPortable));
  std::memset(static_cast<void*>(created->mailbox), 0, sizeof(Mailbox));
  created->mailbox->state = state_gone(0);
  WPRIM_CUDA_TRY(cudaEventCreateWithFlags(&created->last, cudaEventDisableTiming));
  // Loaded before it stays: later, loading might wait for it to leave.
  cudaFuncAttributes attributes;
  WPRIM_CUDA_TRY(cudaFuncGetAttributes(&attributes, resident_kernel_address()));
  *residence = std::move(created);
  return {};
}

Residence::~Residence() {
  if (last) {
    ignore(cudaEventSynchronize(last));  // the last kernel is gone
    ignore(cudaEventDestroy(last));
  }
  if (mailbox) ignore(cudaFreeHost(mailbox));
}

ResidentStream::ResidentStream(std::shared_ptr<CudaContext> context, cudaStream_t native,
                               std::unique_ptr<Residence> residence)
    : CudaStream(std::move(context), native, true), home_(std::move(residence)) {}

ResidentStream::~ResidentStream() {
  const DeviceScope scope(cuda_context().device());
  static_cast<void>(send_away().ok());
  ignore(cudaEventRecord(home_->last, native()));
  cuda_context().keep(std::move(home_));
}

Status ResidentStream::check_may_record() {
  return fail(WPRIM_ERROR_UNSUPPORTED, "stream is resident: record on another, and launch here");
}

Status ResidentStream::enqueue(const Work& work) {
  const DeviceScope scope(cuda_context().device());
  Step step;
  WPRIM_TRY(prepare(work, cuda_context(), nullptr, &step));
  return post_or_run(step);
}

Status ResidentStream::enqueue(const Plan& plan) {
  const DeviceScope scope(cuda_context().device());
  Step step = static_cast<const CudaPlan&>(plan).step();
  return post_or_run(step);
}

Status ResidentStream::enqueue(Graph& graph) {
  WPRIM_TRY(send_away());
  return CudaStream::enqueue(graph);
}

Status ResidentStream::enqueue_record(Event& event) {
  WPRIM_TRY(send_away());
  return CudaStream::enqueue_record(event);
}

Status ResidentStream::enqueue_wait(Event& event) {
  WPRIM_TRY(send_away());
  return CudaStream::enqueue_wait(event);
}

Status ResidentStream::post_or_run(Step& step) {
  const auto* launch = std::get_if<Launch>(&step);
  if (launch && launch->resident) return post(*launch);
  WPRIM_TRY(send_away());
  return run(step);
}

Status ResidentStream::send_away() {
  posted_last_ = false;
  if (!present_) return {};
  bool gone;
  WPRIM_TRY(ask_kernel(&gone));
  if (!gone) WPRIM_TRY(make_post(kLeave));
  present_ = false;
  return {};
}

Status ResidentStream::post(const Launch& launch) {
  uint32_t index;
  WPRIM_TRY(find_record(launch, &index));
  WPRIM_TRY(make_post(home_->entries[index].version * kRecords + index));
  home_->entries[index].used = home_->posted;
  posted_last_ = true;
  return {};
}

// The record with these parameters: an op that is posted again needs no other. Each op may have one of a few.
Status ResidentStream::find_record(const Launch& launch, uint32_t* index) {
  uint64_t hash = reinterpret_cast<uintptr_t>(launch.resident);
  for (size_t at = 0; at < kHashedBytes; at += sizeof hash) {
    uint64_t word;
    std::memcpy(&word, launch.parameters + at, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  }
  const auto first = static_cast<uint32_t>(hash >> 32) % kRecords / kWays * kWays;
  uint32_t oldest = first;
  for (*index = first; *index < first + kWays; ++*index) {
    const auto& entry = home_->entries[*index];
    const Record& record = home_->mailbox->records[*index];
    if (entry.function == launch.resident &&
        std::memcmp(record.parameters, launch.parameters, kRecordBytes) == 0) {
      return {};
    }
    if (entry.used < home_->entries[oldest].used) oldest = *index;
  }
  *index = oldest;
  return write_record(launch, oldest);
}

Status ResidentStream::write_record(const Launch& launch, uint32_t index) {
  auto& entry = home_->entries[index];
  void* function;
  WPRIM_CUDA_TRY(cudaGetSymbolAddress(&function, launch.resident));
  WPRIM_TRY(wait_for_posts(entry.used));  // nobody reads the old one any more
  Record& record = home_->mailbox->records[index];
  record.function = function;
  std::memcpy(record.parameters, launch.parameters, kRecordBytes);
  entry.function = launch.resident;
  entry.version = (entry.version + 1) % (kLeave / kRecords);
  return {};
}

Status ResidentStream::make_post(uint32_t what) {
  const uint64_t number = home_->posted + 1;
  if (number > kRoom) WPRIM_TRY(wait_for_posts(number - kRoom));  // the ring is full
  store(home_->mailbox->posts[number % kPosts], number << 32 | what);
  home_->posted = number;
  // Posted before the kernel is asked whether it is there.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  bool gone = true;
  if (present_) WPRIM_TRY(ask_kernel(&gone));
  return gone && what != kLeave ? start_kernel() : Status();
}

// A kernel that says that it leaves looks at the posts once more, and then says that it stays or is gone.
Status ResidentStream::ask_kernel(bool* gone) const {
  uint64_t state;
  for (uint32_t turns = 1;; ++turns) {
    state = load(home_->mailbox->state);
    if (state != state_leaving(home_->kernels)) break;
    if (turns % kTurns == 0) WPRIM_TRY(check_alive());
  }
  *gone = state == state_gone(home_->kernels);
  return {};
}

// A GPU that is lost answers nothing: then CUDA says so.
Status ResidentStream::check_alive() const {
  const cudaError_t error = cuda::query(native());
  return error == cudaErrorNotReady ? Status() : check(error, "resident kernel");
}

// Begins with the last post: all before are done, or the kernel before does them, which was told to leave.
Status ResidentStream::start_kernel() {
  const auto idle = std::chrono::duration_cast<std::chrono::nanoseconds>(cuda_context().resident_idle());
  ResidentParams params{home_->mailbox, home_->kernels + 1, home_->posted,
                        static_cast<uint64_t>(idle.count()), kStayNs};
  void* arguments[] = {&params};
  WPRIM_CUDA_TRY(
      cudaLaunchKernel(resident_kernel_address(), dim3(1), dim3(kThreads), arguments, 0, native()));
  ++home_->kernels;
  present_ = true;
  return {};
}

Status ResidentStream::wait_for_posts(uint64_t posts) const {
  for (uint32_t turns = 1; load(home_->mailbox->done) < posts; ++turns) {
    if (turns % kTurns == 0) WPRIM_TRY(check_alive());
  }
  return {};
}

Status ResidentStream::wait_until_idle() {
  const DeviceScope scope(cuda_context().device());
  if (!posted_last_) return CudaStream::wait_until_idle();
  WPRIM_TRY(wait_for_posts(home_->posted));
  return take_late_error();
}

Status ResidentStream::ask() {
  const DeviceScope scope(cuda_context().device());
  if (!posted_last_) return CudaStream::ask();
  if (load(home_->mailbox->done) >= home_->posted) return take_late_error();
  WPRIM_TRY(check_alive());
  return Status::not_ready();
}

}  // namespace wprim::cuda
