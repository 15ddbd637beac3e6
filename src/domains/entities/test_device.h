// SPDX-License-Identifier: Apache-2.0
// For tests: a device that records its commands, and obeys at once if it has an entity to report to.
#pragma once

#include <string>

#include "domains/entities/thing.h"

namespace hearth::domains {

class TestDevice final : public ThingDevice {
 public:
  void act(const Action& action, const json::object& data) override {
    told += std::string(action.service) + (data.empty() ? "" : base::to_json(data)) + ' ';
    if (thing) thing->report(outcome(thing->kind(), action, data));
  }
  base::Result<json::object> answer(const Action& action, const json::object& data) override {
    act(action, data);
    return json::object{{"asked", action.service}};
  }
  bool refresh() override {
    told += "refresh ";
    return asks;
  }

  std::string told;
  Thing* thing = nullptr;
  bool asks = false;  // whether it answers refresh, later
};

}  // namespace hearth::domains
