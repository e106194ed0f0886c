// Plain loads and stores of kernels. They are compiled with -fsanitize=thread, which calls these functions before each of
// them; no sanitizer is linked.
#include <cstring>

#include "machine/grid.h"

namespace simt {
namespace {

void access(const void* place, size_t bytes, bool writes, Site site) {
  if (!running || !memory().has(place)) return;  // the thread's own stack, or constants
  if (writes) {
    memory().write(*running, place, bytes, false, site);
  } else {
    memory().read(*running, place, bytes, false, site);
  }
  grid->maybe_interrupt();
}

void aligned_access(const void* place, size_t bytes, bool writes, Site site) {
  if (running && memory().has(place) && reinterpret_cast<uintptr_t>(place) % bytes != 0) {
    running->found(Fault::misaligned, std::to_string(bytes) + " bytes at once", site);
  }
  access(place, bytes, writes, site);
}

// The first `skipped` bytes are nobody's business.
void load_vector(const void* aligned, size_t skipped, uint32_t (&word)[4], Site site) {
  if (!memory().has(aligned)) running->found(Fault::out_of_bounds, "no memory of kernels", site);
  if (reinterpret_cast<uintptr_t>(aligned) % 16 != 0)
    running->found(Fault::misaligned, "16 bytes at once", site);
  access(static_cast<const std::byte*>(aligned) + skipped, 16 - skipped, false, site);
  std::memcpy(word, aligned, 16);
}

}  // namespace

void load_vector(const void* aligned, uint32_t (&word)[4]) {
  load_vector(aligned, 0, word, __builtin_return_address(0));
}

void load_vector_across(const void* aligned, uint32_t (&word)[4]) {
  load_vector(aligned, memory().bytes_before_array(aligned), word, __builtin_return_address(0));
}

}  // namespace simt

#define SITE __builtin_return_address(0)
#define ACCESSES(bytes)                                                                      \
  void __tsan_read##bytes(void* p) { simt::aligned_access(p, bytes, false, SITE); }          \
  void __tsan_write##bytes(void* p) { simt::aligned_access(p, bytes, true, SITE); }          \
  void __tsan_volatile_read##bytes(void* p) { simt::aligned_access(p, bytes, false, SITE); } \
  void __tsan_volatile_write##bytes(void* p) { simt::aligned_access(p, bytes, true, SITE); } \
  void __tsan_unaligned_read##bytes(void* p) { simt::access(p, bytes, false, SITE); }        \
  void __tsan_unaligned_write##bytes(void* p) { simt::access(p, bytes, true, SITE); }

extern "C" {
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read_range(void* p, size_t bytes) { simt::access(p, bytes, false, SITE); }
void __tsan_write_range(void* p, size_t bytes) { simt::access(p, bytes, true, SITE); }

// Only the host's side of a test has objects with virtual functions, and statics that are made once.
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
char __tsan_atomic8_load(const volatile char* p, int) { return *p; }

// What compilers call for larger pieces: gcc by the names that machine.cuh gives memcpy and memset, clang by its own.
void* simt_memcpy(void* to, const void* from, size_t bytes) {
  simt::access(from, bytes, false, SITE);
  simt::access(to, bytes, true, SITE);
  return std::memcpy(to, from, bytes);
}
void* simt_memset(void* to, int value, size_t bytes) {
  simt::access(to, bytes, true, SITE);
  return std::memset(to, value, bytes);
}
void* __tsan_memcpy(void* to, const void* from, size_t bytes) { return simt_memcpy(to, from, bytes); }
void* __tsan_memset(void* to, int value, size_t bytes) { return simt_memset(to, value, bytes); }
}
