#include "failing_allocator.h"

#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<int64_t> live{0};
std::atomic<int64_t> until_failure{INT64_MAX};
std::atomic<bool> keep_failing{false};
std::atomic<bool> counting{false};
std::atomic<int64_t> counted{0};

// TBB does not survive a failing allocation in its own start-up (it waits for ever at the next use), so it
// gets its memory.
bool is_tbb(void* caller) {
  Dl_info info;
  return dladdr(caller, &info) && std::strstr(info.dli_fname, "libtbb");
}

bool fails_now(void* caller) {
  if (counting && !is_tbb(caller)) ++counted;
  if (until_failure > INT64_MAX / 2 || is_tbb(caller)) return false;  // not armed
  const int64_t left = until_failure.fetch_sub(1);
  return left == 0 || (left < 0 && keep_failing);
}

}  // namespace

int64_t live_allocations() { return live; }

int64_t count_allocations(void (*between)()) {
  counted = 0;
  counting = true;
  between();
  counting = false;
  return counted;
}

void fail_allocation(int64_t allocation, bool all_after) {
  keep_failing = all_after;
  until_failure = allocation;
}

bool stop_failing() { return until_failure.exchange(INT64_MAX) < 0; }

#define WPRIM_CALLER __builtin_return_address(0)

extern "C" {
// The linker sends the library's calls here (--wrap), and ours to the real ones by these names.
void* __real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void* ptr);

void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  void* ptr = fails_now(WPRIM_CALLER) ? nullptr : __real_aligned_alloc(alignment, size);
  if (ptr) ++live;
  return ptr;
}
void __wrap_free(void* ptr) {
  if (ptr) --live;
  __real_free(ptr);
}
}

namespace {

void* allocate(size_t size, size_t alignment, void* caller) {
  const size_t whole = (size + alignment - 1) / alignment * alignment;
  void* ptr = fails_now(caller) ? nullptr : __real_aligned_alloc(alignment, whole);
  if (!ptr) throw std::bad_alloc();
  ++live;
  return ptr;
}

}  // namespace

void* operator new(size_t size) { return allocate(size, alignof(std::max_align_t), WPRIM_CALLER); }
void* operator new[](size_t size) { return allocate(size, alignof(std::max_align_t), WPRIM_CALLER); }
void* operator new(size_t size, std::align_val_t a) {
  return allocate(size, static_cast<size_t>(a), WPRIM_CALLER);
}
void* operator new[](size_t size, std::align_val_t a) {
  return allocate(size, static_cast<size_t>(a), WPRIM_CALLER);
}
void operator delete(void* ptr) noexcept { __wrap_free(ptr); }
void operator delete[](void* ptr) noexcept { __wrap_free(ptr); }
void operator delete(void* ptr, size_t) noexcept { __wrap_free(ptr); }
void operator delete[](void* ptr, size_t) noexcept { __wrap_free(ptr); }
void operator delete(void* ptr, std::align_val_t) noexcept { __wrap_free(ptr); }
void operator delete[](void* ptr, std::align_val_t) noexcept { __wrap_free(ptr); }
void operator delete(void* ptr, size_t, std::align_val_t) noexcept { __wrap_free(ptr); }
void operator delete[](void* ptr, size_t, std::align_val_t) noexcept { __wrap_free(ptr); }
