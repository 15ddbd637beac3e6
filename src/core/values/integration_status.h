// SPDX-License-Identifier: Apache-2.0
// The states of the integrations. Published as a whole: readers never wait.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace hearth::core {

struct IntegrationStatus {
  enum class State { starting, running, failed, stopped };

  std::string name;
  State state = State::stopped;
  base::Timestamp since;                    // when it entered this state
  std::string error;                        // why it failed; otherwise empty
  std::optional<base::Timestamp> retry_at;  // set while it has failed
  std::uint64_t attempts = 0;               // failed starts in a row
  std::uint64_t failures = 0;               // of its commands, timers and listeners, since the hub started
  std::string last_failure;                 // empty if there was none
};

using IntegrationList = std::vector<IntegrationStatus>;  // in the order of the configuration

constexpr std::string_view to_string(IntegrationStatus::State state) {
  using enum IntegrationStatus::State;
  switch (state) {
    case starting:
      return "starting";
    case running:
      return "running";
    case failed:
      return "failed";
    case stopped:
      return "stopped";
  }
  return "stopped";
}

}  // namespace hearth::core
