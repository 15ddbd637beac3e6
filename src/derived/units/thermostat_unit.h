// SPDX-License-Identifier: Apache-2.0
// A thermostat made of a sensor and a switch: it turns a heater, or a cooler, on and off so that the sensor stays near
// a target. If the sensor is unavailable or silent, it turns the switch off. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "automation/home/home.h"
#include "derived/units/unit.h"
#include "domains/climate/climate.h"
#include "domains/entities/entity_table.h"

namespace hearth::derived {

class ThermostatUnit final : public Unit, public domains::ClimateDevice {
 public:
  static constexpr base::Duration kStale = std::chrono::minutes(15);  // a sensor that has said nothing for so long

  // Temperatures in degrees Celsius.
  struct Options {
    std::string heater, sensor;
    bool cools = false;
    double min = 7, max = 35;
    std::optional<double> target;
    double cold_tolerance = 0.3, hot_tolerance = 0.3;
    base::Duration min_cycle{0}, keep_alive{0};  // 0: none
    std::string initial_mode;                    // empty: the last one
    std::vector<std::pair<std::string, double>> presets;
    double precision = 0.1, step = 0.1;
  };

  ThermostatUnit(std::shared_ptr<const Plan> plan, const Environment& environment, Options options)
      : Unit(std::move(plan)), environment_(environment), options_(std::move(options)) {}

  base::Result<void> start() override;
  void withdraw() override;
  std::vector<std::string> entity_ids() const override;
  void set(const domains::ClimateCommand& command) override;

 private:
  enum class Haste { none, at_once };  // at_once: however short the cycle

  domains::ClimateState first_state(const core::State* last);
  void on_sensor(const core::StatePtr& state, const core::Context* cause);
  void on_heater(const core::StateChange& change, const core::Context& cause);
  void look_whether_stale();
  void receive_temperature(const core::State* state);
  void keep_alive();
  // Turns the heater on or off if that is due.
  void control(Haste haste, const core::Context* cause);
  void turn(bool on, const core::Context* cause);
  void choose_preset(const std::string& preset);
  void show(const core::Context* cause);
  bool is_off() const;
  // Null if it has no known state.
  std::optional<bool> heats() const;

  const Environment environment_;
  const Options options_;
  domains::Climate* climate_ = nullptr;  // in the home
  domains::ClimateState state_;
  std::optional<double> temperature_;  // of the sensor; null while it is away or silent
  std::optional<double> saved_;        // the target before a preset was chosen
  base::Timestamp reported_;           // when the sensor last did
  bool told_ = false;                  // the log has been, of a silent sensor
  core::EntityListeners::Listening changes_;
  core::Subscription reports_, confirmations_;
  core::Timer stale_, cycle_, again_;
};

}  // namespace hearth::derived
