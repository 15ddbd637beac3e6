// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/processes/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/threads/descriptor.h"
#include "base/threads/memory_file.h"
#include "base/threads/spawn.h"

namespace hearth::building_blocks {
namespace {

using base::Descriptor;
using base::ErrorCode;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kAskEvery{200};
constexpr std::string_view kUsualPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
// All else may hold secrets of the hub.
constexpr std::array<const char*, 11> kPassedOn{
    "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LOGNAME", "LC_NUMERIC", "TMPDIR", "TZ", "USER"};

std::vector<std::string> environment() {
  std::vector<std::string> all;
  const char* const path = std::getenv("PATH");
  all.push_back(path && *path ? fmt::format("PATH={}", path) : std::string(kUsualPath));
  for (const char* const name : kPassedOn) {
    if (const char* const value = std::getenv(name)) all.push_back(fmt::format("{}={}", name, value));
  }
  return all;
}

base::Result<pid_t> start(const Command& command, int input, int output, int errors) {
  // The shell sets the limit and then becomes the program: there is no moment at which that runs without it.
  base::Spawn plan{
      .program = "/bin/sh",
      .arguments = {"/bin/sh", "-c", fmt::format("ulimit -v {} && exec \"$0\" \"$@\"", Command::kMaxMemory >> 10)},
      .environment = environment(),
      .folder = command.folder,
      .input = input,
      .output = output,
      .errors = errors,
      .own_group = true};
  plan.arguments.insert(plan.arguments.end(), command.words.begin(), command.words.end());
  auto id = base::spawn(std::move(plan));
  if (!id) id.error().message = fmt::format("cannot be started: {}", id.error().message);
  return id;
}

// Owns the command's process group: the command and all that it has started there. Kills it when destroyed.
class ProcessGroup {
 public:
  explicit ProcessGroup(pid_t id) : id_(id), ends_(static_cast<int>(::syscall(SYS_pidfd_open, id, 0))) {}
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;
  ~ProcessGroup() { kill(); }

  int ends() const { return ends_.number(); }  // readable when the command has ended; -1 on old systems
  bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id_;
  }
  // The exit code, as CommandResult has it.
  int kill() {
    if (id_ <= 0) return 0;
    // Before the command is reaped: as long as it is not, nobody else gets its number.
    ::kill(-id_, SIGKILL);
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t id_;
  Descriptor ends_;
};

// One of its outputs.
struct Output {
  Descriptor from;
  std::string& kept;
  std::size_t printed = 0;

  // False if there is nothing more at present.
  bool read() {
    std::array<char, 16'384> block;
    const ssize_t bytes = ::read(from.number(), block.data(), block.size());
    if (bytes < 0 && errno == EINTR) return true;
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN)) from.close();
    if (bytes <= 0) return false;
    printed += static_cast<std::size_t>(bytes);
    kept.append(block.data(), std::min(static_cast<std::size_t>(bytes), Command::kMaxKept - kept.size()));
    return true;
  }
  bool is_too_much() const { return printed > Command::kMaxPrinted; }
};

std::unexpected<base::Error> prints_too_much() {
  return base::fail(ErrorCode::full,
                    fmt::format("printed more than {} MiB and was killed", Command::kMaxPrinted >> 20));
}

}  // namespace

base::Result<CommandResult> run(const Command& command, const std::function<bool()>& is_wanted) {
  for (const std::string& word : command.words) {
    if (word.contains('\0'))
      return base::fail(ErrorCode::invalid, "an argument has a zero byte in it, which no program can be given");
  }
  const auto input = base::memory_file(command.input);
  if (!input) return std::unexpected(input.error());
  auto output = base::make_pipe(), errors = base::make_pipe();
  if (!output) return std::unexpected(output.error());
  if (!errors) return std::unexpected(errors.error());
  ::fcntl(output->read.number(), F_SETFL, O_NONBLOCK);
  ::fcntl(errors->read.number(), F_SETFL, O_NONBLOCK);
  const auto id = start(command, input->number(), output->write.number(), errors->write.number());
  if (!id) return std::unexpected(id.error());
  ProcessGroup group(*id);
  output->write.close();
  errors->write.close();

  CommandResult result;
  std::array<Output, 2> outputs{Output{std::move(output->read), result.output},
                                Output{std::move(errors->read), result.errors}};
  const auto deadline = Clock::now() + command.timeout;
  while (!group.has_ended()) {
    if (is_wanted && !is_wanted()) return base::fail(ErrorCode::unavailable, "was killed, because the hub stops");
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      return base::fail(ErrorCode::unavailable, fmt::format("did not end within {} s and was killed",
                                                            std::chrono::duration<double>(command.timeout).count()));
    }
    // A closed one has the number -1, which is passed over.
    std::array<pollfd, 3> ready{pollfd{outputs[0].from.number(), POLLIN, 0},
                                pollfd{outputs[1].from.number(), POLLIN, 0}, pollfd{group.ends(), POLLIN, 0}};
    if (::poll(ready.data(), ready.size(), static_cast<int>(std::min(left, kAskEvery).count())) <= 0) continue;
    for (std::size_t index = 0; index < outputs.size(); ++index) {
      if (ready[index].revents != 0) outputs[index].read();
      if (outputs[index].is_too_much()) return prints_too_much();
    }
  }
  result.code = group.kill();
  for (Output& each : outputs) {
    while (each.from.is_open() && each.read()) {
      if (each.is_too_much()) return prints_too_much();
    }
  }
  return result;
}

}  // namespace hearth::building_blocks
