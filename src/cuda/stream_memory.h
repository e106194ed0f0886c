// A stream that waits for a number in memory, or writes one: calls of the driver that the runtime does not have.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/status.h"

namespace wprim::cuda {

// The stream goes on when *word, memory that the device reaches, is at least `value`.
Status wait_for_value(cudaStream_t stream, const uint64_t* word, uint64_t value);

// When the work before is done and can be seen by all.
Status write_value(cudaStream_t stream, uint64_t* word, uint64_t value);

}  // namespace wprim::cuda
