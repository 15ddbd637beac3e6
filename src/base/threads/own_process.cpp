// SPDX-License-Identifier: Apache-2.0
#include "base/threads/own_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "base/threads/descriptor.h"
#include "base/threads/memory_file.h"
#include "base/threads/spawn.h"

namespace hearth::base {
namespace {

constexpr int kNiceness = 10;
constexpr int kAskEvery = 200;  // milliseconds
constexpr std::chrono::milliseconds kLookAgain{5};

// Kills and reaps unless it has been waited for.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  ~Child() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  // Tells it to end, and waits so long for that.
  void end(std::chrono::milliseconds time) {
    ::kill(id_, SIGTERM);
    const auto until = std::chrono::steady_clock::now() + time;
    while (!ended() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(kLookAgain);
  }

  // Its exit code, as Ended has it; null if it has not ended.
  std::optional<int> ended() {
    int status = 0;
    if (::waitpid(id_, &status, WNOHANG) != id_) return {};
    id_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t id_;
};

Result<pid_t> start(const OwnProcess& process, int input, int output, int errors) {
  Spawn plan{.program = "/proc/self/exe", .arguments = {"hearth"}, .input = input, .output = output, .errors = errors};
  plan.arguments.insert(plan.arguments.end(), process.arguments.begin(), process.arguments.end());
  auto id = spawn(std::move(plan));
  if (!id) id.error().message = fmt::format("The program cannot be started once more: {}", id.error().message);
  return id;
}

// Limits of the process at the hub's expense, and its end soon after the hub's. Where the system does not let us, it
// runs as any other.
void lower(pid_t id, unsigned max_seconds) {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(id), kNiceness);
  const rlimit most{max_seconds, max_seconds};
  ::prlimit(id, RLIMIT_CPU, &most, nullptr);
  std::ofstream(fmt::format("/proc/{}/oom_score_adj", id)) << "1000";
}

// The bytes that have come; nothing at the end.
std::string_view read_block(Descriptor& from, std::span<char> block) {
  const ssize_t bytes = ::read(from.number(), block.data(), block.size());
  if (bytes > 0) return {block.data(), static_cast<std::size_t>(bytes)};
  if (bytes == 0 || errno != EINTR) from.close();
  return {};
}

// Cuts what comes into lines.
class Lines {
 public:
  Lines(const std::function<void(std::string_view)>& on_line, std::size_t longest)
      : on_line_(on_line), longest_(longest) {}

  // False if a line is too long.
  bool add(std::string_view text) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      line_ += text.substr(0, end);
      text.remove_prefix(end + 1);
      if (on_line_) on_line_(line_);
      line_.clear();
    }
    line_ += text;
    return line_.size() <= longest_;
  }

 private:
  const std::function<void(std::string_view)>& on_line_;
  const std::size_t longest_;
  std::string line_;
};

}  // namespace

Result<Ended> run(const OwnProcess& process) {
  auto input = memory_file(process.input);
  if (!input) return std::unexpected(input.error());
  auto output = make_pipe(), errors = make_pipe();
  if (!output) return std::unexpected(output.error());
  if (!errors) return std::unexpected(errors.error());
  const auto id = start(process, input->number(), output->write.number(), errors->write.number());
  if (!id) return std::unexpected(id.error());
  Child child(*id);
  lower(*id, process.max_seconds);
  output->write.close();
  errors->write.close();

  Ended ended;
  Lines lines(process.on_line, process.max_line), error_lines(process.on_error_line, OwnProcess::kMaxErrors);
  std::array<char, 16'384> block;
  while (true) {
    if (process.is_wanted && !process.is_wanted()) {
      if (process.time_to_end.count() > 0) child.end(process.time_to_end);
      return fail(ErrorCode::unavailable, "It was ended before its time.");
    }
    if (!output->read.is_open() && !errors->read.is_open()) {
      if (const auto code = child.ended()) {
        ended.code = *code;
        return ended;
      }
      std::this_thread::sleep_for(kLookAgain);
      continue;
    }
    // A closed one has the number -1, which is passed over.
    std::array<pollfd, 2> ready{pollfd{output->read.number(), POLLIN, 0}, pollfd{errors->read.number(), POLLIN, 0}};
    if (::poll(ready.data(), ready.size(), kAskEvery) <= 0) continue;
    if (ready[1].revents != 0) {
      const std::string_view text = read_block(errors->read, block);
      if (!process.on_error_line)
        ended.errors += text.substr(0, OwnProcess::kMaxErrors - ended.errors.size());
      else if (!error_lines.add(text))
        return fail(ErrorCode::full, "A line of its errors is too long.");
    }
    if (ready[0].revents == 0) continue;
    if (!lines.add(read_block(output->read, block)))
      return fail(ErrorCode::full, fmt::format("The answer is larger than {} MiB.", process.max_line >> 20));
  }
}

}  // namespace hearth::base
