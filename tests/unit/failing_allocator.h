// The allocators of a program, replaced by ones that count and fail when they are told to: operator new, and of the library
// aligned_alloc and free, which the linker redirects (--wrap). What TBB allocates for itself is its own affair.
#pragma once

#include <cstdint>

// Allocations that were made and not freed.
int64_t live_allocations();

// Allocations during a call of `between`, by any thread.
int64_t count_allocations(void (*between)());

// From now on the given allocation fails, counted from 0; with `all_after`, all that follow too.
void fail_allocation(int64_t allocation, bool all_after);

// Back to normal. Whether anything failed.
bool stop_failing();
