// SPDX-License-Identifier: Apache-2.0
// A thermostat or air conditioner. Temperatures are in degrees Celsius. Bus thread only.
#pragma once

#include <string>
#include <vector>

#include "domains/entities/domain_services.h"
#include "domains/entities/entity.h"

namespace hearth::domains {

// Names of modes. A device may have others.
struct HvacMode {
  static constexpr const char *off = "off", *heat = "heat", *cool = "cool", *heat_cool = "heat_cool",
                              *automatic = "auto", *dry = "dry", *fan_only = "fan_only";
};
enum class HvacAction { off, preheating, heating, cooling, drying, fan, idle, defrosting };

std::string_view to_string(HvacAction action);

struct ClimateCapabilities {
  std::vector<std::string> modes = {HvacMode::off, HvacMode::heat};
  double min_temperature = 7;
  double max_temperature = 35;
  double temperature_step = 0.5;
  bool target_temperature = true;
  bool target_range = false;  // a low and a high target
  std::vector<std::string> presets = {};
  std::vector<std::string> fan_modes = {};
  std::vector<std::string> swing_modes = {};
  std::vector<std::string> swing_horizontal_modes = {};
  bool target_humidity = false;
  int min_humidity = 30;
  int max_humidity = 99;
};

struct ClimateState {
  std::string mode = HvacMode::off;
  std::optional<HvacAction> action = {};
  std::optional<double> current_temperature = {};
  std::optional<double> temperature = {};  // the target
  std::optional<double> temperature_low = {}, temperature_high = {};
  std::optional<double> current_humidity = {};
  std::optional<int> humidity = {};  // the target
  std::string preset = {}, fan_mode = {}, swing_mode = {}, swing_horizontal_mode = {};

  bool operator==(const ClimateState&) const = default;
};

// Absent fields stay unchanged.
struct ClimateCommand {
  std::optional<std::string> mode = {};
  std::optional<double> temperature = {};  // within the range, on a step; the same for low and high
  std::optional<double> temperature_low = {}, temperature_high = {};
  std::optional<int> humidity = {};
  std::optional<std::string> preset = {}, fan_mode = {}, swing_mode = {}, swing_horizontal_mode = {};
};

class ClimateDevice : public EntityDevice {
 public:
  virtual void set(const ClimateCommand& command) = 0;
};

// An ideal device's way with a command: for devices that report success by themselves.
ClimateState apply(ClimateState state, const ClimateCommand& command);

class Climate final : public Entity {
 public:
  static constexpr std::string_view kDomain = "climate";

  Climate(EntityInfo info, ClimateCapabilities capabilities, ClimateDevice& device)
      : Entity(kDomain, std::move(info), &device), capabilities_(std::move(capabilities)), device_(device) {}

  const ClimateCapabilities& capabilities() const { return capabilities_; }
  const std::optional<ClimateState>& state() const { return state_; }  // null until reported
  // `cause`: the command that this answers, if the device knows.
  void report(ClimateState state, const core::Context* cause = nullptr);

  // The mode for turning on: the last one before it was turned off, otherwise the first it has of heat_cool, heat and
  // cool.
  std::optional<std::string> mode_when_on() const;
  base::Result<void> can(std::string_view service, const json::object& data) const override;

  ClimateDevice& device() { return device_; }

 protected:
  std::string value() const override;
  void add_capabilities(json::object& attributes) const override;
  void add_attributes(json::object& attributes) const override;

 private:
  ClimateCapabilities capabilities_;
  ClimateDevice& device_;
  std::optional<ClimateState> state_;
  std::optional<std::string> last_mode_on_;
};

// turn_on, turn_off, toggle, set_temperature, set_hvac_mode, set_preset_mode, set_fan_mode, set_swing_mode,
// set_swing_horizontal_mode, set_humidity.
void add_climate_services(DomainServices& services);

}  // namespace hearth::domains
