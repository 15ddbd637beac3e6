// SPDX-License-Identifier: Apache-2.0
// Commands are real ones, of /bin/sh.
#include "building_blocks/processes/command.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "building_blocks/processes/command_runner.h"

namespace hearth::building_blocks {
namespace {

using namespace std::chrono_literals;

base::Result<CommandResult> run_line(std::string line, std::chrono::milliseconds timeout = 60s) {
  return run({.words = Command::for_shell(std::move(line)), .timeout = timeout}, {});
}
std::string text_of(const base::Result<CommandResult>& result) {
  if (!result) return result.error().message;
  return std::to_string(result->code) + " out " + result->output + " err " + result->errors;
}

TEST(Command, GivesBothOutputsAndTheCode) {
  EXPECT_EQ(text_of(run_line("echo a; echo b >&2; exit 3")), "3 out a\n err b\n");
  EXPECT_EQ(text_of(run_line("kill -TERM $$")), "143 out  err ");
}

TEST(Command, RunsAProgramWithoutAShell) {
  EXPECT_EQ(text_of(run({.words = {"printf", "%s-", "a b", "$(id)", ";exit 1", ""}}, {})),
            "0 out a b-$(id)-;exit 1-- err ");
  EXPECT_EQ(run({.words = {"no_such_program_here"}}, {})->code, 127);
  EXPECT_EQ(text_of(run({.words = {"echo", std::string("a\0b", 3)}}, {})),
            "an argument has a zero byte in it, which no program can be given");
  EXPECT_EQ(text_of(run({.words = {"true"}, .folder = "/no/such/folder"}, {})),
            "cannot be started: No such file or directory");
  EXPECT_EQ(text_of(run({.words = {"echo", std::string(300'000, 'x')}}, {})),
            "cannot be started: Argument list too long");
}

TEST(Command, RunsInItsFolderWithAnEmptyInput) {
  EXPECT_EQ(text_of(run({.words = {"pwd"}, .folder = "/usr"}, {})), "0 out /usr\n err ");
  EXPECT_EQ(text_of(run_line("cat; echo end")), "0 out end\n err ");
}

TEST(Command, SeesNothingElseOfTheEnvironment) {
  ::setenv("HEARTH_TEST_SECRET", "hunter2", 1);
  const auto result = run_line("env; echo ${PATH:+path}; ls /proc/self/fd | wc -l");
  ::unsetenv("HEARTH_TEST_SECRET");
  EXPECT_FALSE(result->output.contains("hunter2"));
  EXPECT_TRUE(result->output.contains("path\n"));
  EXPECT_TRUE(result->output.ends_with("\n4\n")) << result->output;  // three, and the folder itself
}

TEST(Command, MayNotTakeMoreMemory) {
  EXPECT_EQ(text_of(run_line("ulimit -v")), "0 out 524288\n err ");
  EXPECT_NE(run({.words = {"dd", "if=/dev/zero", "of=/dev/null", "bs=700M", "count=1"}}, {})->code, 0);
}

TEST(Command, KeepsAPartOfWhatItPrints) {
  const auto result =
      run_line("head -c 1000000 /dev/zero | tr '\\0' x; head -c 1000000 /dev/zero | tr '\\0' y >&2; echo end");
  EXPECT_EQ(result->code, 0);
  EXPECT_EQ(result->output, std::string(Command::kMaxKept, 'x'));
  EXPECT_EQ(result->errors, std::string(Command::kMaxKept, 'y'));
}

TEST(Command, IsKilledIfItPrintsTooMuch) {
  EXPECT_EQ(text_of(run_line("head -c 1000000000 /dev/zero")), "printed more than 16 MiB and was killed");
  EXPECT_EQ(text_of(run_line("yes >&2")), "printed more than 16 MiB and was killed");
}

class Processes : public ::testing::Test {
 protected:
  // The process whose number the command has written to the file.
  pid_t noted() const {
    pid_t id = 0;
    std::ifstream(file_) >> id;
    return id;
  }
  // Killed, or a zombie that nobody has reaped yet.
  static bool is_gone(pid_t id) {
    std::string stat;
    std::getline(std::ifstream("/proc/" + std::to_string(id) + "/stat"), stat);
    return stat.empty() || stat.contains(") Z ") || stat.contains(") X ");
  }
  static void expect_gone(pid_t id) {
    ASSERT_GT(id, 0);
    while (!is_gone(id)) std::this_thread::yield();
  }

  Processes() {
    std::string made = (std::filesystem::temp_directory_path() / "hearth_commands_XXXXXX").string();
    folder_ = ::mkdtemp(made.data());
    file_ = folder_ + "/id";
  }
  ~Processes() override { std::filesystem::remove_all(folder_); }

  std::string folder_, file_;
};

TEST_F(Processes, AreKilledAtTheTimeout) {
  EXPECT_EQ(text_of(run_line("sleep 1000 & echo $! > " + file_ + "; wait", 300ms)),
            "did not end within 0.3 s and was killed");
  expect_gone(noted());
}

TEST_F(Processes, AreKilledWhenTheCommandHasEnded) {
  EXPECT_EQ(text_of(run_line("sleep 1000 & echo $! > " + file_ + "; echo end")), "0 out end\n err ");
  expect_gone(noted());
}

TEST_F(Processes, ThatForkAndForkAreKilled) {
  EXPECT_EQ(text_of(run_line("i=0; while [ $i -lt 50 ]; do sleep 1000 & i=$((i+1)); done; "
                             "echo $! > " +
                                 file_ + "; wait",
                             300ms)),
            "did not end within 0.3 s and was killed");
  expect_gone(noted());
}

TEST_F(Processes, AreKilledIfTheyAreNotWantedAnyMore) {
  EXPECT_EQ(text_of(run({.words = Command::for_shell("echo $$ > " + file_ + "; exec sleep 1000")},
                        [&] { return noted() == 0; })),
            "was killed, because the hub stops");
  expect_gone(noted());
}

TEST_F(Processes, RunFourAtATimeInTheirOrder) {
  base::ManualClock clock;
  core::EventBus bus(clock);
  CommandRunner runner(bus);
  std::vector<std::string> done;
  const auto add = [&](std::string line) {
    runner.run({.words = Command::for_shell(std::move(line))},
               [&done](const base::Result<CommandResult>& result) { done.push_back(text_of(result)); });
  };
  // Each waits for the file that the test makes.
  const std::string wait = "while [ ! -e " + file_ + " ]; do sleep 0.02; done; echo ran";
  for (std::size_t index = 0; index < CommandRunner::kMostRunning; ++index) add(wait);
  for (std::size_t index = 0; index < CommandRunner::kMostWaiting; ++index) add("echo " + std::to_string(index));
  add("echo beyond");
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done.front(), "4 commands run and 64 wait, which is the maximum");
  std::ofstream(file_) << "now";
  while (done.size() < 1 + CommandRunner::kMostRunning + CommandRunner::kMostWaiting) bus.run_pending();
  EXPECT_EQ(std::ranges::count(done, "0 out ran\n err "), 4);
  EXPECT_EQ(std::ranges::count(done, "0 out 63\n err "), 1);
}

TEST_F(Processes, EndWithTheRunner) {
  base::ManualClock clock;
  core::EventBus bus(clock);
  {
    CommandRunner runner(bus);
    for (int index = 0; index < 6; ++index) {
      runner.run({.words = Command::for_shell("echo $$ > " + file_ + (index == 0 ? "" : "2") + "; exec sleep 1000")},
                 [](const auto&) { FAIL() << "it was forgotten"; });
    }
    while (noted() == 0) std::this_thread::yield();
    runner.stop();
  }
  bus.run_pending();
  expect_gone(noted());
}

}  // namespace
}  // namespace hearth::building_blocks
