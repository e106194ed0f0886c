// How memory is checked, copied and filled; measured on an H200, see docs/performance.md.
#pragma once

namespace wprim::cuda::policy {

inline constexpr unsigned kMemoryThreads = 256;  // of a block of copy or fill; each writes one vector
inline constexpr bool kCheckPointers = true;     // where WARPPRIM_CHECK does not say

}  // namespace wprim::cuda::policy
