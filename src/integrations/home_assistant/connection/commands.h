// SPDX-License-Identifier: Apache-2.0
// Commands of the session itself, for its parts. Thread `net` only.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"
#include "integrations/home_assistant/protocol/messages.h"

namespace hearth::integrations::home_assistant {

class Commands {
 public:
  // The answer; `result`, and `error` of a failed one, are gone after the call.
  using Done = std::function<void(const Incoming& answer)>;
  using OnEvent = std::function<void(std::string_view event)>;
  // Of an answer that does not come.
  enum class IfLate { end_connection, fail };

  virtual ~Commands() = default;
  virtual std::uint64_t ask(json::object command, Done done, IfLate if_late) = 0;
  // `event`: each message of the subscription, until unfollow or the end of the connection.
  virtual std::uint64_t follow(json::object command, OnEvent event, Done done) = 0;
  virtual void unfollow(std::uint64_t id) = 0;
  virtual base::SteadyTime now() const = 0;
};

// The code of an answer that is an error: "unknown_command"; empty if it has none.
std::string error_code(const Incoming& answer);

}  // namespace hearth::integrations::home_assistant
