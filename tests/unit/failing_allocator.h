// The allocators of a program, replaced by ones that count what lives and fail when they are told to: operator new, and of
// the library aligned_alloc and free, which the linker redirects (--wrap).
#pragma once

#include <cstdint>

// Allocations that were made and not freed.
int64_t live_allocations();

// From now on the given allocation fails, counted from 0; with `all_after`, all that follow too.
void fail_allocation(int64_t allocation, bool all_after);

// Back to normal. Whether anything failed.
bool stop_failing();
