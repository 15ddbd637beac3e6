// SPDX-License-Identifier: Apache-2.0
// A fan. Bus thread only.
#pragma once

#include <vector>

#include "domains/domain_services.h"
#include "domains/entity.h"

namespace hearth::domains {

struct FanCapabilities {
  int speeds = 0;  // steps between off and full: 3 are 33, 66 and 100 %; 0: on or off only
  std::vector<std::string> presets = {};
  bool oscillate = false;
  bool direction = false;
};

enum class FanDirection { forward, reverse };

struct FanState {
  bool on = false;
  int percentage = 0;       // 0–100; while off 0 is shown
  std::string preset = {};  // empty: none
  bool oscillating = false;
  FanDirection direction = FanDirection::forward;
};

// What is not named stays as it was.
struct FanCommand {
  std::optional<int> percentage = {};  // 1–100
  std::optional<std::string> preset = {};
  std::optional<bool> oscillating = {};
  std::optional<FanDirection> direction = {};
};

class FanDevice : public EntityDevice {
 public:
  virtual void turn_on(const FanCommand& command) = 0;
  virtual void turn_off() = 0;
  virtual void adjust(const FanCommand& /*command*/) {}  // oscillation or direction, whether it is on or off
};

// What an ideal fan does with a command: for devices that report by themselves that they obeyed.
FanState apply(FanState state, const FanCommand& command);

class Fan final : public Entity {
 public:
  static constexpr std::string_view kDomain = "fan";

  Fan(EntityInfo info, FanCapabilities capabilities, FanDevice& device)
      : Entity(kDomain, std::move(info), &device), capabilities_(std::move(capabilities)), device_(device) {}

  const FanCapabilities& capabilities() const { return capabilities_; }
  const std::optional<FanState>& state() const { return state_; }  // nothing: not reported yet
  // `cause`: the command answered, where the device can tell.
  void report(FanState state, const core::Context* cause = nullptr);

  FanDevice& device() { return device_; }

 protected:
  std::string value() const override;
  void add_capabilities(json::object& attributes) const override;
  void add_attributes(json::object& attributes) const override;

 private:
  FanCapabilities capabilities_;
  FanDevice& device_;
  std::optional<FanState> state_;
};

// turn_on, turn_off, toggle, set_percentage, increase_speed, decrease_speed, set_preset_mode, oscillate, set_direction.
void add_fan_services(DomainServices& services);

}  // namespace hearth::domains
