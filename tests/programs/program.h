// A random program: ops in all four ways, over streams of both kinds that wait for each other just as much as they must.
// Everything about it comes from its seed.
#pragma once

#include <deque>
#include <random>
#include <string>

#include "machine.h"
#include "order.h"

namespace programs {

class Program {
 public:
  // `told` receives the steps, if it is not nullptr.
  Program(Machine& machine, uint64_t seed, std::string* told);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Runs it, and compares all memory with the oracle's. Expects that all calls succeed.
  void run();

 private:
  struct CallSite {  // what a host callback gets
    uint64_t* word;
    uint64_t value;
    bool fails;
  };
  struct Plan {
    wprim_plan* handle;
    Op op;
  };
  struct Graph {
    wprim_graph* handle;
    std::vector<Op> nodes;
    bool linear;  // any node may use other cells; else only all of them together, by new names
  };

  uint64_t pick(uint64_t n) { return random_() % n; }
  template <class T>
  T& any(std::vector<T>& list) {
    return list[pick(list.size())];
  }
  void tell(const char* format, ...) __attribute__((format(printf, 2, 3)));

  Place random_place(int first, int end, uint64_t n);
  Op random_op(bool only_reduces);
  wprim_reduce_desc desc_of(const Op& op) const;
  CallSite* call_site(const Op& op);
  wprim_event* next_event();

  // Puts an event on one stream and lets another wait for it.
  void link(int from, int to);
  // Makes the stream wait for those that it must come after.
  void prepare(Order& order, int stream, const Uses& uses);
  void issue(int stream, const Op& op);
  void launched(int stream, const std::vector<Op>& ops, const Uses& uses);

  void step();
  void eager();
  void make_plan();
  void use_plan();
  void rebind_plan();
  void make_graph();
  void beside_a_recording();
  void use_graph();
  void rebind_graph();
  void bind_node(Graph& graph, uint64_t node, const Op& op, std::vector<wprim_binding>* bindings);
  void wait_for_stream(int stream);
  void renew_stream();
  void drop_something();

  Machine& machine_;
  const Shape& shape_;
  std::mt19937_64 random_;
  std::string* const told_;
  Order order_;
  std::vector<uint64_t> memory_;  // the oracle's
  bool late_error_[kStreams] = {};
  std::vector<Plan> plans_;
  std::vector<Graph> graphs_;
  std::vector<wprim_event*> events_;
  std::deque<CallSite> call_sites_;  // until nothing runs any more
};

}  // namespace programs
