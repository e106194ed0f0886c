// A resident stream: small ops are posted to a kernel that stays on the GPU, others are launched, all in their order.
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
  cudaStream_t stream = nullptr;  // of the resident kernels, one after the other
  Mailbox* mailbox = nullptr;
  Progress* progress = nullptr;
  uint64_t posted = 0;         // posts made
  uint64_t kernels = 0;        // kernels launched
  uint64_t launches = 0;       // launches that posts were put behind
  cudaEvent_t last = nullptr;  // the end of the CUDA stream before: what it tells of its launches comes first
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
  Status ask_kernel(bool* gone) const;
  Status check_alive() const;
  // The CUDA stream goes on when all posts made so far are done.
  Status put_behind_posts();
  // Until so many posts are done.
  Status wait_for_posts(uint64_t posts);
  uint64_t done() const;

  std::unique_ptr<Residence> home_;
  bool launched_since_post_ = false;
  bool posted_since_launch_ = false;
};

}  // namespace wprim::cuda
