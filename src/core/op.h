// The one table of ops. A new op is one line here, and a case where each backend looks its kernel up.
#pragma once

#include <cstdint>

#include "warpprim.h"

namespace wprim {

// What an op's outputs may be; docs/numerics.md section 2.
enum class OpRule : uint8_t {
  sum,        // floats: any float; integers: any integer, any float
  statistic,  // any float
  selection,  // the input type
  index,      // i64 and other index types
  bitwise,    // the input type, integers and bool only
  truth,      // bool
  count,      // u64 and other count types
  magnitude   // the input type, made unsigned
};

struct OpInfo {
  wprim_op op;
  const char* name;
  OpRule rule;
};

inline constexpr OpInfo kOps[] = {
    {WPRIM_SUM, "sum", OpRule::sum},
    {WPRIM_PROD, "prod", OpRule::sum},
    {WPRIM_MIN, "min", OpRule::selection},
    {WPRIM_MAX, "max", OpRule::selection},
    {WPRIM_ARGMIN, "argmin", OpRule::index},
    {WPRIM_ARGMAX, "argmax", OpRule::index},
    {WPRIM_MINMAX, "minmax", OpRule::selection},
    {WPRIM_AND, "and", OpRule::bitwise},
    {WPRIM_OR, "or", OpRule::bitwise},
    {WPRIM_XOR, "xor", OpRule::bitwise},
    {WPRIM_ANY, "any", OpRule::truth},
    {WPRIM_ALL, "all", OpRule::truth},
    {WPRIM_COUNT_NONZERO, "count_nonzero", OpRule::count},
    {WPRIM_MEAN, "mean", OpRule::statistic},
    {WPRIM_VAR, "var", OpRule::statistic},
    {WPRIM_STD, "std", OpRule::statistic},
    {WPRIM_L1, "l1", OpRule::sum},
    {WPRIM_L2, "l2", OpRule::statistic},
    {WPRIM_AMAX, "amax", OpRule::magnitude},
    {WPRIM_LOGSUMEXP, "logsumexp", OpRule::statistic},
};

// The row of an op, or nullptr for a value that is none. The enumerators count from WPRIM_SUM in the table's order.
constexpr const OpInfo* find_op(wprim_op op) {
  const auto index = static_cast<int64_t>(op) - WPRIM_SUM;
  const bool known = index >= 0 && index < static_cast<int64_t>(sizeof kOps / sizeof *kOps);
  return known ? &kOps[index] : nullptr;
}

constexpr const char* name_of(wprim_op op) { return find_op(op)->name; }

}  // namespace wprim
