#include "machine.h"

#include <algorithm>

namespace programs {

Machine::Machine(wprim_device_kind kind, const Shape& shape) : shape_(shape) {
  PROGRAM_OK(wprim_context_create(kind, 0, &context_));
  for (int i = 0; i < kStreams; ++i) streams_[i] = make_stream(i);
  void *device = nullptr, *host = nullptr;
  PROGRAM_OK(wprim_malloc(streams_[0], shape.device_cells * shape.words * 8, &device));
  PROGRAM_OK(wprim_malloc_host(context_, shape.host_cells * shape.words * 8, &host));
  device_ = static_cast<uint64_t*>(device);
  host_ = static_cast<uint64_t*>(host);
}

Machine::~Machine() {
  PROGRAM_OK(wprim_free(streams_[0], device_));
  PROGRAM_OK(wprim_free_host(context_, host_));
  for (wprim_stream* stream : streams_) PROGRAM_OK(wprim_stream_destroy(stream));
  PROGRAM_OK(wprim_context_destroy(context_));
}

wprim_stream* Machine::make_stream(int i) {
  wprim_stream* stream = nullptr;
  wprim_stream_desc desc = WPRIM_STREAM_DESC_INIT;
  desc.kind = i < kLaunched ? WPRIM_STREAM_LAUNCHED : WPRIM_STREAM_RESIDENT;
  PROGRAM_OK(wprim_stream_create(context_, &desc, &stream));
  return stream;
}

void Machine::renew(int i) {
  PROGRAM_OK(wprim_stream_destroy(streams_[i]));
  streams_[i] = make_stream(i);
}

void Machine::write(const std::vector<uint64_t>& words) {
  const uint64_t device_words = shape_.device_cells * shape_.words;
  PROGRAM_OK(wprim_copy(streams_[0], device_, words.data(), device_words * 8));
  std::copy(words.begin() + static_cast<ptrdiff_t>(device_words), words.end(), host_);
  PROGRAM_OK(wprim_stream_synchronize(streams_[0]));
}

std::vector<uint64_t> Machine::read() {
  std::vector<uint64_t> words(shape_.cells() * shape_.words);
  const uint64_t device_words = shape_.device_cells * shape_.words;
  PROGRAM_OK(wprim_copy(streams_[0], words.data(), device_, device_words * 8));
  PROGRAM_OK(wprim_stream_synchronize(streams_[0]));
  std::copy_n(host_, words.size() - device_words, words.begin() + static_cast<ptrdiff_t>(device_words));
  return words;
}

}  // namespace programs
