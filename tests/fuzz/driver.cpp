// Feeds the fuzz target with pseudo-random inputs where there is no libFuzzer.
//
//   fuzz_desc [--seed=N] [--seconds=S] [--first=K] [--runs=R]
//
// Input K of a seed is always the same; a failure prints the arguments that repeat it.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());
void fuzz_calls(uint64_t* valid, uint64_t* invalid);

namespace {

unsigned long long seed = 1, run = 0;

void tell_how_to_repeat() {
  char text[128];
  const int size = std::snprintf(text, sizeof text,
                                 "\nrepeat with: fuzz_desc --seed=%llu --first=%llu --runs=1\n", seed, run);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, static_cast<size_t>(size));
}

void on_signal(int signal) {
  tell_how_to_repeat();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 5;
  unsigned long long runs = UINT64_MAX;
  for (int i = 1; i < argc; ++i) {
    const char* equals = std::strchr(argv[i], '=');
    const std::string name(argv[i], equals ? static_cast<size_t>(equals - argv[i]) : std::strlen(argv[i]));
    if (equals && name == "--seed") {
      seed = std::strtoull(equals + 1, nullptr, 10);
    } else if (equals && name == "--seconds") {
      seconds = std::strtod(equals + 1, nullptr);
    } else if (equals && name == "--first") {
      run = std::strtoull(equals + 1, nullptr, 10);
    } else if (equals && name == "--runs") {
      runs = std::strtoull(equals + 1, nullptr, 10);
    } else {
      std::fprintf(stderr, "usage: %s [--seed=N] [--seconds=S] [--first=K] [--runs=R]\n", argv[0]);
      return 2;
    }
  }
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, on_signal);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell_how_to_repeat);

  std::printf("seed %llu\n", seed);
  std::fflush(stdout);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (unsigned long long done = 0; done < runs && std::chrono::steady_clock::now() < end; ++done, ++run) {
    std::seed_seq both{seed, seed >> 32, run, run >> 32};
    std::mt19937_64 random(both);
    std::vector<uint8_t> input(16 + random() % 2000);
    for (uint8_t& byte : input) byte = static_cast<uint8_t>(random());
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  uint64_t valid, invalid;
  fuzz_calls(&valid, &invalid);
  std::printf("%llu inputs, %llu valid and %llu invalid calls\n", run, static_cast<unsigned long long>(valid),
              static_cast<unsigned long long>(invalid));
  // Who makes up calls that are all refused, or none, tests little.
  return runs == UINT64_MAX && (valid < invalid / 10 || invalid < valid / 10);
}
