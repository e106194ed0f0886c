#include "core/description.h"

namespace wprim {
namespace {

std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

void add(const Reduce& r, Description* d) {
  d->add("op", std::string("reduce ") + name_of(r.op));
  d->add("dtype", name_of(r.dtype));
  d->add("out_dtype", name_of(r.out_dtype));
  d->add("rows", r.rows);
  d->add("cols", r.cols);
  d->add("bytes_read", r.in_bytes());
  d->add("bytes_written", r.rows * size_of(r.out_dtype) * (r.op == WPRIM_MINMAX ? 2 : 1));
}

void add(const Copy& copy, Description* d) {
  d->add("op", "copy");
  d->add("bytes_read", copy.bytes);
  d->add("bytes_written", copy.bytes);
}

void add(const Fill& fill, Description* d) {
  d->add("op", "fill");
  d->add("dtype", name_of(fill.dtype));
  d->add("bytes_read", uint64_t{0});
  d->add("bytes_written", fill.n * fill.size);
}

void add(const HostCall&, Description* d) { d->add("op", "host call"); }
void add(const Release&, Description* d) { d->add("op", "free"); }

}  // namespace

void Description::add(const char* name, const std::vector<uint32_t>& values) {
  std::string list = "[";
  for (const uint32_t value : values) list += (list.size() > 1 ? ", " : "") + std::to_string(value);
  entries_.push_back({name, list + "]", false});
}

std::string Description::text() const {
  std::string text;
  for (const Entry& e : entries_) text += std::string(e.name) + ": " + e.value + "\n";
  return text;
}

std::string Description::json() const {
  std::string json = "{";
  for (const Entry& e : entries_) {
    json += (json.size() > 1 ? ", " : "") + quote(e.name) + ": " + (e.quoted ? quote(e.value) : e.value);
  }
  return json + "}";
}

void describe(const Work& work, Description* description) {
  std::visit([&](const auto& w) { add(w, description); }, work);
}

}  // namespace wprim
