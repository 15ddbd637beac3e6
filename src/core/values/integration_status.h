// SPDX-License-Identifier: Apache-2.0
// The states of the integrations' connections. Published as a whole: readers never wait.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/values/connection.h"

namespace hearth::core {

// Facts for people about a connection that works: at most one of each kind.
struct ConnectionIssue {
  std::string kind;                            // names its text in a page's catalogue
  std::map<std::string, std::string> details;  // what the text says of this one

  bool operator==(const ConnectionIssue&) const = default;
};

struct IntegrationStatus {
  enum class State {
    starting,
    running,
    waiting,       // it runs, its device does not answer, and it tries again by itself
    needs_person,  // it runs, and goes on when a person has changed something
    failed,        // it did not start, and is started again
    stopped,       // or disabled
  };

  std::string name;          // the integration's
  ConnectionPtr connection;  // never null
  State state = State::stopped;
  base::Timestamp since;                    // when it entered this state
  std::string error;                        // why it waits, needs a person or failed; otherwise empty
  std::optional<base::Timestamp> retry_at;  // set while it has failed
  std::uint64_t attempts = 0;               // failed starts in a row
  std::uint64_t failures = 0;               // of its commands, timers and listeners, since the hub started
  std::string last_failure;                 // empty if there was none
  std::vector<ConnectionIssue> issues = {};
};

// In the order of the configuration, then by age.
using IntegrationList = std::vector<IntegrationStatus>;

constexpr std::string_view to_string(IntegrationStatus::State state) {
  using enum IntegrationStatus::State;
  switch (state) {
    case starting:
      return "starting";
    case running:
      return "running";
    case waiting:
      return "waiting";
    case needs_person:
      return "needs_person";
    case failed:
      return "failed";
    case stopped:
      return "stopped";
  }
  return "stopped";
}

// The state of a config entry, as clients of this family know it.
constexpr std::string_view entry_state(IntegrationStatus::State state) {
  using enum IntegrationStatus::State;
  switch (state) {
    case starting:
      return "setup_in_progress";
    case running:
      return "loaded";
    case waiting:
    case failed:
      return "setup_retry";
    case needs_person:
      return "setup_error";
    case stopped:
      return "not_loaded";
  }
  return "not_loaded";
}

}  // namespace hearth::core
