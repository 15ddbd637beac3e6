// SPDX-License-Identifier: Apache-2.0
// Simulates automations over recorded history, or in a scenario; calls nothing. The app implements it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class Simulations {
 public:
  struct Question {
    std::string entity_id;                // the automation to compare; empty: all, or `config` as a new one
    std::optional<json::object> config;   // what it would be
    std::string from, to;                 // local times, or with an offset
    std::optional<json::value> scenario;  // then there is no history, and none of these but config
  };
  // As automation/simulate.
  using Progress = std::function<void(double part)>;
  using Done = std::function<void(base::Result<json::object>)>;

  virtual ~Simulations() = default;

  // Any thread. Calls `progress` now and then and `done` once, on a thread of its own, unless the result is destroyed
  // before, which ends it. Fails with invalid if nothing such can be asked, with not_found if there is no such
  // automation, with throttled if others are under way.
  virtual base::Result<std::shared_ptr<void>> begin(const Question& question, Progress progress, Done done) = 0;
};

}  // namespace hearth::api
