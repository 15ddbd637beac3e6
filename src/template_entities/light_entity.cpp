// SPDX-License-Identifier: Apache-2.0
#include "template_entities/light_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/utf8.h"
#include "domains/restored.h"
#include "template_entities/thing_values.h"

namespace hearth::template_entities {
namespace {

using domains::ColorMode;
using templates::Value;

// The numbers of a list, or of a text such as (255, 0, 0); empty if it is anything else.
std::vector<double> numbers_of(const Value& value, std::size_t count) {
  std::vector<double> numbers;
  const Value list =
      value.is_text() && value.text().starts_with('(') && value.text().ends_with(')')
          ? automation::native_value(Value(fmt::format("[{}]", value.text().substr(1, value.text().size() - 2))))
          : value;
  if (list.is_text() || !templates::length_of(list)) return numbers;
  for (const Value& each : templates::items_of(list)) {
    const auto number = templates::as_double(each);
    if (!number || *number < 0) return {};
    numbers.push_back(*number);
  }
  if (numbers.size() != count) numbers.clear();
  return numbers;
}

int byte_of(double number) {
  return static_cast<int>(std::lround(std::min(number, 255.0)));
}

double number_or(const Rendering* rendering, std::string_view sets, double otherwise) {
  const Value* const value = rendering ? rendering->find(sets) : nullptr;
  const auto number = value ? templates::as_double(*value) : std::nullopt;
  return number && *number > 0 ? *number : otherwise;
}

domains::LightCapabilities abilities(const EntityPlan& plan, const core::State* last, const Rendering* first) {
  domains::LightCapabilities can{.modes = {}};
  constexpr std::pair<std::string_view, ColorMode> kModes[] = {{"set_temperature", ColorMode::color_temp},
                                                               {"set_hs", ColorMode::hs},
                                                               {"set_color", ColorMode::hs},
                                                               {"set_rgb", ColorMode::rgb},
                                                               {"set_rgbw", ColorMode::rgbw},
                                                               {"set_rgbww", ColorMode::rgbww}};
  for (const auto& [key, mode] : kModes) {
    if (plan.steps.contains(key)) can.modes.insert(mode);
  }
  if (can.modes.empty())
    can.modes.insert(plan.steps.contains("set_level") || plan.reads("level") ? ColorMode::brightness
                                                                             : ColorMode::onoff);
  can.kelvin.min = domains::mired_to_kelvin(number_or(first, "max_mireds", 500));
  can.kelvin.max = domains::mired_to_kelvin(number_or(first, "min_mireds", 153));
  if (const Value* const transition = first ? first->find("transition") : nullptr)
    can.transition = automation::counts_as_true(*transition);
  const auto add = [&](const json::value& list) {
    if (!list.is_array()) return;
    for (const json::value& each : list.get_array()) {
      if (each.is_string()) can.effects.emplace_back(each.get_string());
    }
  };
  if (const Value* const effects = first ? first->find("effect_list") : nullptr)
    add(automation::json_of(*effects));
  else if (const json::object attributes = last ? last->attributes() : json::object();
           attributes.contains("effect_list") && plan.reads("effect_list"))
    add(attributes.at("effect_list"));
  return can;
}

}  // namespace

LightEntity::LightEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
                         domains::EntityTable& entities)
    : TemplateEntity(std::move(plan), entity, home, entities) {}

std::unique_ptr<domains::Entity> LightEntity::make(domains::EntityInfo info, const core::State* last,
                                                   const Rendering* first) {
  auto made = std::make_unique<domains::Light>(std::move(info), abilities(plan(), last, first), *this);
  light_ = made.get();
  const bool remembered = last && (last->value() == "on" || last->value() == "off");
  if (remembered) state_ = domains::restored(state_, *last);
  if (remembered || !plan().reads(kState)) light_->report(state_);
  if (last && by_triggers()) light_->set_extra_attributes(extra_of(*last));
  return made;
}

std::optional<domains::LightColor> LightEntity::color_of(const Rendering& rendering) const {
  const auto& can = light_->capabilities();
  const auto numbers = [&](std::string_view sets, ColorMode mode, std::size_t count) {
    const Value* const value = can.has(mode) ? rendering.find(sets) : nullptr;
    return value ? numbers_of(*value, count) : std::vector<double>();
  };
  if (const auto c = numbers("rgbww", ColorMode::rgbww, 5); !c.empty())
    return domains::RgbwwColor{byte_of(c[0]), byte_of(c[1]), byte_of(c[2]), byte_of(c[3]), byte_of(c[4])};
  if (const auto c = numbers("rgbw", ColorMode::rgbw, 4); !c.empty())
    return domains::RgbwColor{byte_of(c[0]), byte_of(c[1]), byte_of(c[2]), byte_of(c[3])};
  if (const auto c = numbers("rgb", ColorMode::rgb, 3); !c.empty())
    return domains::RgbColor{byte_of(c[0]), byte_of(c[1]), byte_of(c[2])};
  if (const auto c = numbers("hs", ColorMode::hs, 2); !c.empty())
    return domains::HsColor{std::min(c[0], 360.0), std::min(c[1], 100.0)};
  const Value* const mireds = can.has(ColorMode::color_temp) ? rendering.find("temperature") : nullptr;
  if (const auto number = mireds ? templates::as_double(*mireds) : std::nullopt; number && *number > 0)
    return domains::ColorTemperature{
        std::clamp(domains::mired_to_kelvin(std::clamp(*number, 25.0, 1'000.0)), can.kelvin.min, can.kelvin.max)};
  return {};
}

std::optional<domains::LightState> LightEntity::state_of(const Rendering& rendering) {
  domains::LightState next = state_;
  for (const auto& [reading, value] : rendering.values) {
    if (reading->sets != kState) continue;
    const auto state = template_entities::state_of(plan(), *reading, value);
    if (!state) complain(state.error().message);
    if (!state || state->is_null()) return {};
    next.on = *state == json::value("on");
  }
  const Value* const level = rendering.find("level");
  if (const auto number = level ? templates::as_double(*level) : std::nullopt; number && *number >= 1)
    next.brightness = byte_of(*number);
  if (auto color = color_of(rendering)) next.color = std::move(color);
  if (plan().reads("effect")) {
    const Value* const effect = rendering.find("effect");
    const std::string text = effect ? text_of(*effect) : std::string();
    const auto& effects = light_->capabilities().effects;
    next.effect = std::ranges::find(effects, text) == effects.end() ? std::string() : text;
  }
  return next;
}

void LightEntity::apply(const Rendering& rendering, const templates::Variables&, const core::Context* cause,
                        const automation::Moment&) {
  for (const auto& [reading, value] : rendering.values) {
    if (reading->sets == kState && text_of(value) == core::kUnavailable) return light_->set_available(false);
  }
  light_->set_extra_attributes(rendering.extra);
  if (const auto next = state_of(rendering)) {
    state_ = *next;
    light_->report(state_, cause_of_report(cause));
  } else {
    light_->forget(cause_of_report(cause));
  }
  light_->set_available(true);
}

void LightEntity::repeat() {
  cause_of_report(nullptr);
  if (light_->state())
    light_->report(*light_->state());
  else
    light_->forget();
}

bool LightEntity::run_color(const domains::LightColor& color, templates::Variables data) {
  const auto add = [&](const char* all, std::initializer_list<std::pair<const char*, Value>> parts) {
    templates::Values values;
    for (const auto& [name, value] : parts) {
      values.push_back(value);
      data.emplace_back(name, value);
    }
    data.emplace_back(all, Value::tuple(std::move(values)));
  };
  if (const auto* const white = std::get_if<domains::ColorTemperature>(&color)) {
    data.emplace_back("color_temp", static_cast<std::int64_t>(std::lround(1e6 / white->kelvin)));
    data.emplace_back("color_temp_kelvin", white->kelvin);
    return run("set_temperature", std::move(data));
  }
  if (const auto* const hs = std::get_if<domains::HsColor>(&color)) {
    add("hs", {{"h", hs->hue}, {"s", hs->saturation}});
    return run("set_hs", data) || run("set_color", data);
  }
  if (const auto* const c = std::get_if<domains::RgbColor>(&color)) {
    add("rgb", {{"r", c->red}, {"g", c->green}, {"b", c->blue}});
    return run("set_rgb", std::move(data));
  }
  if (const auto* const c = std::get_if<domains::RgbwColor>(&color)) {
    add("rgbw", {{"r", c->red}, {"g", c->green}, {"b", c->blue}, {"w", c->white}});
    return run("set_rgbw", std::move(data));
  }
  if (const auto* const c = std::get_if<domains::RgbwwColor>(&color)) {
    add("rgbww", {{"r", c->red}, {"g", c->green}, {"b", c->blue}, {"cw", c->cold_white}, {"ww", c->warm_white}});
    return run("set_rgbww", std::move(data));
  }
  return false;
}

bool LightEntity::run_for(const domains::LightCommand& command, const templates::Variables& common) {
  if (command.color && run_color(*command.color, common)) return true;
  if (command.effect && plan().steps.contains("set_effect")) {
    templates::Variables data = common;
    data.emplace_back("effect", *command.effect);
    return run("set_effect", std::move(data));
  }
  return command.brightness && run("set_level", common);
}

void LightEntity::turn_on(const domains::LightCommand& command) {
  commanded();
  templates::Variables common;
  if (command.transition && light_->capabilities().transition)
    common.emplace_back("transition", static_cast<double>(command.transition->count()) / 1e6);
  if (command.brightness) common.emplace_back("brightness", *command.brightness);
  if (!run_for(command, common)) run("turn_on", common);
  // Values that the templates do not tell are taken as done.
  domains::LightState done = domains::apply(state_, command);
  const bool all = plan().optimistic;
  if (!all && plan().reads(kState)) done.on = state_.on;
  if (!all && plan().reads("level")) done.brightness = state_.brightness;
  if (!all && plan().reads("effect")) done.effect = state_.effect;
  const bool colored = plan().reads("hs") || plan().reads("rgb") || plan().reads("rgbw") || plan().reads("rgbww") ||
                       plan().reads("temperature");
  if (!all && colored) done.color = state_.color;
  state_ = done;
  if (all || !plan().reads(kState)) light_->report(state_, cause_of_report(nullptr));
}

void LightEntity::turn_off(const domains::LightOffCommand& command) {
  commanded();
  templates::Variables data;
  if (command.transition && light_->capabilities().transition)
    data.emplace_back("transition", static_cast<double>(command.transition->count()) / 1e6);
  run("turn_off", std::move(data));
  if (plan().reads(kState) && !plan().optimistic) return;
  state_.on = false;
  light_->report(state_, cause_of_report(nullptr));
}

}  // namespace hearth::template_entities
