// SPDX-License-Identifier: Apache-2.0
// Handles each signal that may reach a running hub: one that ends it ends it in order, so that nothing acknowledged is
// lost.
#pragma once

#include <array>
#include <csignal>

namespace hearth::app {

// These end the hub in order: a person, a service manager, a power supply that fails, a limit on processor time.
inline constexpr std::array kEndingSignals{SIGTERM, SIGINT, SIGQUIT, SIGPWR, SIGXCPU};

// For `serve`, before anything else. Signals that mean nothing to a hub are ignored, among them SIGPIPE and SIGXFSZ,
// which are errors of a write here. A crash waits until the log is written.
void prepare_signals();

// For SIGHUP, which comes when the terminal of a program closes, and which administrators send to have a configuration
// read again. False if it must be left alone: `nohup` has had it ignored.
bool hangup_is_for_us();
// True if the program was started in a terminal that is no longer there. Any thread.
class Terminal {
 public:
  Terminal();
  bool has_closed() const;

 private:
  const bool had_;
};

}  // namespace hearth::app
