// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/movers.h"

#include <cmath>

namespace hearth::integrations::demo {
namespace {

int percent(const domains::Report& report, std::string_view name, int otherwise) {
  const json::value* const value = report.attributes.if_contains(name);
  return value && value->is_int64() ? static_cast<int>(value->get_int64()) : otherwise;
}

// The assumed position of a cover that does not know its own.
int position_of(const domains::Report& last, int otherwise) {
  if (last.value == json::value("open")) otherwise = 100;
  if (last.value == json::value("closed")) otherwise = 0;
  return percent(last, "current_position", otherwise);
}

}  // namespace

Shade::Shade(World& world, const domains::Kind& kind, domains::EntityInfo info, core::Words features, Stand first,
             int travel_seconds)
    : world_(world), travel_seconds_(travel_seconds), tilt_(first.tilt) {
  const domains::Report last = world.remembered(kind, info, domains::Report());
  position_ = target_ = position_of(last, first.position);
  if (tilt_) tilt_ = percent(last, "current_tilt_position", *tilt_);
  cover_ = &world.add(kind, standing(), std::move(info), {.features = features}, this);
}

void Shade::act(const domains::Action& action, const json::object& data) {
  const std::string_view service = action.service;
  if (action.value == "open") return move_to(100);
  if (action.value == "closed") return move_to(0);
  if (service == "stop_cover" || service == "stop_valve") return move_to(position_);
  if (const json::value* const position = data.if_contains("position")) return move_to(position->to_number<double>());
  if (service == "open_cover_tilt") tilt_ = 100;
  if (service == "close_cover_tilt") tilt_ = 0;
  if (service == "set_cover_tilt_position") tilt_ = data.at("tilt_position").to_number<int>();
  cover_->report(standing());
}

void Shade::move_to(double position) {
  target_ = position;
  if (world_.still()) position_ = target_;
  motor_ = core::Timer();
  if (position_ != target_) motor_ = world_.after(std::chrono::seconds(1), [this] { step(); });
  cover_->report(standing());
}

void Shade::step() {
  const double stride = 100.0 / travel_seconds_, rest = target_ - position_;
  position_ = std::fabs(rest) <= stride ? target_ : position_ + std::copysign(stride, rest);
  if (position_ != target_) motor_ = world_.after(std::chrono::seconds(1), [this] { step(); });
  cover_->report(standing());
}

domains::Report Shade::standing() const {
  const auto position = std::lround(position_);
  const std::string_view value = position_ < target_   ? "opening"
                                 : position_ > target_ ? "closing"
                                 : position == 0       ? "closed"
                                                       : "open";
  domains::Report report{.value = value, .attributes = {{"current_position", position}}};
  if (tilt_) report.attributes["current_tilt_position"] = *tilt_;
  return report;
}

Ventilator::Ventilator(World& world, domains::EntityInfo info, const std::vector<std::string>& presets, int speed)
    : speed_(speed) {
  domains::Report first{.value = false,
                        .attributes = {{"percentage", 0}, {"oscillating", false}, {"direction", "forward"}}};
  first = world.remembered(domains::kFan, info, std::move(first));
  if (const int last = percent(first, "percentage", 0); last > 0) speed_ = last;
  domains::Abilities can{.features = "set_speed oscillate direction preset_mode"};
  can.attributes = {{"preset_modes", json::array(presets.begin(), presets.end())}, {"percentage_step", 25.0}};
  fan_ = &world.add(domains::kFan, std::move(first), std::move(info), std::move(can), this);
  const json::value& preset = fan_->attribute("preset_mode");
  if (preset.is_string()) preset_ = preset.get_string();
}

void Ventilator::act(const domains::Action& action, const json::object& data) {
  domains::Report report = domains::outcome(domains::kFan, action, data);
  if (const json::value* const speed = data.if_contains("percentage")) {
    speed_ = speed->to_number<int>();
    preset_.clear();
  }
  if (const json::value* const preset = data.if_contains("preset_mode")) preset_ = preset->get_string();
  const bool on = report.value ? *report.value == json::value("on") : fan_->reported() == "on";
  report.attributes["percentage"] = on ? speed_ : 0;
  report.attributes["preset_mode"] = on && !preset_.empty() ? json::value(preset_) : json::value();
  fan_->report(std::move(report));
}

}  // namespace hearth::integrations::demo
