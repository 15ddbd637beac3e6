// SPDX-License-Identifier: Apache-2.0
// Sensors of the demo home. Bus thread only.
#pragma once

#include <vector>

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// A sensor's unit and class.
struct Unit {
  const char *name, *state_class;
  int decimals;
};
domains::Abilities measuring(Unit unit);

// Measures every 30 to 60 s, each sensor at an interval of its own.
class Gauge final : public Appliance {
 public:
  Gauge(World& world, domains::EntityInfo info, Unit unit, std::function<double()> measure);

 private:
  std::function<double()> measure_;
  domains::Thing& sensor_;
  Pulse pulse_;
};

// Something that people cause: on for a while, now and then, more often at some hours.
struct Habit {
  std::uint64_t channel;
  double slot_minutes;  // it happens at most once in a slot
  double on_minutes;    // for how long
  double chance[4];     // in a slot of the night, morning, day and evening
};

// From 0:00, 6:00, 9:00 and 17:00.
bool happens(const Habit& habit, const LocalTime& time, const Noise& noise);

class Detector final : public Appliance {
 public:
  Detector(World& world, domains::EntityInfo info, const Habit& habit);

 private:
  World& world_;
  Habit habit_;
  bool on_;
  domains::Thing& sensor_;
  Pulse pulse_;
};

// The meter at the mains: the power of all devices and of the rest of the home, and the energy used.
class Meter final : public Appliance {
 public:
  Meter(World& world, domains::EntityInfo power, domains::EntityInfo energy,
        const std::vector<std::unique_ptr<Appliance>>& appliances);

 private:
  double measure() const;
  void pass_time();

  World& world_;
  const std::vector<std::unique_ptr<Appliance>>& appliances_;
  double kilowatt_hours_;
  double watts_;
  domains::Thing& power_;
  domains::Thing& energy_;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
