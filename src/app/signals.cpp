// SPDX-License-Identifier: Apache-2.0
#include "app/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/log/log.h"

namespace hearth::app {
namespace {

constexpr std::array kIgnoredSignals{SIGPIPE,   SIGXFSZ, SIGUSR1, SIGUSR2,   SIGALRM,
                                     SIGVTALRM, SIGPROF, SIGIO,   SIGSTKFLT, SIGTTOU};
constexpr std::array kCrashes{SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
constexpr std::chrono::milliseconds kLastLines{200};

// The action is the default's again when this runs.
void crash(int number) {
  base::await_log(kLastLines);
  ::raise(number);
}

bool has_terminal() {
  const int terminal = ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (terminal >= 0) ::close(terminal);
  return terminal >= 0;
}

}  // namespace

void prepare_signals() {
  for (const int number : kIgnoredSignals) std::signal(number, SIG_IGN);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) std::signal(number, SIG_IGN);
  for (const int number : kCrashes) {
    struct sigaction action;
    // A sanitizer has its own handlers.
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action = {};
    action.sa_handler = crash;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(number, &action, nullptr);
  }
}

bool hangup_is_for_us() {
  struct sigaction action;
  return ::sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler != SIG_IGN;
}

Terminal::Terminal() : had_(has_terminal()) {}

bool Terminal::has_closed() const {
  return had_ && !has_terminal();
}

}  // namespace hearth::app
