// SPDX-License-Identifier: Apache-2.0
// The other process is this test's own program, with one of the disabled tests below.
#include "base/threads/own_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

namespace hearth::base {
namespace {

using namespace std::chrono_literals;

TEST(OwnProcessChild, DISABLED_PrintsItsInput) {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << "> " << line << std::endl;
  std::cerr << "said so\n";
}
TEST(OwnProcessChild, DISABLED_Sleeps) {
  std::this_thread::sleep_for(10min);
}
TEST(OwnProcessChild, DISABLED_PrintsALongLine) {
  std::cout << std::string(OwnProcess().max_line + 100'000, 'x') << std::endl;
}
TEST(OwnProcessChild, DISABLED_EndsWhenItIsTold) {
  sigset_t asked;
  sigemptyset(&asked);
  sigaddset(&asked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &asked, nullptr);
  std::cout << "ready" << std::endl;
  int number = 0;
  sigwait(&asked, &number);
  std::ofstream(std::getenv("HEARTH_TEST_FILE")) << "cleaned up";
}
TEST(OwnProcessChild, DISABLED_IsKilled) {
  ::raise(SIGKILL);
}

OwnProcess child(std::string_view name) {
  return {
      .arguments = {"--gtest_also_run_disabled_tests", "--gtest_filter=OwnProcessChild.DISABLED_" + std::string(name)}};
}

TEST(OwnProcessTest, GivesInputAndTakesLinesAndErrors) {
  OwnProcess process = child("PrintsItsInput");
  std::string all;
  for (int i = 0; i < 30'000; ++i) process.input += "line " + std::to_string(i) + "\n";  // more than a pipe holds
  process.on_line = [&](std::string_view line) {
    if (line.starts_with("> ")) all += std::string(line.substr(2)) + "\n";
  };
  const auto ended = run(process);
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->code, 0);
  EXPECT_EQ(all, process.input);
  EXPECT_NE(ended->errors.find("said so"), std::string::npos);
}

TEST(OwnProcessTest, EndsWhatIsNoLongerWanted) {
  OwnProcess process = child("Sleeps");
  int asked = 0;
  process.is_wanted = [&] { return ++asked < 3; };
  const auto ended = run(process);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::unavailable);
}

TEST(OwnProcessTest, LetsItCleanUp) {
  const auto file = std::filesystem::temp_directory_path() / ("own_process_" + std::to_string(::getpid()));
  ::setenv("HEARTH_TEST_FILE", file.c_str(), 1);
  OwnProcess process = child("EndsWhenItIsTold");
  bool ready = false;
  process.on_line = [&](std::string_view line) { ready = ready || line == "ready"; };
  process.is_wanted = [&] { return !ready; };
  process.time_to_end = 60s;
  const auto ended = run(process);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::unavailable);
  std::string text;
  std::getline(std::ifstream(file), text);
  EXPECT_EQ(text, "cleaned up");
  std::filesystem::remove(file);
}

TEST(OwnProcessTest, GivesErrorsLineByLine) {
  OwnProcess process = child("PrintsItsInput");
  std::vector<std::string> lines;
  process.on_error_line = [&](std::string_view line) { lines.emplace_back(line); };
  const auto ended = run(process);
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->errors, "");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "said so");
}

TEST(OwnProcessTest, TakesNoLineWithoutEnd) {
  OwnProcess process = child("PrintsALongLine");
  const auto ended = run(process);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::full);
}

TEST(OwnProcessTest, SaysHowItEnded) {
  const auto ended = run(child("IsKilled"));
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->code, 128 + SIGKILL);
}

}  // namespace
}  // namespace hearth::base
