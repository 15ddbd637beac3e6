// SPDX-License-Identifier: Apache-2.0
// A living home without devices: 32 entities in 6 areas on 2 floors, whose sensors follow the day, whose covers take
// their time and whose thermostat heats its room. For trying the hub out, and for tests. Bus thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/config_node.h"
#include "base/result.h"
#include "domains/domains.h"
#include "domains/integration.h"

namespace hearth::integrations::demo {

struct DemoOptions {
  std::uint64_t seed = 1;  // of the weather and of the habits of those who live there
  // Of the home's time: 2 is twice as fast. At 0 nothing moves by itself and commands are done at once, so that the
  // home is the same at every start.
  double speed = 1;

  // From the section `demo:`. Fails with invalid; a line for each error.
  static base::Result<DemoOptions> parse(const base::ConfigNode& section);
};

class Thing;
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
  void add_meters();

  std::unique_ptr<World> world_;
  std::vector<std::unique_ptr<Thing>> things_;
};

}  // namespace hearth::integrations::demo
