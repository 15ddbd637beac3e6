// SPDX-License-Identifier: Apache-2.0
// Shows a switch as the thing that it switches: a cover, fan, light, lock, siren or valve. It follows its switch, even
// if that gets another entity id, and passes commands on with their context. Bus thread only.
#pragma once

#include <string>

#include "automation/home/home.h"
#include "derived/units/unit.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"
#include "domains/light/light.h"

namespace hearth::derived {

class SwitchAsUnit final : public Unit, public domains::ThingDevice, public domains::LightDevice {
 public:
  struct Options {
    std::string source;
    bool inverted = false;     // on is closed, or locked
    std::string closed, open;  // what off and on are: closed and open, locked and unlocked, off and on
  };

  SwitchAsUnit(std::shared_ptr<const Plan> plan, const Environment& environment, Options options)
      : Unit(std::move(plan)), environment_(environment), options_(std::move(options)) {}

  base::Result<void> start() override;
  void withdraw() override;
  std::vector<std::string> entity_ids() const override;
  void act(const domains::Action& action, const json::object& data) override;
  void turn_on(const domains::LightCommand&) override { turn(true); }
  void turn_off(const domains::LightOffCommand&) override { turn(false); }
  bool refresh() override { return false; }

 private:
  // Its switch has this entity id from now on.
  void follow(std::string entity_id);
  void turn(bool on);
  void show(const core::Context* cause);

  const Environment environment_;
  const Options options_;
  std::string source_;  // its present entity id
  domains::Entity* shown_ = nullptr;
  domains::Thing* thing_ = nullptr;  // one of the two is there
  domains::Light* light_ = nullptr;
  core::EntityListeners::Listening changes_;
  core::Subscription renames_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
};

}  // namespace hearth::derived
