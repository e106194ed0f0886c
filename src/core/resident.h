// What resident streams of every backend agree on.
#pragma once

#include <chrono>

namespace wprim {

// Reads WARPPRIM_RESIDENT_IDLE_US: how long whoever waits for posts spins before it leaves.
std::chrono::microseconds read_resident_idle();

}  // namespace wprim
