// SPDX-License-Identifier: Apache-2.0
#include "base/threads/own_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
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

namespace hearth::base {
namespace {

constexpr int kNiceness = 10;
constexpr int kAskEvery = 200;  // milliseconds
constexpr std::chrono::milliseconds kLookAgain{5};

std::unexpected<Error> failed(std::string_view what) {
  return fail(ErrorCode::unavailable, fmt::format("{}: {}", what, std::strerror(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("A pipe cannot be made");
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// A file in memory that holds the text, read from its beginning: unlike a pipe, nobody has to write while it is read.
Result<Descriptor> file_of(std::string_view text) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.is_open()) return failed("The input cannot be made");
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno != EINTR) return failed("The input cannot be written");
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::lseek(file.number(), 0, SEEK_SET) != 0) return failed("The input cannot be read");
  return file;
}

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

Result<pid_t> spawn(const OwnProcess& process, int input, int output, int errors) {
  std::vector<std::string> texts{"hearth"};
  texts.insert(texts.end(), process.arguments.begin(), process.arguments.end());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  // The threads here block signals; the other process must hear them.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t id = -1;
  errno = ::posix_spawn(&id, "/proc/self/exe", &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (errno != 0) return failed("The program cannot be started once more");
  return id;
}

// What it may not do at the hub's expense, and not for long if the hub has ended. Where the system does not let us, it
// runs as any other.
void lower(pid_t id) {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(id), kNiceness);
  const rlimit most{OwnProcess::kMaxSeconds, OwnProcess::kMaxSeconds};
  ::prlimit(id, RLIMIT_CPU, &most, nullptr);
  std::ofstream(fmt::format("/proc/{}/oom_score_adj", id)) << "1000";
}

// What has come; nothing at the end.
std::string_view read_block(Descriptor& from, std::span<char> block) {
  const ssize_t bytes = ::read(from.number(), block.data(), block.size());
  if (bytes > 0) return {block.data(), static_cast<std::size_t>(bytes)};
  if (bytes == 0 || errno != EINTR) from.close();
  return {};
}

}  // namespace

Result<Ended> run(const OwnProcess& process) {
  auto input = file_of(process.input);
  if (!input) return std::unexpected(input.error());
  auto output = make_pipe(), errors = make_pipe();
  if (!output) return std::unexpected(output.error());
  if (!errors) return std::unexpected(errors.error());
  const auto id = spawn(process, input->number(), output->write.number(), errors->write.number());
  if (!id) return std::unexpected(id.error());
  Child child(*id);
  lower(*id);
  output->write.close();
  errors->write.close();

  Ended ended;
  std::string line;
  std::array<char, 16'384> block;
  while (true) {
    if (process.is_wanted && !process.is_wanted()) return fail(ErrorCode::unavailable, "It was ended before its time.");
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
      ended.errors += text.substr(0, OwnProcess::kMaxErrors - ended.errors.size());
    }
    if (ready[0].revents == 0) continue;
    std::string_view text = read_block(output->read, block);
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      line += text.substr(0, end);
      text.remove_prefix(end + 1);
      if (process.on_line) process.on_line(line);
      line.clear();
    }
    line += text;
    if (line.size() > OwnProcess::kMaxLine)
      return fail(ErrorCode::full, fmt::format("The answer is larger than {} MiB.", OwnProcess::kMaxLine >> 20));
  }
}

}  // namespace hearth::base
