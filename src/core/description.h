// What a plan or a graph will do, for people: names with values, as lines of text or as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/status.h"
#include "core/work.h"

namespace wprim {

class Description {
 public:
  void add(const char* name, std::string value) { entries_.push_back({name, std::move(value), true}); }
  void add(const char* name, uint64_t value) { entries_.push_back({name, std::to_string(value), false}); }
  // Numbers, as a list.
  void add(const char* name, const std::vector<uint32_t>& values);

  std::string text() const;
  std::string json() const;

 private:
  struct Entry {
    const char* name;
    std::string value;
    bool quoted;
  };
  std::vector<Entry> entries_;
};

// What every backend can say of an op: its name, types, shape and traffic.
void describe(const Work& work, Description* description);

}  // namespace wprim
