// Does one piece of work, on the calling thread and the context's team, and returns when it is done.
#pragma once

#include "core/status.h"
#include "core/work.h"
#include "cpu/context.h"
#include "cpu/workspace.h"

namespace wprim::cpu {

// May throw bad_alloc.
Status execute(CpuContext& context, Workspace& workspace, const Work& work);

// Work so short that handing it to another thread would take longer than doing it.
bool is_short(const Work& work);

}  // namespace wprim::cpu
