// SPDX-License-Identifier: Apache-2.0
// A polled entity at work: a sensor, binary sensor, switch or cover whose templates read what its source fetches. Bus
// thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "automation/home/home.h"
#include "base/log/repeated_log.h"
#include "building_blocks/polled/polled_plan.h"
#include "building_blocks/polled/source.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"

namespace hearth::building_blocks {

class PolledEntity final : public domains::ThingDevice {
 public:
  // Called for its commands, and for requests for an update.
  struct Calls {
    std::function<void(const domains::Action& action, const json::object& data)> command;
    std::function<bool()> refresh;  // false: nothing is fetched
  };

  // All must outlive it; the entity's plan is one of the plan's.
  PolledEntity(const PolledPlan& plan, const PolledEntityPlan& entity, const PolledEnvironment& environment,
               Calls calls);

  // Adds the entity, which shows its last state until it is told more. Fails as EntityTable::add.
  base::Result<void> start();
  // Takes it out of the home, which keeps its state.
  void withdraw();

  // `text`: repaired, if it was not UTF-8; `json`: of the text, null if it is none.
  void show(const Fetched& fetched, const std::string& text, const std::shared_ptr<const json::value>& json);
  void lose();
  // A command has been carried out, which nothing but itself tells.
  void assume(const domains::Action& action, const json::object& data);
  // Answers calls that wait: the state is as it was.
  void repeat();
  // Logs what is wrong with its values; what comes again less and less often.
  void complain(std::string_view what);

  const PolledEntityPlan& plan() const { return entity_; }
  std::string_view entity_id() const { return thing_ ? thing_->entity_id() : std::string_view(); }

  void act(const domains::Action& action, const json::object& data) override;
  bool refresh() override { return calls_.refresh(); }

 private:
  void restore(const core::State& last, domains::Thing& thing) const;
  // The state for a text or a template's value. Fails with invalid; null is unknown.
  base::Result<json::value> state_of(const templates::Value& value) const;
  json::object attributes_of(const json::value* json);

  const PolledPlan& plan_;
  const PolledEntityPlan& entity_;
  const PolledEnvironment& environment_;
  const Calls calls_;
  domains::Thing* thing_ = nullptr;  // in the home
  base::RepeatedLog said_;
};

}  // namespace hearth::building_blocks
