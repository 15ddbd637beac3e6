// SPDX-License-Identifier: Apache-2.0
// A lamp: its abilities, its state, and its commands. Bus thread only.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "domains/entities/domain_services.h"
#include "domains/entities/entity.h"
#include "domains/light/color.h"

namespace hearth::domains {

struct LightCapabilities {
  std::set<ColorMode> modes = {ColorMode::onoff};  // onoff and brightness occur alone, white only with a colour
  KelvinRange kelvin = {};
  std::vector<std::string> effects = {};
  bool flash = false;
  bool transition = false;

  bool has(ColorMode mode) const { return modes.contains(mode); }
  bool can_dim() const { return !has(ColorMode::onoff); }
};

struct LightState {
  bool on = false;
  int brightness = 255;                  // 1–255, of a dimmable lamp
  std::optional<LightColor> color = {};  // in one of the lamp's modes; null without a colour
  std::string effect = {};               // empty if there is none
};

enum class Flash { brief, extended };  // callers say short and long

// Absent fields stay unchanged.
struct LightCommand {
  std::optional<int> brightness = {};      // 1–255
  std::optional<LightColor> color = {};    // in one of the lamp's modes
  std::optional<std::string> effect = {};  // from its list; empty for none
  std::optional<Flash> flash = {};
  std::optional<base::Duration> transition = {};  // a lamp that cannot fade changes at once
};

struct LightOffCommand {
  std::optional<Flash> flash = {};
  std::optional<base::Duration> transition = {};
};

class LightDevice : public EntityDevice {
 public:
  virtual void turn_on(const LightCommand& command) = 0;
  virtual void turn_off(const LightOffCommand& command) = 0;
};

// An ideal lamp's way with a command: for devices that report success by themselves.
LightState apply(LightState state, const LightCommand& command);

class Light final : public Entity {
 public:
  static constexpr std::string_view kDomain = "light";

  Light(EntityInfo info, LightCapabilities capabilities, LightDevice& device)
      : Entity(kDomain, std::move(info), &device), capabilities_(std::move(capabilities)), device_(device) {}

  const LightCapabilities& capabilities() const { return capabilities_; }
  const std::optional<LightState>& state() const { return state_; }  // null until reported
  // `cause`: the command that this answers, if the device knows.
  void report(LightState state, const core::Context* cause = nullptr);

  base::Result<void> can(std::string_view service, const json::object& data) const override;

  // Its abilities from now on; part of the next write.
  void set_capabilities(LightCapabilities capabilities) { capabilities_ = std::move(capabilities); }

  // The device no longer knows what it does.
  void forget(const core::Context* cause = nullptr);

  LightDevice& device() { return device_; }

 protected:
  std::string value() const override;
  void add_capabilities(json::object& attributes) const override;
  void add_attributes(json::object& attributes) const override;

 private:
  LightCapabilities capabilities_;
  LightDevice& device_;
  std::optional<LightState> state_;
};

// turn_on, turn_off, toggle.
void add_light_services(DomainServices& services);

}  // namespace hearth::domains
