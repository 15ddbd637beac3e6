// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/comfort.h"

#include <algorithm>
#include <cmath>

namespace hearth::integrations::demo {
namespace {

double tenths(double value) {
  return std::round(value * 10) / 10;
}

}  // namespace

AirHumidifier::AirHumidifier(World& world, const domains::EntityInfo& info)
    : pulse_(world, std::chrono::seconds(30), [this] {
        const bool works = humidifier_->reported() == "on" && room_ < humidifier_->number("humidity").value_or(50);
        room_ = std::clamp(room_ + (works ? 0.2 : -0.05), 30.0, 80.0);
        humidifier_->report(reading());
      }) {
  domains::Report first{.value = true, .attributes = {{"humidity", 50}, {"mode", "normal"}}};
  first = world.remembered(domains::kHumidifier, info, std::move(first));
  if (const json::value* const last = first.attributes.if_contains("current_humidity"); last && last->is_number())
    room_ = last->to_number<double>();
  humidifier_ = &world.add(
      domains::kHumidifier, std::move(first), info,
      {.features = "modes",
       .attributes = {{"min_humidity", 35}, {"max_humidity", 70}, {"available_modes", {"normal", "eco", "sleep"}}}},
      this);
  humidifier_->report(reading());
}

void AirHumidifier::act(const domains::Action& action, const json::object& data) {
  humidifier_->report(domains::outcome(domains::kHumidifier, action, data));
  humidifier_->report(reading());
}

domains::Report AirHumidifier::reading() const {
  const bool on = humidifier_->reported() == "on";
  const bool dry = room_ < humidifier_->number("humidity").value_or(50);
  return {.attributes = {{"current_humidity", tenths(room_)}, {"action", !on ? "off" : dry ? "humidifying" : "idle"}}};
}

Boiler::Boiler(World& world, const domains::EntityInfo& info)
    : pulse_(world, std::chrono::seconds(60), [this] { pass_time(); }) {
  domains::Report first{.value = "eco",
                        .attributes = {{"temperature", 55}, {"operation_mode", "eco"}, {"away_mode", "off"}}};
  first = world.remembered(domains::kWaterHeater, info, std::move(first));
  if (const json::value* const last = first.attributes.if_contains("current_temperature"); last && last->is_number())
    water_ = last->to_number<double>();
  first.attributes["current_temperature"] = tenths(water_);
  boiler_ = &world.add(domains::kWaterHeater, std::move(first), info,
                       {.features = "target_temperature operation_mode away_mode on_off",
                        .attributes = {{"min_temp", 40},
                                       {"max_temp", 65},
                                       {"target_temp_step", 0.5},
                                       {"operation_list", {"off", "eco", "performance"}}}},
                       this);
}

void Boiler::act(const domains::Action& action, const json::object& data) {
  domains::Report report = domains::outcome(domains::kWaterHeater, action, data);
  if (const json::value* const mode = report.attributes.if_contains("operation_mode")) report.value = *mode;
  if (action.service == "turn_on") report.value = "eco";
  if (report.value) report.attributes["operation_mode"] = *report.value;
  boiler_->report(std::move(report));
}

void Boiler::pass_time() {
  const double target =
      boiler_->number("temperature").value_or(55) - (boiler_->attribute("away_mode") == "on" ? 10 : 0);
  if (water_ < target - 3) heats_ = true;
  if (water_ >= target || boiler_->reported() == "off") heats_ = false;
  water_ = std::max(water_ + (heats_ ? 0.4 : -0.03), 15.0);
  boiler_->report({.attributes = {{"current_temperature", tenths(water_)}}});
}

}  // namespace hearth::integrations::demo
