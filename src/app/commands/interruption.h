// SPDX-License-Identifier: Apache-2.0
// For commands that take long. One thread.
#pragma once

#include <csignal>
#include <thread>

#include "base/clock.h"

namespace hearth::app {

// While it exists, SIGINT and SIGTERM do not kill the process: the work is cancelled and its files are removed.
class Interruption {
 public:
  Interruption() {
    sigemptyset(&asked_);
    sigaddset(&asked_, SIGINT);
    sigaddset(&asked_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &asked_, &before_);
  }
  // A signal that came has been obeyed: the command says so and ends by itself.
  ~Interruption() {
    const timespec at_once{};
    while (sigtimedwait(&asked_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool none() const {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) == 0 && sigismember(&pending, SIGTERM) == 0;
  }
  // Waits; false if interrupted.
  bool wait(base::Duration time) const {
    const auto due = std::chrono::steady_clock::now() + time;
    while (none() && std::chrono::steady_clock::now() < due) std::this_thread::sleep_for(kLook);
    return none();
  }

 private:
  static constexpr std::chrono::milliseconds kLook{20};
  sigset_t asked_, before_;
};

}  // namespace hearth::app
