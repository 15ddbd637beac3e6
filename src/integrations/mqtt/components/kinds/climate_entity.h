// SPDX-License-Identifier: Apache-2.0
// Thermostats and air conditioners: a topic for each property. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "domains/climate/climate.h"
#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/mqtt_entity.h"

namespace hearth::integrations::mqtt {

class ClimateEntity final : public MqttEntity, public domains::ClimateDevice {
 public:
  ClimateEntity(EntityHome& home, EntityPlan plan, domains::ClimateCapabilities can);

  void set(const domains::ClimateCommand& command) override;

 protected:
  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) override;
  void listen_to_all() override;

 private:
  using State = domains::ClimateState;

  // Calls receive(text, state) for each message that is not to be ignored; it returns what was expected, or nothing.
  using Take = std::function<std::string(const std::string& text, State& next)>;
  void read(std::string_view topic, std::string_view value_template, Take receive);
  void read_number(std::string_view topic, std::string_view value_template, std::optional<double> State::* field,
                   bool degrees);
  void read_choice(std::string_view topic, std::string_view value_template, std::string State::* field,
                   const std::vector<std::string>& choices);
  void send_number(std::string_view topic, std::string_view command_template, double number);
  // True if the property is taken as done, because nobody reports it.
  bool assumed(std::string_view state_topic) const;
  double celsius(double degrees) const;
  double device_degrees(double celsius) const;

  domains::ClimateCapabilities can_;
  State state_;
  domains::Climate* climate_ = nullptr;
};

std::unique_ptr<MqttEntity> make_climate(EntityHome& home, EntityPlan plan);

}  // namespace hearth::integrations::mqtt
