#include "program.h"

#include <cstdarg>
#include <cstdio>
#include <thread>

namespace programs {

Program::Program(Machine& machine, uint64_t seed, std::string* told)
    : machine_(machine),
      shape_(machine.shape()),
      random_(seed),
      told_(told),
      order_(kStreams, machine.shape().cells()),
      memory_(machine.shape().cells() * machine.shape().words),
      events_(3) {
  for (uint64_t& word : memory_) word = pick(8) ? pick(2 * shape_.words) : random_();
  for (wprim_event*& event : events_) PROGRAM_OK(wprim_event_create(machine_.context(), &event));
}

Program::~Program() {
  for (const Plan& plan : plans_) PROGRAM_OK(wprim_plan_destroy(plan.handle));
  for (const Graph& graph : graphs_) PROGRAM_OK(wprim_graph_destroy(graph.handle));
  for (wprim_event* event : events_) PROGRAM_OK(wprim_event_destroy(event));
}

void Program::run() {
  machine_.write(memory_);
  for (uint64_t steps = 5 + pick(25); steps > 0; --steps) step();
  for (int stream = 0; stream < kStreams; ++stream) wait_for_stream(stream);
  const std::vector<uint64_t> got = machine_.read();
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], memory_[i]) << "word " << i % shape_.words << " of cell " << i / shape_.words;
  }
}

void Program::tell(const char* format, ...) {
  if (!told_) return;
  char line[200];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  *told_ += std::string(line) + "\n";
}

// ---- Ops.

Place Program::random_place(int first, int end, uint64_t n) {
  return {first + static_cast<int>(pick(end - first)), pick(shape_.words - n + 1)};
}

Op Program::random_op(bool only_reduces) {
  static constexpr wprim_op kOps[] = {WPRIM_SUM, WPRIM_XOR, WPRIM_MIN, WPRIM_MAX, WPRIM_COUNT_NONZERO};
  Op op{};
  op.kind = only_reduces ? Op::reduce : static_cast<Op::Kind>(pick(4));
  op.n = 1 + pick(shape_.words);
  if (op.kind == Op::call) {
    op.out = random_place(shape_.device_cells, shape_.cells(), 1);
    op.value = pick(100);
    op.fails = pick(16) == 0;
    return op;
  }
  op.out = random_place(0, shape_.cells(), op.kind == Op::reduce ? 1 : op.n);
  op.value = pick(2) ? pick(2 * shape_.words) : random_();
  op.op = kOps[pick(std::size(kOps))];
  if (op.kind == Op::fill) return op;
  do op.in = random_place(0, shape_.cells(), op.n);
  while (op.in.cell == op.out.cell);
  if (op.kind == Op::copy || pick(3)) return op;
  do op.count = random_place(0, shape_.cells(), 1);
  while (op.count.cell == op.out.cell);
  return op;
}

wprim_reduce_desc Program::desc_of(const Op& op) const {
  wprim_reduce_desc desc = WPRIM_REDUCE_DESC_INIT;
  desc.op = op.op;
  desc.dtype = WPRIM_U64;
  desc.in = machine_.address(op.in);
  desc.out = machine_.address(op.out);
  desc.cols = op.n;
  desc.n_on_device = machine_.address(op.count);
  return desc;
}

Program::CallSite* Program::call_site(const Op& op) {
  call_sites_.push_back({machine_.address(op.out), op.value, op.fails});
  return &call_sites_.back();
}

void Program::issue(int stream, const Op& op) {
  tell("  stream %d: %s cell %d+%d <- %d+%d, n %d%s", stream,
       op.kind == Op::fill   ? "fill"
       : op.kind == Op::copy ? "copy"
       : op.kind == Op::call ? "call"
                             : "reduce",
       op.out.cell, static_cast<int>(op.out.at), op.in.cell, static_cast<int>(op.in.at),
       static_cast<int>(op.n), op.fails ? ", fails" : "");
  wprim_stream* s = machine_.stream(stream);
  switch (op.kind) {
    case Op::fill: PROGRAM_OK(wprim_fill(s, WPRIM_U64, machine_.address(op.out), op.n, &op.value)); break;
    case Op::copy:
      PROGRAM_OK(wprim_copy(s, machine_.address(op.out), machine_.address(op.in), op.n * 8));
      break;
    case Op::reduce: {
      const wprim_reduce_desc desc = desc_of(op);
      PROGRAM_OK(wprim_reduce_ex(s, &desc));
      break;
    }
    case Op::call:
      PROGRAM_OK(wprim_stream_call(
          s,
          [](void* user) {
            const auto* site = static_cast<CallSite*>(user);
            *site->word = *site->word * 3 + site->value;
            return site->fails ? WPRIM_ERROR_INTERNAL : WPRIM_OK;
          },
          call_site(op)));
  }
}

// ---- Order.

wprim_event* Program::next_event() {
  wprim_event*& event = any(events_);
  if (pick(16) == 0) {
    PROGRAM_OK(wprim_event_destroy(event));
    PROGRAM_OK(wprim_event_create(machine_.context(), &event));
  }
  return event;
}

void Program::link(int from, int to) {
  tell("  stream %d waits for stream %d", to, from);
  wprim_event* event = next_event();
  PROGRAM_OK(wprim_event_record(event, machine_.stream(from)));
  PROGRAM_OK(wprim_stream_wait(machine_.stream(to), event));
}

void Program::prepare(Order& order, int stream, const Uses& uses) {
  for (;;) {
    const std::vector<int> missing = order.missing(stream, uses);
    if (missing.empty()) break;
    const int other = missing[pick(missing.size())];
    link(other, stream);
    order.waits(stream, other);
  }
  order.issued(stream, uses);
}

// The oracle does at once what the streams do when they come to it.
void Program::launched(int stream, const std::vector<Op>& ops, const Uses& uses) {
  prepare(order_, stream, uses);
  for (const Op& op : ops) {
    run_oracle(op, shape_.words, memory_);
    late_error_[stream] = late_error_[stream] || op.fails;
  }
}

void Program::wait_for_stream(int stream) {
  tell("wait for stream %d", stream);
  const bool spins = pick(4) == 0;
  wprim_status status;
  do
    status = spins ? wprim_stream_query(machine_.stream(stream))
                   : wprim_stream_synchronize(machine_.stream(stream));
  while (status == WPRIM_NOT_READY);
  EXPECT_EQ(status, late_error_[stream] ? WPRIM_ERROR_CALLBACK : WPRIM_OK) << wprim_last_error();
  late_error_[stream] = false;
  order_.done(stream);
}

// ---- Steps.

void Program::step() {
  const uint64_t what = pick(100);
  if (what < 45) return eager();
  if (what < 52) return plans_.size() < 3 ? make_plan() : use_plan();
  if (what < 65) return use_plan();
  if (what < 70) return rebind_plan();
  if (what < 77) return graphs_.size() < 3 ? make_graph() : use_graph();
  if (what < 88) return use_graph();
  if (what < 92) return rebind_graph();
  if (what < 96) return wait_for_stream(static_cast<int>(pick(kStreams)));
  if (what < 97) return renew_stream();
  drop_something();
}

void Program::eager() {
  const int stream = static_cast<int>(pick(kStreams));
  const Op op = random_op(false);
  Uses uses;
  uses.add(op);
  launched(stream, {op}, uses);
  issue(stream, op);
}

void Program::make_plan() {
  tell("make plan %zu", plans_.size());
  plans_.push_back({nullptr, random_op(true)});
  const wprim_reduce_desc desc = desc_of(plans_.back().op);
  PROGRAM_OK(wprim_plan_reduce(machine_.context(), &desc, &plans_.back().handle));
}

void Program::use_plan() {
  if (plans_.empty()) return;
  const int stream = static_cast<int>(pick(kStreams));
  const Plan& plan = any(plans_);
  tell("launch plan %td on stream %d", &plan - plans_.data(), stream);
  Uses uses;
  uses.add(plan.op);
  launched(stream, {plan.op}, uses);
  PROGRAM_OK(wprim_plan_launch(plan.handle, machine_.stream(stream)));
}

void Program::rebind_plan() {
  if (plans_.empty()) return;
  Plan& plan = any(plans_);
  tell("rebind plan %td", &plan - plans_.data());
  Op other = random_op(true);
  other.n = plan.op.n;
  other.op = plan.op.op;
  other.in.at = pick(shape_.words - other.n + 1);
  if (plan.op.count.cell < 0) other.count = {};
  if (plan.op.count.cell >= 0 && other.count.cell < 0) other.count = other.in;
  const wprim_binding bindings[] = {{0, WPRIM_SLOT_IN, machine_.address(other.in)},
                                    {0, WPRIM_SLOT_OUT, machine_.address(other.out)},
                                    {0, WPRIM_SLOT_COUNT, machine_.address(other.count)}};
  PROGRAM_OK(wprim_plan_rebind_many(plan.handle, bindings, other.count.cell < 0 ? 2 : 3));
  plan.op = other;
}

// Everybody waits for its work, which is all that is left of it.
void Program::renew_stream() {
  const int stream = static_cast<int>(pick(kStreams));
  tell("renew stream %d", stream);
  wprim_event* event = next_event();
  PROGRAM_OK(wprim_event_record(event, machine_.stream(stream)));
  machine_.renew(stream);
  for (int other = 0; other < kStreams; ++other) {
    PROGRAM_OK(wprim_stream_wait(machine_.stream(other), event));
    order_.waits(other, stream);
  }
  late_error_[stream] = false;
}

void Program::drop_something() {
  if (pick(2) && !plans_.empty()) {
    tell("drop plan %zu", plans_.size() - 1);
    PROGRAM_OK(wprim_plan_destroy(plans_.back().handle));
    plans_.pop_back();
  } else if (!graphs_.empty()) {
    tell("drop graph %zu", graphs_.size() - 1);
    PROGRAM_OK(wprim_graph_destroy(graphs_.back().handle));
    graphs_.pop_back();
  }
}

}  // namespace programs
