#include "machine/finding.h"

#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>

namespace simt {
namespace {

// Where the program was loaded: the first object that the loader lists.
uintptr_t load_address() {
  static const uintptr_t address = [] {
    uintptr_t found = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* user) {
          *static_cast<uintptr_t*>(user) = info->dlpi_addr;
          return 1;
        },
        &found);
    return found;
  }();
  return address;
}

std::vector<std::string> ask_addr2line(const char* options, const void* place) {
  char command[128];
  std::snprintf(command, sizeof command, "addr2line -e /proc/%d/exe %s 0x%zx", getpid(), options,
                address_in_file(place));
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command, "r"), pclose);
  std::vector<std::string> lines;
  char line[4096];
  while (pipe && std::fgets(line, sizeof line, pipe.get())) {
    std::string text(line);
    text.erase(text.find_last_not_of('\n') + 1);
    lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace

uintptr_t address_in_file(const void* place) { return reinterpret_cast<uintptr_t>(place) - load_address(); }

const char* name_of(Fault fault) {
  static const char* const names[] = {
      "a mask names a lane that never comes",
      "a lane calls a collective whose mask leaves it out",
      "lanes of a warp come to different collectives",
      "lanes of a warp come to a collective with different masks",
      "some threads of the block miss a barrier",
      "threads of a block come to different barriers",
      "deadlock",
      "race",
      "memory is read that nobody wrote",
      "access out of bounds",
      "misaligned access",
      "the input is written",
      "a copy's bytes are touched before the copy was waited for",
      "a copy goes where writes were not shown to copies",
      "a block ends before its copies",
      "misuse of an arrival",
  };
  return names[static_cast<unsigned>(fault)];
}

const std::vector<std::string>& lines_of(Site site) {
  static std::map<Site, std::vector<std::string>> known;  // to ask takes its time
  std::vector<std::string>& lines = known[site];
  if (!lines.empty()) return lines;
  // One less: what is known is where a call returns to.
  for (const std::string& line : ask_addr2line("-i", static_cast<const char*>(site) - 1)) {
    if (line.find("/simt/double/") != std::string::npos || line.starts_with("?")) continue;
    if (line.starts_with("/usr/")) continue;
    const size_t name = line.rfind('/') + 1;
    lines.push_back(line.substr(name, line.find(' ', name) - name));
  }
  if (lines.empty()) lines.push_back("an unknown line");
  return lines;
}

std::string describe(Site site) {
  const std::vector<std::string>& lines = lines_of(site);
  std::string text = lines[0];
  for (size_t i = 1; i < lines.size(); ++i) text += (i == 1 ? " (" : " < ") + lines[i];
  return lines.size() > 1 ? text + ")" : text;
}

std::string function_name(Site function) {
  static std::map<Site, std::string> known;
  std::string& name = known[function];
  if (name.empty()) name = ask_addr2line("-fC", function).at(0);
  return name;
}

}  // namespace simt
