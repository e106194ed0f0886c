// A resident stream: small ops are posted to a kernel that stays on the GPU, others are launched behind it once it was
// told to leave. So all is in the order of the one CUDA stream.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "cuda/kernels/mailbox.h"
#include "cuda/stream.h"

namespace wprim::cuda {

// What a resident stream needs besides its CUDA stream. A context keeps it when the stream is gone: a kernel may still be
// looking at it, and the next stream uses it again.
struct Residence {
  Mailbox* mailbox = nullptr;
  cudaEvent_t last = nullptr;  // the end of the stream before, and with it of its kernels
  uint64_t posted = 0;         // posts made
  uint64_t kernels = 0;        // kernels launched
  struct Entry {
    const void* function = nullptr;  // in this program
    uint64_t used = 0;               // the last post that names the record
    uint32_t version = 0;
  };
  std::array<Entry, kRecords> entries{};  // of the mailbox's records

  static Status create(std::unique_ptr<Residence>* residence);
  ~Residence();
};

class ResidentStream final : public CudaStream {
 public:
  ResidentStream(std::shared_ptr<CudaContext> context, cudaStream_t native,
                 std::unique_ptr<Residence> residence);
  ~ResidentStream() override;

  Status give_way() override { return send_away(); }

 private:
  Status enqueue(const Work& work) override;
  Status enqueue(const Plan& plan) override;
  Status enqueue(Graph& graph) override;
  Status enqueue_record(Event& event) override;
  Status enqueue_wait(Event& event) override;
  Status wait_until_idle() override;
  Status ask() override;
  Status check_may_record() override;

  Status post_or_run(Step& step);
  Status post(const Launch& launch);
  Status find_record(const Launch& launch, uint32_t* index);
  Status write_record(const Launch& launch, uint32_t index);
  Status make_post(uint32_t what);
  Status start_kernel();
  // The kernel leaves when it has done what was posted: what is enqueued from now on comes behind it.
  Status send_away();
  Status ask_kernel(bool* gone) const;
  Status check_alive() const;
  // Until so many posts are done.
  Status wait_for_posts(uint64_t posts) const;

  std::unique_ptr<Residence> home_;
  bool present_ = false;      // a kernel is there that was not told to leave, unless it says that it is gone
  bool posted_last_ = false;  // nothing was enqueued behind the last post
};

}  // namespace wprim::cuda
