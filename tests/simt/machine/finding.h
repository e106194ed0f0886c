// What the machine finds wrong, and how it says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt {

enum class Fault {
  lane_never_comes,       // a mask names a lane that has ended or is stuck elsewhere
  caller_not_in_mask,     // a lane calls a collective whose mask leaves it out
  different_collectives,  // lanes that name each other come to different ones
  different_masks,        // or to the same one with different masks
  barrier_missed,         // some threads of the block never come to a barrier
  different_barriers,     // or come to another one
  deadlock,               // nobody can go on, by waiting for words or copies that never come
  race,                   // two accesses without order between them, one of them a write
  never_written,          // memory is read that nobody wrote
  out_of_bounds,
  misaligned,
  input_written,
  copy_not_awaited,  // memory that a copy writes is touched by who has not waited for the copy
  copy_not_shown,    // a copy goes where a thread wrote that did not show its writes to copies
  copy_outlives_block,
  arrival_misused,
};
const char* name_of(Fault fault);

using Site = const void*;  // a place in the machine code of a kernel

struct Finding {
  Fault fault;
  std::string place;  // file:line, without its folders
  std::string text;   // everything, for people
};

// Where in the program's file something is.
uintptr_t address_in_file(const void* place);

// The lines of source of a place, innermost first: the function, then those that it was inlined into.
const std::vector<std::string>& lines_of(Site site);

// "stage.cuh:57 (rows.cuh:92 < rows.cuh:158)"
std::string describe(Site site);

// The name of the function that a kernel's address belongs to.
std::string function_name(Site function);

}  // namespace simt
