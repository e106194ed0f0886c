// The resident kernel, and every function that it can be told to call: they are in one file, because a kernel calls functions
// of its own module only.
#include "cuda/instances/bits.h"
#include "cuda/instances/extremes.h"
#include "cuda/instances/find.h"
#include "cuda/instances/logsum.h"
#include "cuda/instances/moments.h"
#include "cuda/instances/position.h"
#include "cuda/instances/rounding.h"
#include "cuda/instances/words.h"
#include "cuda/kernels/resident.cuh"

namespace wprim::cuda {

__global__ void __launch_bounds__(kThreads, 1)
    resident_kernel(const __grid_constant__ ResidentParams params) {
  reside(params);
}

template <class Algebra>
__device__ SmallFunction small_entry = reduce_small<Algebra>;

struct EntryOf {
  template <class Algebra>
  const void* of() const {
    return &small_entry<Algebra>;
  }
};

const void* find_small(const Reduce& r) {
  switch (family_of(r)) {
    case Family::rounding_f32: return choose_rounding_f32(r, EntryOf());
    case Family::rounding_f64: return choose_rounding_f64(r, EntryOf());
    case Family::moments: return choose_moments(r, EntryOf());
    case Family::logsum: return choose_logsum(r, EntryOf());
    case Family::extremes: return choose_extremes(r, EntryOf());
    case Family::position: return choose_position(r, EntryOf());
    case Family::words: return choose_words(r, EntryOf());
    case Family::bits: return choose_bits(r, EntryOf());
  }
  __builtin_unreachable();
}

const void* resident_kernel_address() { return reinterpret_cast<const void*>(resident_kernel); }

}  // namespace wprim::cuda
