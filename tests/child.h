// Runs a program and takes down what it said: for what a process is told once, or does not survive.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace wprim::test {

struct Child {
  int exit_code;     // -1: ended by a signal
  std::string text;  // all of stdout and stderr

  // What stands behind "name=" at the beginning of a line.
  std::string value(const std::string& name) const {
    const size_t at = ("\n" + text).find("\n" + name + "=");
    if (at == std::string::npos) return "nothing";
    const size_t begin = at + name.size() + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  }
};

// `command` as a shell takes it, environment variables before the program.
inline Child run(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  Child child;
  std::array<char, 4096> buffer;
  while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    child.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  child.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  EXPECT_EQ(child.exit_code, 0) << command << '\n' << child.text;
  return child;
}

}  // namespace wprim::test
