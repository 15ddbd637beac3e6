// SPDX-License-Identifier: Apache-2.0
#include "base/log/log_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <deque>
#include <string_view>
#include <utility>

#include "base/log/recent_log.h"
#include "base/mutex.h"

namespace hearth::base {
namespace {

constexpr timespec kBetweenLooks{0, 1'000'000};

std::string gap(std::uint64_t missing) {
  const auto now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  return LogRecord{now, LogLevel::warning, "log",
                   fmt::format("{} {} missing here: nobody read the log, or it could not be written", missing,
                               missing == 1 ? "line is" : "lines are")}
             .text() +
         '\n';
}

}  // namespace

struct LogOutput::State {
  explicit State(int to) : descriptor(to) {}

  ~State() { close_own(); }

  // How much of the line could be written without waiting: 0 if none.
  std::size_t write_at_once(std::string_view line) const;
  void open_own();
  void close_own();
  // False if the rest of the line cannot be written.
  bool write_all(std::string_view line) const;
  // The writing thread only. `missing` counts the lines dropped before this one.
  void write(const std::string& line, std::uint64_t missing);
  void run();

  const int descriptor;
  bool is_socket = false;
  int own = -1;  // the same pipe or terminal, opened again, so that only writes of ours do not wait
  std::atomic<std::uint64_t> put{0}, done{0};  // lines; done: written or dropped
  std::atomic<bool> over{false};               // the thread has left its loop
  std::uint64_t lost = 0;                      // the writing thread's: since the last line that said so
  bool torn = false;                           // the writing thread's: the last line lacks its end

  Mutex mutex;
  ConditionVariable changed;
  std::deque<std::string> lines __attribute__((guarded_by(mutex)));
  std::size_t bytes __attribute__((guarded_by(mutex))) = 0;
  std::uint64_t dropped __attribute__((guarded_by(mutex))) = 0;  // since the last line that was taken out
  bool queues __attribute__((guarded_by(mutex))) = false;        // a thread writes
  bool stopping __attribute__((guarded_by(mutex))) = false;
};

void LogOutput::State::open_own() {
  struct stat kind{};
  if (::fstat(descriptor, &kind) != 0) return;
  is_socket = S_ISSOCK(kind.st_mode);
  if (S_ISFIFO(kind.st_mode) || S_ISCHR(kind.st_mode))
    own = ::open(fmt::format("/proc/self/fd/{}", descriptor).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

void LogOutput::State::close_own() {
  if (own >= 0) ::close(std::exchange(own, -1));
  is_socket = false;
}

std::size_t LogOutput::State::write_at_once(std::string_view line) const {
  ssize_t written = 0;
  if (is_socket)
    written = ::send(descriptor, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  else if (own >= 0)
    written = ::write(own, line.data(), line.size());
  return written > 0 ? static_cast<std::size_t>(written) : 0;
}

bool LogOutput::State::write_all(std::string_view line) const {
  while (!line.empty()) {
    const ssize_t written = ::write(descriptor, line.data(), line.size());
    if (written >= 0) {
      line.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void LogOutput::State::write(const std::string& line, std::uint64_t missing) {
  lost += missing;
  std::string begin = torn ? "\n" : "";
  if (lost > 0) begin += gap(lost);
  if (!write_all(begin)) {
    ++lost;
    return;
  }
  lost = 0;
  torn = !write_all(line);
  if (torn) ++lost;
}

void LogOutput::State::run() {
  pthread_setname_np(pthread_self(), "log");
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (;;) {
    std::string line;
    std::uint64_t missing = 0;
    {
      MutexLock lock(mutex);
      while (lines.empty() && !stopping) changed.wait(mutex);
      if (lines.empty()) {
        queues = false;
        over = true;
        return;
      }
      line = std::move(lines.front());
      lines.pop_front();
      bytes -= line.size();
      missing = std::exchange(dropped, 0);
    }
    write(line, missing);
    ++done;
  }
}

LogOutput::LogOutput(int descriptor) : state_(std::make_shared<State>(descriptor)) {}

LogOutput::~LogOutput() {
  stop(std::chrono::milliseconds(0));
}

void LogOutput::put(std::string line) {
  State& state = *state_;
  {
    MutexLock lock(state.mutex);
    if (state.queues) {
      // All before it is out, and the thread waits.
      if (line.size() <= PIPE_BUF && state.done == state.put && state.dropped == 0 && state.lost == 0 && !state.torn) {
        line.erase(0, state.write_at_once(line));
        if (line.empty()) return;
      }
      state.bytes += line.size();
      ++state.put;
      state.lines.push_back(std::move(line));
      while (state.bytes > kMaxBytes && state.lines.size() > 1) {
        state.bytes -= state.lines.front().size();
        state.lines.pop_front();
        ++state.dropped;
        ++state.done;
      }
      state.changed.notify_one();
      return;
    }
  }
  state.write_all(line);
}

bool LogOutput::written_within(std::chrono::milliseconds patience) const noexcept {
  const std::uint64_t wanted = state_->put;
  for (auto waited = std::chrono::milliseconds(0); state_->done < wanted; ++waited) {
    if (waited >= patience) return false;
    ::nanosleep(&kBetweenLooks, nullptr);
  }
  return true;
}

void LogOutput::start() {
  if (thread_.joinable()) return;
  state_->over = false;
  {
    MutexLock lock(state_->mutex);
    state_->open_own();
    state_->stopping = false;
    state_->queues = true;
  }
  thread_ = std::thread([state = state_] { state->run(); });
}

void LogOutput::stop(std::chrono::milliseconds patience) {
  if (!thread_.joinable()) return;
  {
    MutexLock lock(state_->mutex);
    state_->close_own();
    state_->stopping = true;
  }
  state_->changed.notify_one();
  for (auto waited = std::chrono::milliseconds(0); !state_->over && waited < patience; ++waited)
    ::nanosleep(&kBetweenLooks, nullptr);
  if (state_->over)
    thread_.join();
  else
    thread_.detach();
}

}  // namespace hearth::base
