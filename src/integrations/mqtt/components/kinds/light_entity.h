// SPDX-License-Identifier: Apache-2.0
// Lamps. A class for each schema reads states and writes commands in its format. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "domains/light/light.h"
#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/mqtt_entity.h"

namespace hearth::integrations::mqtt {

class LightEntity : public MqttEntity, public domains::LightDevice {
 public:
  void turn_on(const domains::LightCommand& command) final;
  void turn_off(const domains::LightOffCommand& command) final;

 protected:
  LightEntity(EntityHome& home, EntityPlan plan, domains::LightCapabilities can);

  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) override;

  virtual void send_on(const domains::LightCommand& command) = 0;
  virtual void send_off(const domains::LightOffCommand& command) = 0;
  // True if commands are taken as done.
  virtual bool assumes() const = 0;

  const domains::LightCapabilities& can() const { return can_; }
  const domains::LightState& state() const { return state_; }
  bool known() const { return known_; }
  // Passes it on, unless it changes nothing and nobody waits for it.
  void report(const domains::LightState& state);
  void report_unknown();
  // The same for what does not say whether the lamp is on: until that is known it is kept only.
  void report_property(const domains::LightState& state);

  // 1 to 255 of the device's brightness; null for 0 and less.
  std::optional<int> brightness_of(double number) const;
  // The device's, at least 1.
  double scaled(int brightness) const;

 private:
  domains::LightCapabilities can_;
  domains::LightState state_;
  bool known_ = false;
  domains::Light* light_ = nullptr;
};

// The range of a lamp by its keys in kelvin or mireds.
domains::KelvinRange kelvin_range(const Settings& settings);
// The device's number for a temperature: mireds, or kelvin if it says so.
double device_temperature(const Settings& settings, int kelvin);
int kelvin_of(const Settings& settings, double number);
std::vector<std::string> effects_of(const Settings& settings);

std::unique_ptr<MqttEntity> make_json_light(EntityHome& home, EntityPlan plan);
std::unique_ptr<MqttEntity> make_basic_light(EntityHome& home, EntityPlan plan);
std::unique_ptr<MqttEntity> make_template_light(EntityHome& home, EntityPlan plan);

}  // namespace hearth::integrations::mqtt
