#include "cuda/instances/words.h"

#include "cuda/instances/find.h"
#include "cuda/kernels/reduce.cuh"

namespace wprim::cuda {

ReduceKernels find_words(const Reduce& reduce) { return choose_words(reduce, KernelsOf()); }

}  // namespace wprim::cuda
