// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/kinds/light_entity.h"

#include <algorithm>
#include <cmath>

#include "domains/restored.h"

namespace hearth::integrations::mqtt {
namespace {

bool same(const std::optional<domains::LightColor>& one, const std::optional<domains::LightColor>& other) {
  if (one.has_value() != other.has_value()) return false;
  if (!one) return true;
  if (one->index() != other->index()) return false;
  if (const auto* const white = std::get_if<domains::ColorTemperature>(&*one))
    return white->kelvin == std::get<domains::ColorTemperature>(*other).kelvin;
  return std::holds_alternative<domains::WhiteChannel>(*one);  // other colours are passed on
}

bool same(const domains::LightState& one, const domains::LightState& other) {
  return one.on == other.on && one.brightness == other.brightness && one.effect == other.effect &&
         same(one.color, other.color);
}

}  // namespace

LightEntity::LightEntity(EntityHome& home, EntityPlan plan, domains::LightCapabilities can)
    : MqttEntity(home, std::move(plan)), can_(std::move(can)) {}

std::unique_ptr<domains::Entity> LightEntity::make(domains::EntityInfo info, const core::State* last) {
  auto made = std::make_unique<domains::Light>(std::move(info), can_, *this);
  light_ = made.get();
  const bool remembered = last && (last->value() == "on" || last->value() == "off");
  if (remembered) state_ = domains::restored(state_, *last);
  known_ = remembered || assumes();
  if (known_) light_->report(state_);
  return made;
}

void LightEntity::turn_on(const domains::LightCommand& command) {
  commanded(known_ && !same(domains::apply(state_, command), state_));
  send_on(command);
  if (assumes()) report(domains::apply(state_, command));
}

void LightEntity::turn_off(const domains::LightOffCommand& command) {
  commanded(known_ && state_.on);
  send_off(command);
  if (!assumes()) return;
  domains::LightState off = state_;
  off.on = false;
  report(off);
}

void LightEntity::report(const domains::LightState& state) {
  if (known_ && !must_report() && same(state, state_)) return;
  state_ = state;
  known_ = true;
  reported();
  light_->report(state_);
}

void LightEntity::report_property(const domains::LightState& state) {
  if (known_)
    report(state);
  else
    state_ = state;
}

void LightEntity::report_unknown() {
  if (!known_ && !must_report()) return;
  known_ = false;
  reported();
  light_->forget();
}

std::optional<int> LightEntity::brightness_of(double number) const {
  const double scale = settings().number("brightness_scale");
  if (!(number > 0)) return {};
  return std::clamp(static_cast<int>(std::lround(std::min(number, scale) / scale * 255)), 1, 255);
}

double LightEntity::scaled(int brightness) const {
  const double scale = settings().number("brightness_scale");
  return std::max(std::min(std::round(brightness * scale / 255), scale), 1.0);
}

domains::KelvinRange kelvin_range(const Settings& settings) {
  domains::KelvinRange range{2000, 6535};
  if (settings.has("max_mireds")) range.min = domains::mired_to_kelvin(settings.number("max_mireds"));
  if (settings.has("min_mireds")) range.max = domains::mired_to_kelvin(settings.number("min_mireds"));
  if (settings.has("min_kelvin")) range.min = static_cast<int>(settings.number("min_kelvin"));
  if (settings.has("max_kelvin")) range.max = static_cast<int>(settings.number("max_kelvin"));
  if (range.min > range.max) std::swap(range.min, range.max);
  return range;
}

double device_temperature(const Settings& settings, int kelvin) {
  return settings.boolean("color_temp_kelvin") ? kelvin : std::round(1e6 / kelvin);
}

int kelvin_of(const Settings& settings, double number) {
  if (settings.boolean("color_temp_kelvin")) return static_cast<int>(std::clamp(number, 1'000.0, 40'000.0));
  return domains::mired_to_kelvin(std::clamp(number, 25.0, 1'000.0));
}

std::vector<std::string> effects_of(const Settings& settings) {
  std::vector<std::string> effects;
  for (const json::value& each : settings.texts("effect_list")) effects.emplace_back(each.get_string());
  return effects;
}

}  // namespace hearth::integrations::mqtt
