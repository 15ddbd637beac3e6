// SPDX-License-Identifier: Apache-2.0
#include "app/password_prompt.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>

namespace hearth::app {
namespace {

// Holds back the signals that end or stop the program; they take effect when this goes.
class HeldSignals {
 public:
  HeldSignals() {
    ::sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) ::sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, &before_);
    waiting_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  }
  ~HeldSignals() {
    ::close(waiting_);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  int waiting() const { return waiting_; }  // readable when one is held back

 private:
  ::sigset_t before_;
  int waiting_;
};

class EchoOff {
 public:
  EchoOff(int terminal, const ::termios& before) : terminal_(terminal), before_(before) {
    ::termios quiet = before;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(terminal, TCSAFLUSH, &quiet);
  }
  ~EchoOff() { ::tcsetattr(terminal_, TCSAFLUSH, &before_); }
  EchoOff(const EchoOff&) = delete;
  EchoOff& operator=(const EchoOff&) = delete;

 private:
  int terminal_;
  ::termios before_;
};

void show(int output, const std::string& text) {
  // A terminal that cannot be written to is found when reading.
  [[maybe_unused]] const auto written = ::write(output, text.data(), text.size());
}

base::Result<std::string> read_line(int input, int interrupted) {
  std::string line;
  for (;;) {
    std::array<::pollfd, 2> ready{{{input, POLLIN, 0}, {interrupted, POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), -1);
    if (ready[1].revents != 0) return base::fail(base::ErrorCode::invalid, "Interrupted.");
    char c;
    if (::read(input, &c, 1) != 1) return base::fail(base::ErrorCode::invalid, "No password was given.");
    if (c == '\n') return line;
    if (line.size() == kMaxPasswordBytes) return base::fail(base::ErrorCode::invalid, "The password is too long.");
    line += c;
  }
}

}  // namespace

base::Result<std::string> ask_password(int input, int output, const std::string& question) {
  ::termios before;
  if (::tcgetattr(input, &before) != 0) {
    return base::fail(base::ErrorCode::invalid,
                      "Standard input is no terminal to ask on; pass the password there with --password-stdin.");
  }
  const HeldSignals signals;
  const EchoOff quiet(input, before);
  show(output, question);
  auto line = read_line(input, signals.waiting());
  show(output, "\n");
  return line;
}

}  // namespace hearth::app
