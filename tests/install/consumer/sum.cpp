#include <warpprim.h>

#include <iostream>
#include <vector>

int main() {
  const std::vector<double> x(1000, 0.5);
  double sum = 0;

  wprim_context* ctx = nullptr;
  wprim_stream* stream = nullptr;
  if (wprim_context_create(WPRIM_CPU, 0, &ctx) || wprim_stream_create(ctx, nullptr, &stream) ||
      wprim_reduce(stream, WPRIM_SUM, WPRIM_F64, x.data(), x.size(), &sum) ||
      wprim_stream_synchronize(stream)) {
    std::cerr << wprim_last_error() << '\n';
    return 1;
  }
  std::cout << sum << '\n';
  wprim_stream_destroy(stream);
  wprim_context_destroy(ctx);
  return sum == 500 ? 0 : 1;
}
