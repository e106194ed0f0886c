#include "cuda/prepare.h"

#include "cuda/context.h"
#include "cuda/copy.h"
#include "cuda/fill.h"
#include "cuda/pointer.h"
#include "cuda/reduce.h"

namespace wprim::cuda {
namespace {

struct Preparation {
  const CudaContext& context;
  const cudaStream_t* stream;
  Step* step;

  Status operator()(const Reduce& reduce) const {
    if (reduce.rows == 0) return {};
    const PointerCheck& pointers = context.pointer_check();
    if (reduce.cols > 0) WPRIM_TRY(pointers.check("in", reduce.in, stream));
    WPRIM_TRY(pointers.check("out", reduce.out, stream));
    if (reduce.count) WPRIM_TRY(pointers.check("n_on_device", reduce.count, stream));
    prepare_reduce(reduce, context.multiprocessors(), &step->emplace<Launch>());
    return {};
  }

  // What goes to or from a host is the driver's business, which knows how to reach all of it.
  Status operator()(const Copy& copy) const {
    if (copy.bytes == 0) return {};
    bool here;
    WPRIM_TRY(both_on_device(copy.dst, copy.src, context.device(), &here));
    if (here) {
      prepare_copy(copy, &step->emplace<Launch>());
    } else {
      *step = copy;
    }
    return {};
  }

  Status operator()(const Fill& fill) const {
    if (fill.n == 0) return {};
    WPRIM_TRY(context.pointer_check().check("dst", fill.dst, stream));
    prepare_fill(fill, &step->emplace<Launch>());
    return {};
  }

  Status operator()(const HostCall& call) const {
    *step = call;
    return {};
  }
  Status operator()(const Release& release) const {
    *step = release;
    return {};
  }
};

}  // namespace

Status prepare(const Work& work, const CudaContext& context, const cudaStream_t* stream, Step* step) {
  return std::visit(Preparation{context, stream, step}, work);
}

}  // namespace wprim::cuda
