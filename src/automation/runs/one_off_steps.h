// SPDX-License-Identifier: Apache-2.0
// Runs parts of automations that clients send, once, to try them. Bus thread only.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "automation/runs/runs.h"

namespace hearth::automation {

class OneOffSteps {
 public:
  explicit OneOffSteps(Home& home) : home_(home) {}

  // Fails with invalid if they are none, or if it cannot be said.
  base::Result<bool> test(const json::value& conditions, const json::object& variables);
  // Calls `ended` once, perhaps before it returns: with the response, null if there is none. Fails with invalid if the
  // steps are none or fail, with throttled if too many runs are under way.
  void run(const json::value& steps, const json::object& variables, const core::Context& context,
           std::function<void(base::Result<json::value> response)> ended);
  // Calls `fired` with {variables: {trigger}, context} whenever one of the triggers fires, until the result is
  // destroyed, on the bus thread. Fails with invalid if they are none.
  base::Result<std::shared_ptr<void>> watch(const json::value& triggers, const json::object& variables,
                                            std::function<void(json::object event)> fired);
  // Ends all.
  void stop();

 private:
  Home& home_;
  struct Watched;

  std::list<std::unique_ptr<Runs>> under_way_;
  std::vector<std::weak_ptr<Watched>> watched_;
};

}  // namespace hearth::automation
