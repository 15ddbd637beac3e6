// SPDX-License-Identifier: Apache-2.0
// A living home without devices: entities of every kind in 9 areas on 3 floors. Its sensors follow the day, its covers
// take their time, its thermostat heats its room, and its car is away by day. For trying the hub out, and for tests.
// Bus thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/config/config_reader.h"
#include "base/result.h"
#include "domains/domains.h"
#include "domains/integration.h"

namespace hearth::integrations::demo {

struct DemoOptions {
  std::uint64_t seed = 1;  // of the weather and of the inhabitants' habits
  // The speed of the home's time: 2 is twice as fast. At 0 nothing moves by itself and commands are done at once, so
  // the home is the same at every start.
  double speed = 1;

  // Reads the section `demo:`. Fails with invalid; a line for each error.
  static base::Result<DemoOptions> parse(const base::ConfigNode& section);
  static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
};

class Appliance;
class World;

class Demo final : public domains::Integration {
 public:
  using Options = DemoOptions;
  static constexpr double kMaxSpeed = 1'000;

  // REQUIRES: speed from 0 to kMaxSpeed.
  Demo(const domains::IntegrationHome& home, const DemoOptions& options);
  ~Demo() override;

  base::Result<void> start() override;
  void stop() override;

 private:
  void add_lamps();
  void add_switches_and_locks();
  void add_covers_and_fan();
  void add_climate();
  void add_habits();
  void add_garage();
  void add_upper_floor();
  void add_guards();
  void add_machines();
  void add_scenes();
  void add_meters();
  // Constructs an appliance from the world and `args`, and keeps it.
  template <class Made, class... Args>
  Made& add(Args&&... args);

  std::unique_ptr<World> world_;
  std::vector<std::unique_ptr<Appliance>> appliances_;
};

}  // namespace hearth::integrations::demo
