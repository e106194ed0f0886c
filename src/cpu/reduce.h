// Reduce on the CPU: finds the family of the op.
#pragma once

#include "core/reduce.h"
#include "cpu/team.h"
#include "cpu/workspace.h"

namespace wprim::cpu {

void run_reduce(const Reduce& reduce, Team& team, Workspace& workspace);

}  // namespace wprim::cpu
