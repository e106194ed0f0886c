// Kernels run with IEEE defaults (round to nearest, subnormals kept), whatever the calling thread or the host program
// has set; what was set comes back at the end of the scope, exception flags included.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace wprim::cpu {

class FpEnvironment {
 public:
#if defined(__x86_64__)
  // All arithmetic here is SSE or better, so MXCSR is all there is; fesetenv would cost 50 ns for the x87 part.
  FpEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~FpEnvironment() { _mm_setcsr(saved_); }

 private:
  const unsigned saved_;
#else
  FpEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FpEnvironment() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif

 public:
  FpEnvironment(const FpEnvironment&) = delete;
  FpEnvironment& operator=(const FpEnvironment&) = delete;
};

}  // namespace wprim::cpu
