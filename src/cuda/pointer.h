// What CUDA knows about a pointer: a GPU that is given one that it cannot reach is lost to the process.
#pragma once

#include <cuda_runtime_api.h>

#include "core/status.h"

namespace wprim::cuda {

// Refuses pointers that a device cannot reach. Looks at the first byte only. While `stream` is captured, memory that the
// graph will allocate is as unknown to CUDA as ordinary memory of the host: then both pass.
class PointerCheck {
 public:
  // Reads WARPPRIM_CHECK.
  static Status create(int device, PointerCheck* check);

  // `stream` may be null: then nothing is captured.
  Status check(const char* name, const void* ptr, const cudaStream_t* stream) const {
    return wanted_ ? look(name, ptr, stream) : Status();
  }

 private:
  Status look(const char* name, const void* ptr, const cudaStream_t* stream) const;

  int device_ = 0;
  bool wanted_ = false;
};

// Whether both are memory of the device itself.
Status both_on_device(const void* a, const void* b, int device, bool* result);

}  // namespace wprim::cuda
