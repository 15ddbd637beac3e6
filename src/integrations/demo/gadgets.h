// SPDX-License-Identifier: Apache-2.0
// An update, scenes, and a car. Bus thread only.
#pragma once

#include <string>
#include <vector>

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// Installs in half a minute and reports its progress.
class Updater final : public Appliance, public domains::ThingDevice {
 public:
  Updater(World& world, const domains::EntityInfo& info, const char* installed, const char* latest);

  void act(const domains::Action& action, const json::object& data) override;

 private:
  void install(int percent);

  World& world_;
  std::string version_;  // the version being installed
  domains::Thing& update_;
  core::Timer step_;
};

// Calls services when it is activated.
class Scene final : public Appliance, public domains::ThingDevice {
 public:
  struct Step {
    const char *domain, *service;
    json::object data;
  };
  Scene(World& world, const domains::EntityInfo& info, std::vector<Step> steps);

  void act(const domains::Action& action, const json::object& data) override;

 private:
  World& world_;
  std::vector<Step> steps_;
  domains::Thing& scene_;
};

// Away by day, at home and charging by night.
class Car final : public Appliance {
 public:
  // `limit`: the number entity with the charging limit in percent.
  Car(World& world, const domains::EntityInfo& tracker, const domains::EntityInfo& plug, const domains::Thing& limit);

  double battery() const { return battery_; }  // percent
  double kilometres() const { return kilometres_; }

 private:
  bool away() const;
  void pass_time();

  World& world_;
  const domains::Thing& limit_;
  double battery_ = 72;
  double kilometres_ = 18'250;
  domains::Thing& tracker_;
  domains::Thing& plug_;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
