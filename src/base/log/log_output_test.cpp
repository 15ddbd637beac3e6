// SPDX-License-Identifier: Apache-2.0
#include "base/log/log_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <ranges>
#include <string>
#include <thread>

namespace hearth::base {
namespace {

using std::chrono_literals::operator""ms;
constexpr std::chrono::milliseconds kLong{20'000};

// A pipe as the log's reader has it; a write after the reader has gone is an error here, not a signal.
class LogPipe {
 public:
  LogPipe() {
    ::signal(SIGPIPE, SIG_IGN);
    EXPECT_EQ(0, ::pipe2(ends_.data(), O_CLOEXEC));
  }
  ~LogPipe() {
    end_reading();
    ::close(ends_[1]);
  }

  int writing() const { return ends_[1]; }
  // Nobody reads, and there is no room for a byte.
  void fill() const {
    ::fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    const std::string dots(4'096, '.');
    for (std::size_t size = dots.size(); size > 0; size /= 2)
      while (::write(ends_[1], dots.data(), size) > 0) continue;
    ::fcntl(ends_[1], F_SETFL, 0);
  }
  // Reads until the text comes, without what `fill` has written.
  std::string read_until(std::string_view text) {
    std::string read;
    pollfd ready{ends_[0], POLLIN, 0};
    std::array<char, 65'536> block;
    while (!read.contains(text)) {
      if (::poll(&ready, 1, static_cast<int>(kLong.count())) <= 0) break;
      const ssize_t size = ::read(ends_[0], block.data(), block.size());
      if (size <= 0) break;
      read.append(block.data(), static_cast<std::size_t>(size));
    }
    return read.substr(std::min(read.find_first_not_of('.'), read.size()));
  }
  void end_reading() {
    if (ends_[0] >= 0) ::close(std::exchange(ends_[0], -1));
  }

 private:
  std::array<int, 2> ends_{};
};

void expect_that_lines_are_out_at_once(int writing, int reading) {
  LogOutput output(writing);
  output.start();
  for (int i = 0; i < 500; ++i) {
    const std::string line = std::to_string(i) + '\n';
    output.put(line);
    std::array<char, 64> read;
    const ssize_t size = ::recv(reading, read.data(), read.size(), MSG_DONTWAIT);
    const ssize_t piped = size < 0 && errno == ENOTSOCK ? ::read(reading, read.data(), read.size()) : size;
    ASSERT_EQ(std::string_view(read.data(), static_cast<std::size_t>(std::max<ssize_t>(piped, 0))), line);
  }
}

// A process that is killed then has said it.
TEST(LogOutput, WhereThereIsRoomALineIsOutWhenPutReturns) {
  std::array<int, 2> pipe{}, pair{};
  ASSERT_EQ(0, ::pipe2(pipe.data(), O_CLOEXEC));
  ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  expect_that_lines_are_out_at_once(pipe[1], pipe[0]);
  ASSERT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()));
  expect_that_lines_are_out_at_once(pair[1], pair[0]);
  for (const int end : {pipe[0], pipe[1], pair[0], pair[1]}) ::close(end);
}

TEST(LogOutput, WritesEachLineAtOnceWithoutItsThread) {
  LogPipe pipe;
  LogOutput output(pipe.writing());
  output.put("one\n");
  EXPECT_EQ("one\n", pipe.read_until("one\n"));
  EXPECT_TRUE(output.written_within(0ms));
}

TEST(LogOutput, ItsThreadWritesEachLineInOrderAndTheRestAtItsEnd) {
  LogPipe pipe;
  LogOutput output(pipe.writing());
  std::string expected;
  output.start();
  for (int i = 0; i < 1'000; ++i) {
    output.put(std::to_string(i) + "\n");
    expected += std::to_string(i) + "\n";
  }
  output.stop(kLong);
  output.put("after\n");
  EXPECT_EQ(expected + "after\n", pipe.read_until("after\n"));
}

TEST(LogOutput, NobodyWaitsForAReaderThatDoesNotReadAndTheOldestLinesAreCounted) {
  LogPipe pipe;
  pipe.fill();
  LogOutput output(pipe.writing());
  output.start();
  output.put("first\n");
  const std::string long_line = std::string(LogOutput::kMaxBytes / 4, 'x') + "\n";
  for (int i = 0; i < 10; ++i) output.put(long_line);
  output.put("last\n");
  EXPECT_FALSE(output.written_within(1ms));
  // The thread may have taken any line when the pipe was full: all are there or counted, and the last ones are there.
  const std::string read = pipe.read_until("last\n");
  EXPECT_TRUE(output.written_within(kLong));
  EXPECT_TRUE(read.ends_with(long_line + long_line + long_line + "last\n"));
  std::size_t lines = 0, missing = 0;
  for (const auto each : std::views::split(read, '\n')) {
    const std::string_view line(each);
    const auto counted = line.find(" warning log: ");
    if (counted == line.npos)
      lines += line.empty() ? 0 : 1;
    else
      missing += static_cast<std::size_t>(std::stoi(std::string(line.substr(counted + 14))));
  }
  EXPECT_EQ(12u, lines + missing);
  EXPECT_LE(7u, missing);
  output.put("and on\n");
  EXPECT_EQ("and on\n", pipe.read_until("and on\n"));
}

TEST(LogOutput, AnEndWithPatienceDoesNotWaitForAReaderForEver) {
  LogPipe pipe;
  pipe.fill();
  LogOutput output(pipe.writing());
  output.start();
  output.put("one\n");
  output.stop(1ms);
  EXPECT_TRUE(pipe.read_until("one\n").ends_with("one\n"));  // the thread that was left behind goes on
}

TEST(LogOutput, GoesOnAfterItsReaderHasGone) {
  LogPipe pipe;
  LogOutput output(pipe.writing());
  output.start();
  pipe.end_reading();
  for (int i = 0; i < 100; ++i) output.put("nobody\n");
  EXPECT_TRUE(output.written_within(kLong));
}

TEST(LogOutput, AFileThatCouldNotBeWrittenSaysLaterHowManyLinesItLacks) {
  // A descriptor that only reads refuses each write, until the file is opened for writing at the same number.
  const std::string path = testing::TempDir() + "log_output_test";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int output_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  LogOutput output(output_file);
  output.start();
  output.put("one\n");
  output.put("two\n");
  EXPECT_TRUE(output.written_within(kLong));
  ::dup3(file, output_file, O_CLOEXEC);
  output.put("three\n");
  output.stop(kLong);
  std::string text(1'000, '\0');
  text.resize(static_cast<std::size_t>(::pread(file, text.data(), text.size(), 0)));
  EXPECT_TRUE(text.contains("2 lines are missing here")) << text;
  EXPECT_TRUE(text.ends_with("\nthree\n")) << text;
  ::close(file);
  ::close(output_file);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace hearth::base
