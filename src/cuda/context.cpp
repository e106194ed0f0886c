#include "cuda/context.h"

#include <cinttypes>

#include "cuda/device.h"
#include "cuda/event.h"
#include "core/resident.h"
#include "cuda/copy.h"
#include "cuda/fill.h"
#include "cuda/graph.h"
#include "cuda/plan.h"
#include "cuda/resident.h"
#include "cuda/stream.h"

namespace wprim::cuda {

namespace {

Status out_of_memory(uint64_t bytes) {
  ignore(cudaErrorMemoryAllocation);
  return fail(WPRIM_ERROR_OUT_OF_MEMORY, "bytes = %" PRIu64 ": no memory of that size", bytes);
}

}  // namespace

CudaContext::CudaContext() = default;

Status CudaContext::open(int32_t ordinal, std::shared_ptr<Context>* context) {
  auto created = std::make_shared<CudaContext>();
  const DeviceScope scope(ordinal);
  WPRIM_CUDA_TRY(
      cudaFree(nullptr));  // opens the primary context, which the program's other users of CUDA share

  cudaDeviceProp properties;
  WPRIM_CUDA_TRY(cudaGetDeviceProperties(&properties, ordinal));
  ContextInfo& info = created->info_;
  info.kind = WPRIM_CUDA;
  info.ordinal = ordinal;
  info.parallelism = properties.multiProcessorCount;
  info.memory = properties.totalGlobalMem;
  info.name = properties.name;
  info.detail =
      "compute capability " + std::to_string(properties.major) + "." + std::to_string(properties.minor);

  // What a program needs in any case is loaded here: later, CUDA might wait for the GPU to be idle before it loads a
  // kernel, and with it who enqueues.
  WPRIM_TRY(load_fill());
  WPRIM_TRY(load_copy());
  created->resident_idle_ = read_resident_idle();
  WPRIM_TRY(PointerCheck::create(ordinal, &created->pointer_check_));

  cudaMemPoolProps pool{};
  pool.allocType = cudaMemAllocationTypePinned;
  pool.location = {cudaMemLocationTypeDevice, ordinal};
  WPRIM_CUDA_TRY(cudaMemPoolCreate(&created->pool_, &pool));
  uint64_t keep = UINT64_MAX;  // memory freed stays with the pool, so that the next allocation costs nothing
  WPRIM_CUDA_TRY(cudaMemPoolSetAttribute(created->pool_, cudaMemPoolAttrReleaseThreshold, &keep));
  *context = std::move(created);
  return {};
}

CudaContext::~CudaContext() {
  const DeviceScope scope(device());
  allocations_.for_each([](void* ptr, Allocations::Origin origin) {
    ignore(origin == Allocations::Origin::device ? cudaFree(ptr) : cudaFreeHost(ptr));
  });
  residences_.clear();
  if (pool_) ignore(cudaMemPoolDestroy(pool_));
}

Status CudaContext::create_stream(const wprim_stream_desc& desc, std::shared_ptr<Stream>* stream) {
  const DeviceScope scope(device());
  auto self = std::static_pointer_cast<CudaContext>(shared_from_this());
  std::unique_ptr<Residence> residence;
  if (desc.kind == WPRIM_STREAM_RESIDENT) WPRIM_TRY(take_residence(&residence));
  cudaStream_t native;
  WPRIM_CUDA_TRY(cudaStreamCreateWithPriority(&native, cudaStreamNonBlocking, desc.priority));
  if (residence) {
    WPRIM_CUDA_TRY(cudaStreamWaitEvent(native, residence->last, 0));
    *stream = std::make_shared<ResidentStream>(std::move(self), native, std::move(residence));
  } else {
    *stream = std::make_shared<CudaStream>(std::move(self), native, true);
  }
  return {};
}

Status CudaContext::take_residence(std::unique_ptr<Residence>* residence) {
  std::lock_guard lock(residences_mutex_);
  if (residences_.empty()) return Residence::create(residence);
  *residence = std::move(residences_.back());
  residences_.pop_back();
  return {};
}

void CudaContext::keep(std::unique_ptr<Residence> residence) {
  std::lock_guard lock(residences_mutex_);
  residences_.push_back(std::move(residence));
}

Status CudaContext::wrap_stream(void* native, std::shared_ptr<Stream>* stream) {
  const auto handle = static_cast<cudaStream_t>(native);
  const DeviceScope scope(device());
  // While a stream is captured, CUDA does not say of which device it is, and ends the capture of who asks.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  WPRIM_CUDA_TRY(cudaStreamIsCapturing(handle, &capture));
  int device_of_stream = device();
  if (capture == cudaStreamCaptureStatusNone) WPRIM_CUDA_TRY(cudaStreamGetDevice(handle, &device_of_stream));
  if (device_of_stream != device()) {
    return invalid("native is a stream of device %d, ctx is device %d", device_of_stream, device());
  }
  *stream =
      std::make_shared<CudaStream>(std::static_pointer_cast<CudaContext>(shared_from_this()), handle, false);
  return {};
}

Status CudaContext::create_event(std::shared_ptr<Event>* event) {
  const DeviceScope scope(device());
  cudaEvent_t native;
  WPRIM_CUDA_TRY(cudaEventCreate(&native));
  *event = std::make_shared<CudaEvent>(shared_from_this(), native);
  return {};
}

Status CudaContext::create_plan(const Work& work, std::shared_ptr<Plan>* plan) {
  auto created = std::make_shared<CudaPlan>(shared_from_this(), work);
  WPRIM_TRY(created->prepare());
  *plan = std::move(created);
  return {};
}

Status CudaContext::create_graph(std::vector<Node> nodes, std::shared_ptr<Graph>* graph) {
  auto created = std::make_shared<CudaGraph>(shared_from_this(), std::move(nodes));
  WPRIM_TRY(created->build());
  *graph = std::move(created);
  return {};
}

Status CudaContext::allocate(Stream& stream, uint64_t bytes, void** ptr) {
  const DeviceScope scope(device());
  auto& cuda_stream = static_cast<CudaStream&>(stream);
  WPRIM_TRY(cuda_stream.give_way());
  const cudaStream_t native = cuda_stream.native();
  void* memory;
  const cudaError_t error = cudaMallocFromPoolAsync(&memory, bytes, pool_, native);
  if (error == cudaErrorMemoryAllocation) return out_of_memory(bytes);
  WPRIM_TRY(check(error, "cudaMallocFromPoolAsync"));
  try {
    allocations_.remember(Allocations::Origin::device, memory);
  } catch (...) {
    ignore(cudaFreeAsync(memory, native));
    throw;
  }
  *ptr = memory;
  return {};
}

Status CudaContext::release(Stream& stream, void* ptr) {
  Allocations::Entry entry;
  WPRIM_TRY(allocations_.forget(Allocations::Origin::device, ptr, &entry));
  Status submitted = stream.submit(Release{ptr});
  if (!submitted.ok()) allocations_.restore(std::move(entry));
  return submitted;
}

Status CudaContext::allocate_host(uint64_t bytes, void** ptr) {
  const DeviceScope scope(device());
  void* memory;
  const cudaError_t error = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  if (error == cudaErrorMemoryAllocation) return out_of_memory(bytes);
  WPRIM_TRY(check(error, "cudaHostAlloc"));
  try {
    allocations_.remember(Allocations::Origin::host, memory);
  } catch (...) {
    ignore(cudaFreeHost(memory));
    throw;
  }
  *ptr = memory;
  return {};
}

Status CudaContext::release_host(void* ptr) {
  Allocations::Entry entry;
  WPRIM_TRY(allocations_.forget(Allocations::Origin::host, ptr, &entry));
  Status freed = check(cudaFreeHost(ptr), "cudaFreeHost");
  if (!freed.ok()) allocations_.restore(std::move(entry));
  return freed;
}

}  // namespace wprim::cuda
